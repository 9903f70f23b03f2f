//! `asset`: files that renders are made from.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::Path;

use render::catalogue::Code;
use render::failure::Failure;
use render::service::{Caller, add_asset, rfc3339};
use serde_json::json;
use store::{Asset, Assets as _, Draft, Mode, PageRequest, Sqlite};

use crate::blame;
use crate::cli::{AssetArgs, AssetCommand};
use crate::config::Config;
use crate::data::{self, asset_json};
use crate::exit::Ending;
use crate::serve::{auth, names};
use crate::setup::ffmpeg;

/// How many assets are read at a time.
const PAGE: u32 = 200;

pub(crate) async fn run(args: AssetArgs) -> Result<Ending, Failure> {
    names::check("tenant", &args.tenant)?;
    let config = Config::load(args.config.file.as_deref())?;
    let directory = data::directory(args.data.dir.as_deref(), &config)?;
    let store = data::open(&directory, Mode::Beside)?;
    let tenant = args.tenant.as_str();
    match args.command {
        AssetCommand::Add { file, name } => {
            let asset = add(&store, &config, tenant, &file, name.as_deref()).await?;
            Ok(Ending::Done { json: asset_json(&asset), text: format!("{}\n", asset.id) })
        }
        AssetCommand::List => list(&store, tenant).await,
        AssetCommand::Show { id } => {
            let asset = store.asset(tenant, &id).await;
            let asset = asset.map_err(|error| no_asset(&error, tenant, &id))?;
            let json = asset_json(&asset);
            let text = format!("{json:#}\n");
            Ok(Ending::Done { json, text })
        }
        AssetCommand::Remove { id } => {
            let removed = store.remove_asset(tenant, &id).await;
            removed.map_err(|error| no_asset(&error, tenant, &id))?;
            let text = format!("removed {id}\n");
            Ok(Ending::Done { json: json!({ "removed": id }), text })
        }
    }
}

async fn add(
    store: &Sqlite,
    config: &Config,
    tenant: &str,
    file: &Path,
    name: Option<&str>,
) -> Result<Asset, Failure> {
    let name = name.or_else(|| file.file_name().and_then(OsStr::to_str)).unwrap_or("asset");
    names::check("name", name)?;
    let ffmpeg = ffmpeg(&config.media)?;
    // Copying takes a while; an interrupt must be heard meanwhile.
    let (place, source) = (store.clone(), file.to_owned());
    let draft = tokio::task::spawn_blocking(move || copy(&place, &source))
        .await
        .unwrap_or_else(|error| Err(Failure::new(Code::Internal, format!("{error}."))))?;
    let caller = Caller { tenant: tenant.to_owned(), ..auth::local() };
    let added = add_asset(store, &ffmpeg, &caller, name, draft, None).await;
    blame::find(&ffmpeg, added).await
}

/// The file's bytes on the store's own disk; it may be changed or removed meanwhile.
fn copy(store: &Sqlite, file: &Path) -> Result<Draft, Failure> {
    let unreadable = |why: String| {
        let message = format!("The file {} cannot be read: {why}.", file.display());
        Failure::new(Code::SourceNotFound, message)
    };
    let mut source = File::open(file).map_err(|error| unreadable(error.to_string()))?;
    let metadata = source.metadata().map_err(|error| unreadable(error.to_string()))?;
    if !metadata.is_file() {
        return Err(unreadable("it is not a regular file".to_owned()));
    }
    let storage = |error: io::Error| Failure::storage("copying the asset", &error);
    let draft = store.draft("").map_err(|error| data::failure(&error, "draft"))?;
    io::copy(&mut source, &mut draft.writer().map_err(storage)?).map_err(storage)?;
    Ok(draft)
}

async fn list(store: &Sqlite, tenant: &str) -> Result<Ending, Failure> {
    let mut assets = Vec::new();
    let mut page = PageRequest::first(PAGE);
    loop {
        let part = store.assets(tenant, page).await;
        let part = part.map_err(|error| data::failure(&error, "such list"))?;
        assets.extend(part.items);
        match part.next {
            Some(cursor) => page = PageRequest { cursor: Some(cursor), limit: PAGE },
            None => break,
        }
    }
    let mut text = String::new();
    for asset in &assets {
        let kind = asset.media.get("kind").and_then(serde_json::Value::as_str).unwrap_or("?");
        let (id, created, bytes) = (&asset.id, rfc3339(asset.created), asset.bytes);
        let _ = writeln!(text, "{id}  {created}  {kind:5}  {bytes:>12}  {}", asset.name);
    }
    let json = json!({ "assets": assets.iter().map(asset_json).collect::<Vec<_>>() });
    Ok(Ending::Done { json, text })
}

fn no_asset(error: &store::Error, tenant: &str, id: &str) -> Failure {
    data::failure(error, &format!("asset {id} of the tenant {tenant}"))
}
