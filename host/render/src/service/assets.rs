//! Files that tenants bring: looked into before they are kept.

use media::{Ffmpeg, Input};
use serde::{Deserialize, Serialize};
use store::{Asset, Draft, NewAsset, Store};

use super::view::store_failure;
use super::{Caller, Scope, Service};
use crate::catalogue::Code;
use crate::failure::Failure;
use crate::faults::media_error;

/// What an asset can be used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AssetKind {
    /// The source of a render.
    Video,
    /// A watermark.
    Image,
}

/// What a look into an asset has shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssetFacts {
    /// What it can be used as.
    pub kind: AssetKind,
    /// The codec's or the format's name.
    pub format: String,
    /// How long a video is, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_seconds: Option<f64>,
    /// The width of a video's upright picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Its height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
}

/// Pictures by how their files begin.
const PICTURES: [(&[u8], &str); 5] = [
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"RIFF", "webp"),
];

/// Keeps a file as an asset of the caller's tenant, if it is one that can be
/// used. Needs no service, so that it can be done beside a running server.
///
/// # Errors
///
/// `insufficient_scope`, `unsupported_source` for what is neither a video nor
/// a picture, `invalid_field` for bytes that do not have the promised hash,
/// `storage_full`, `internal`.
pub async fn add_asset(
    store: &dyn Store,
    ffmpeg: &Ffmpeg,
    caller: &Caller,
    name: &str,
    file: Draft,
    sha256: Option<[u8; 32]>,
) -> Result<Asset, Failure> {
    caller.need(&[Scope::AssetWrite])?;
    let facts = look_into(ffmpeg, &file).await?;
    let asset = NewAsset {
        tenant: caller.tenant.clone(),
        owner: caller.identity.clone(),
        name: name.to_owned(),
        media: serde_json::to_value(facts).unwrap_or_default(),
        sha256,
    };
    store.add_asset(asset, file).await.map_err(|error| asset_failure(&error))
}

async fn look_into(ffmpeg: &Ffmpeg, file: &Draft) -> Result<AssetFacts, Failure> {
    let head = head(file).map_err(|error| Failure::storage("reading the asset", &error))?;
    if let Some(format) = picture_format(&head) {
        return Ok(AssetFacts {
            kind: AssetKind::Image,
            format: format.to_owned(),
            duration_seconds: None,
            width: None,
            height: None,
        });
    }
    let unusable = |error| unusable(error, file);
    let input = Input::open(file.path()).map_err(unusable)?;
    let source = ffmpeg.probe(&input).await.map_err(unusable)?;
    let video = source.video.first();
    Ok(AssetFacts {
        kind: AssetKind::Video,
        format: video.map(|video| video.codec_name.clone()).unwrap_or_default(),
        duration_seconds: Some(source.duration_seconds),
        width: video.map(|video| video.display_size.width),
        height: video.map(|video| video.display_size.height),
    })
}

impl Service {
    /// Keeps a file as an asset of the caller's tenant, if it is one that can
    /// be used.
    ///
    /// # Errors
    ///
    /// As [`add_asset`].
    pub async fn add_asset(
        &self,
        caller: &Caller,
        name: &str,
        file: Draft,
        sha256: Option<[u8; 32]>,
    ) -> Result<Asset, Failure> {
        let inner = &self.inner;
        add_asset(inner.store.as_ref(), &inner.ffmpeg, caller, name, file, sha256).await
    }

    /// What an asset of a tenant can be used as; none if there is none.
    pub(super) async fn asset_kind(
        &self,
        tenant: &str,
        id: &str,
    ) -> Result<Option<AssetKind>, Failure> {
        match self.inner.store.asset(tenant, id).await {
            Ok(asset) => {
                let facts = serde_json::from_value::<AssetFacts>(asset.media);
                Ok(Some(facts.map_or(AssetKind::Video, |facts| facts.kind)))
            }
            Err(store::Error::NotFound(_)) => Ok(None),
            Err(error) => Err(store_failure(&error)),
        }
    }
}

/// A file's first bytes.
fn head(file: &Draft) -> std::io::Result<Vec<u8>> {
    use std::io::Read as _;
    let mut head = Vec::new();
    std::fs::File::open(file.path())?.take(16).read_to_end(&mut head)?;
    Ok(head)
}

fn picture_format(head: &[u8]) -> Option<&'static str> {
    let (_, format) = PICTURES.into_iter().find(|(magic, _)| head.starts_with(magic))?;
    // AVI begins like WebP.
    (format != "webp" || head.get(8..12) == Some(b"WEBP")).then_some(format)
}

/// A file that cannot be used, without its place in the store.
fn unusable(error: media::MediaError, file: &Draft) -> Failure {
    let mut failure = media_error(error);
    if failure.code == Code::SourceNotFound {
        // It was there a moment ago.
        failure.code = Code::Internal;
    }
    failure.message = failure.message.replace(&file.path().display().to_string(), "The file");
    failure
}

fn asset_failure(error: &store::Error) -> Failure {
    match error {
        store::Error::Invalid(message) => Failure::invalid_field("sha256", message.clone()),
        error => store_failure(error),
    }
}
