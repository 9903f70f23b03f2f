//! Fetching the film by its signed address.

use std::fs::File;
use std::io::{Read as _, copy};
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::Outcome;
use crate::exchange::{Exchange, From};

const PATIENCE: Duration = Duration::from_secs(120);
/// More than the demo's ten seconds can need.
const FILM_BYTES: u64 = 256 << 20;

/// Asks for the first bytes, as a player does, then for the whole film.
pub(crate) fn download(exchange: &mut Exchange, address: &str, film: &Path) -> Outcome {
    let client: ureq::Agent =
        ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).build().into();
    let part = client.get(address).header("range", "bytes=0-1023").call()?;
    let status = part.status().as_u16();
    let range = part.headers().get("content-range").and_then(|value| value.to_str().ok());
    let range = range.unwrap_or_default().to_owned();
    if status != 206 || !range.starts_with("bytes 0-1023/") {
        return Err(format!("asked for a range, the server answered {status} {range:?}").into());
    }
    let asked = json!({ "method": "GET", "range": "bytes=0-1023" });
    exchange.record(From::Agent, &asked)?;
    exchange.record(From::Server, &json!({ "status": status, "content-range": range }))?;
    exchange.note(&format!("GET, Range: bytes=0-1023   {status}   Content-Range: {range}"));

    let whole = client.get(address).call()?;
    let status = whole.status().as_u16();
    let mut body = whole.into_body().into_reader().take(FILM_BYTES);
    let bytes = copy(&mut body, &mut File::create(film)?)?;
    if bytes == FILM_BYTES {
        return Err(format!("the film has {FILM_BYTES} bytes or more").into());
    }
    exchange.record(From::Agent, &json!({ "method": "GET" }))?;
    exchange.record(From::Server, &json!({ "status": status, "bytes": bytes }))?;
    exchange.note(&format!("GET                        {status}   {bytes} bytes"));
    Ok(())
}
