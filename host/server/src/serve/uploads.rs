//! `POST /assets`: files that agents bring.
//!
//! The body is the file. The query may name it (`name`), and say what it hashes to (`sha256`, in
//! hexadecimal digits); an upload whose hash is known can be gone on with when it broke off:
//! `GET /assets/uploads/SHA256` says how much has arrived, and the next `POST` says at which byte
//! its body begins (`offset`). With `size`, a body that ends before the whole file is there is a
//! part of it; without, it is the rest.

mod receiving;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use futures::StreamExt as _;
use render::catalogue::Code;
use render::failure::Failure;
use render::service::{Caller, Scope};
use serde::Deserialize;
use serde_json::{Value, json};
use store::{Asset, Draft};
use tokio::sync::SemaphorePermit;

use self::receiving::{Receiving, Stopped};
use super::access::request_id;
use super::answers::{self, Problem};
use super::{Site, hex, names};
use crate::data::asset_json;

/// How much of a body that is refused is read all the same, so that a client which sends it before
/// it looks for the answer hears why.
const HEARD_OUT: usize = 16 << 20;

/// After how long a client should try again that was sent away.
const LATER_SECONDS: u32 = 5;

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Asked {
    name: Option<String>,
    sha256: Option<String>,
    offset: u64,
    size: Option<u64>,
}

/// How far an upload has come.
enum Come {
    /// It is an asset, made now or before.
    Asset { asset: Box<Asset>, new: bool },
    /// So many bytes are there, and there are to be more.
    Part(u64),
}

pub(crate) async fn post(
    State(site): State<Arc<Site>>,
    asked: Result<Query<Asked>, QueryRejection>,
    request: Request,
) -> Response {
    let id = request_id(&request);
    let (head, body) = request.into_parts();
    let mut body = Some(body);
    let come = match admit(&site, &head, asked).await {
        Ok(admitted) => receive(&site, admitted, &mut body).await,
        Err(problem) => Err(problem),
    };
    if let Some(body) = body {
        hear_out(&head.headers, body).await;
    }
    match come {
        Ok(Come::Asset { asset, new }) => {
            let status = if new { StatusCode::CREATED } else { StatusCode::OK };
            answers::json(status, &asset_json(&asset))
        }
        Ok(Come::Part(received)) => {
            answers::json(StatusCode::ACCEPTED, &json!({ "received": received }))
        }
        Err(problem) => problem.response(&id, &site.fingerprint),
    }
}

/// What is to be received, once it is known that it may be.
struct Admitted<'a> {
    caller: Caller,
    name: String,
    sha256: Option<[u8; 32]>,
    offset: u64,
    size: Option<u64>,
    _place: SemaphorePermit<'a>,
}

async fn admit<'a>(
    site: &'a Site,
    head: &Parts,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Admitted<'a>, Problem> {
    let caller = caller(site, head).await?;
    let Query(asked) = asked.map_err(|error| Failure::invalid_field("query", sentence(&error)))?;
    let name = asked.name.unwrap_or_else(|| "upload".to_owned());
    names::check("name", &name)?;
    let sha256 = asked.sha256.as_deref().map(promised).transpose()?;
    if sha256.is_none() && (asked.offset > 0 || asked.size.is_some()) {
        let message = "Only an upload whose sha256 is given can be sent in parts.";
        return Err(Failure::invalid_field("sha256", message).into());
    }
    let length = head.headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let end = length.unwrap_or_default().saturating_add(asked.offset);
    if end.max(asked.size.unwrap_or_default()) > site.max_asset_bytes {
        return Err(too_large(site));
    }
    if asked.size.is_some_and(|size| end > size) {
        let message = "The body goes on past the size that was given.";
        return Err(Failure::invalid_field("size", message).into());
    }
    let place = site.uploads.try_acquire().map_err(|_| {
        let message = "Too many assets are being uploaded at present.";
        Problem::later(StatusCode::SERVICE_UNAVAILABLE, Code::RateLimited, message, LATER_SECONDS)
    })?;
    Ok(Admitted { caller, name, sha256, offset: asked.offset, size: asked.size, _place: place })
}

/// Who brings something, if they may.
async fn caller(site: &Site, head: &Parts) -> Result<Caller, Problem> {
    let principal = site.authenticator.authenticate(head).await?;
    let caller = principal.context.downcast_ref::<Caller>();
    let caller = caller.ok_or_else(|| Failure::new(Code::Internal, "The caller is not known."))?;
    caller.need(&[Scope::AssetWrite])?;
    Ok(caller.clone())
}

fn promised(sha256: &str) -> Result<[u8; 32], Failure> {
    hex::bytes(sha256).ok_or_else(|| {
        Failure::invalid_field("sha256", "The sha256 must be 64 hexadecimal digits.")
    })
}

fn sentence(error: &QueryRejection) -> String {
    format!("The query is not one of name, sha256, offset and size: {}.", error.body_text())
}

fn too_large(site: &Site) -> Problem {
    let most = site.max_asset_bytes;
    let message = format!("The file is larger than the {most} bytes that an asset may have.");
    let failure = Failure::invalid_field("size", message).with("max_asset_bytes", most);
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, failure)
}

async fn receive(
    site: &Arc<Site>,
    admitted: Admitted<'_>,
    body: &mut Option<Body>,
) -> Result<Come, Problem> {
    let store = site.service.store();
    let Admitted { caller, name, sha256, offset, size, _place } = admitted;
    let mut receiving = match sha256 {
        None => Receiving::whole(store.draft("").map_err(|error| stored(&error))?)
            .map_err(|error| Failure::storage("making room for the asset", &error))?,
        Some(sha256) => {
            let known = store.asset_of(&caller.tenant, sha256).await;
            if let Some(asset) = known.map_err(|error| stored(&error))? {
                return Ok(Come::Asset { asset: Box::new(asset), new: false });
            }
            Receiving::part(store.upload(&caller.tenant, &sha256).map_err(|error| busy(&error))?)
        }
    };
    let received = receiving.received();
    if offset > received {
        let message = format!("Only {received} bytes have arrived; go on from there.");
        let failure = Failure::invalid_field("offset", message).with("received", received);
        return Err(Problem::new(StatusCode::CONFLICT, failure));
    }
    // What is there already need not be kept again.
    let skip = received.saturating_sub(offset);
    let most = size.unwrap_or(site.max_asset_bytes).min(site.max_asset_bytes);
    if let Some(body) = body.take() {
        let stream = body.into_data_stream();
        receiving =
            receiving.take_in(stream, skip, most).await.map_err(|stopped| match stopped {
                Stopped::TooLarge if size.is_some() => {
                    let message = "The body goes on past the size that was given.";
                    Failure::invalid_field("size", message).into()
                }
                Stopped::TooLarge => too_large(site),
                Stopped::Broken => {
                    let message = "The body broke off.";
                    Failure::invalid_field("body", message).into()
                }
                Stopped::Idle => {
                    let message = "The rest of the body did not come in time.";
                    let failure = Failure::invalid_field("body", message);
                    Problem::new(StatusCode::REQUEST_TIMEOUT, failure)
                }
                Stopped::Unwritten(error) => Failure::storage("keeping the asset", &error).into(),
            })?;
    }
    let received = receiving.received();
    if size.is_some_and(|size| received < size) {
        return Ok(Come::Part(received));
    }
    let draft = receiving.finish();
    let draft = draft.map_err(|error| Failure::storage("keeping the asset", &error))?;
    keep(site, caller, name, draft, sha256).await
}

/// Goes on to its end although the client may go away: it will ask again, and find the asset.
async fn keep(
    site: &Arc<Site>,
    caller: Caller,
    name: String,
    draft: Draft,
    sha256: Option<[u8; 32]>,
) -> Result<Come, Problem> {
    let site = Arc::clone(site);
    let kept = tokio::spawn(async move {
        if let Some(promised) = sha256 {
            // Before it is looked into: what broke on its way is not a bad video.
            let found = receiving::hash(draft.path().to_owned()).await;
            let found = found.map_err(|error| Failure::storage("reading the asset", &error))?;
            if found != promised {
                let message = "The bytes that arrived do not have the sha256 that was given; \
                               send the file again from its beginning.";
                return Err(
                    Failure::invalid_field("sha256", message).with("found", hex::text(&found))
                );
            }
        }
        site.service.add_asset(&caller, &name, draft, sha256).await
    });
    match kept.await {
        Ok(asset) => Ok(Come::Asset { asset: Box::new(asset?), new: true }),
        Err(error) => Err(Failure::new(Code::Internal, error.to_string()).into()),
    }
}

/// `GET /assets/uploads/{sha256}`: how much of a file has arrived.
pub(crate) async fn progress(
    State(site): State<Arc<Site>>,
    path: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    let id = request_id(&request);
    let (head, _) = request.into_parts();
    // What cannot be read is no hash either.
    let sha256 = path.map_or_else(|_| String::new(), |Path(sha256)| sha256);
    match arrived(&site, &head, &sha256).await {
        Ok(told) => answers::json(StatusCode::OK, &told),
        Err(problem) => problem.response(&id, &site.fingerprint),
    }
}

async fn arrived(site: &Site, head: &Parts, sha256: &str) -> Result<Value, Problem> {
    let caller = caller(site, head).await?;
    let sha256 = promised(sha256)?;
    let store = site.service.store();
    let known = store.asset_of(&caller.tenant, sha256).await.map_err(|error| stored(&error))?;
    if let Some(asset) = known {
        return Ok(asset_json(&asset));
    }
    let upload = store.upload(&caller.tenant, &sha256).map_err(|error| busy(&error))?;
    let received = upload.received();
    if received == 0 {
        // Asking begins nothing.
        drop(upload.finish());
    }
    Ok(json!({ "received": received }))
}

fn busy(error: &store::Error) -> Problem {
    match error {
        store::Error::Locked(message) => {
            Problem::later(StatusCode::CONFLICT, Code::RateLimited, message, LATER_SECONDS)
        }
        error => stored(error),
    }
}

fn stored(error: &store::Error) -> Problem {
    let code = match error {
        store::Error::Full => Code::StorageFull,
        _ => Code::Internal,
    };
    Failure::new(code, error.to_string()).into()
}

/// Reads some of what nobody wants. Who asks before sending hears by the answer not to.
async fn hear_out(headers: &HeaderMap, body: Body) {
    if headers.contains_key(header::EXPECT) {
        return;
    }
    let mut stream = body.into_data_stream();
    let mut heard = 0;
    while heard < HEARD_OUT
        && let Ok(Some(Ok(part))) = tokio::time::timeout(receiving::IDLE, stream.next()).await
    {
        heard = heard.saturating_add(part.len());
    }
}
