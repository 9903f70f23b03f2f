//! Links to what renders have made: whoever has one may fetch the file, until it expires.
//!
//! A link says tenant, render, kind and expiry, and carries a code (HMAC-SHA256) over them that
//! only this server can make. It is one word without signs that shells or chats would mangle.

mod keys;

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use store::{ArtifactKind, Clock, Millis};

pub(crate) use keys::{Keys, rotate};

use crate::agents::{Download, Downloads};

/// The version of the format; what it is not is no link.
const VERSION: u8 = 1;

/// The length of the code.
const CODE_BYTES: usize = 32;

/// What a link leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// Whose.
    pub(crate) tenant: String,
    /// Which render.
    pub(crate) render: String,
    /// What of it.
    pub(crate) kind: ArtifactKind,
}

/// Why a link leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// This server has not made it.
    Forged,
    /// Its time is over; only whoever had it hears this.
    Expired(Target),
}

/// Makes and reads links.
pub(crate) struct Links {
    /// Where the server is found, without a slash at the end.
    public_url: String,
    keys: Keys,
    /// How long a link works.
    life: Duration,
    clock: Box<dyn Clock>,
}

impl Links {
    pub(crate) fn new(public_url: &str, keys: Keys, life: Duration, clock: Box<dyn Clock>) -> Self {
        let public_url = public_url.trim_end_matches('/').to_owned();
        Self { public_url, keys, life, clock }
    }

    /// Where assets are sent to.
    pub(crate) fn uploads(&self) -> String {
        format!("{}/assets", self.public_url)
    }

    /// The endpoint of the protocol.
    pub(crate) fn endpoint(&self) -> String {
        format!("{}/mcp", self.public_url)
    }

    /// The address of an artifact and until when it works: no longer than the artifact is kept.
    pub(crate) fn download_url(&self, target: &Target, kept_until: Millis) -> (String, Millis) {
        let seconds = self.clock.now().after(self.life).min(kept_until).0 / 1000;
        let mut ticket = payload(target, seconds);
        let code = code(&self.keys.current(), &ticket);
        ticket.extend_from_slice(&code);
        let name = match target.kind {
            ArtifactKind::Output => "output",
            ArtifactKind::Preview => "watermark-preview.png",
        };
        let ticket = URL_SAFE_NO_PAD.encode(ticket);
        let url = format!("{}/artifacts/{ticket}/{name}", self.public_url);
        (url, Millis(seconds.saturating_mul(1000)))
    }

    /// What a link leads to, by the part of its address that this server has made.
    pub(crate) fn read(&self, ticket: &str) -> Result<Target, Refused> {
        let ticket = URL_SAFE_NO_PAD.decode(ticket).map_err(|_| Refused::Forged)?;
        let at = ticket.len().checked_sub(CODE_BYTES).ok_or(Refused::Forged)?;
        let (payload, code) = ticket.split_at_checked(at).ok_or(Refused::Forged)?;
        if !self.keys.all().iter().any(|key| verifies(key, payload, code)) {
            return Err(Refused::Forged);
        }
        let (target, seconds) = parse(payload).ok_or(Refused::Forged)?;
        if self.clock.now().0 >= seconds.saturating_mul(1000) {
            return Err(Refused::Expired(target));
        }
        Ok(target)
    }
}

impl Downloads for Links {
    fn download(
        &self,
        tenant: &str,
        render_id: &str,
        kind: ArtifactKind,
        render_expires: Millis,
    ) -> Download {
        let target = Target { tenant: tenant.to_owned(), render: render_id.to_owned(), kind };
        let (url, expires) = self.download_url(&target, render_expires);
        Download { url, expires_at: render::service::rfc3339(expires) }
    }
}

/// What the code is over: version, kind, expiry in seconds, the tenant after its length, the
/// render.
fn payload(target: &Target, seconds: u64) -> Vec<u8> {
    let kind = match target.kind {
        ArtifactKind::Output => 0,
        ArtifactKind::Preview => 1,
    };
    let tenant = target.tenant.as_bytes();
    let mut payload = vec![VERSION, kind];
    payload.extend_from_slice(&seconds.to_be_bytes());
    payload.extend_from_slice(&u32::try_from(tenant.len()).unwrap_or(u32::MAX).to_be_bytes());
    payload.extend_from_slice(tenant);
    payload.extend_from_slice(target.render.as_bytes());
    payload
}

fn parse(payload: &[u8]) -> Option<(Target, u64)> {
    let (&[version, kind], rest) = payload.split_first_chunk::<2>()?;
    let kind = match (version, kind) {
        (VERSION, 0) => ArtifactKind::Output,
        (VERSION, 1) => ArtifactKind::Preview,
        _ => return None,
    };
    let (seconds, rest) = rest.split_first_chunk::<8>()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let (tenant, render) = rest.split_at_checked(length)?;
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    let target = Target { tenant: text(tenant)?, render: text(render)?, kind };
    Some((target, u64::from_be_bytes(*seconds)))
}

fn mac(key: &keys::Key) -> Option<Hmac<Sha256>> {
    // A key of any length does.
    Hmac::<Sha256>::new_from_slice(key).ok()
}

fn code(key: &keys::Key, payload: &[u8]) -> Vec<u8> {
    mac(key)
        .map(|mac| mac.chain_update(payload).finalize().into_bytes().to_vec())
        .unwrap_or_default()
}

/// Compared without telling by the time it takes how much of it is right.
fn verifies(key: &keys::Key, payload: &[u8], code: &[u8]) -> bool {
    mac(key).is_some_and(|mac| mac.chain_update(payload).verify_slice(code).is_ok())
}

#[cfg(test)]
mod tests;
