//! What `serve` is told: where it listens, whom it lets in, how much it takes.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use axum::http::Uri;
use render::service::Settings;
use serde::{Deserialize, Serialize};

/// The server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ServerConfig {
    pub(crate) listen: SocketAddr,
    /// `video-render-mcp` in the user's data folder if not given.
    pub(crate) data_dir: Option<PathBuf>,
    /// `http://` and the address that is listened on if not given.
    pub(crate) public_url: Option<String>,
    pub(crate) auth: Auth,
    pub(crate) i_know_that_anyone_can_render: bool,
    pub(crate) allowed_hosts: Vec<String>,
    pub(crate) allowed_origins: Vec<String>,
    pub(crate) max_asset_bytes: u64,
    pub(crate) uploads: u32,
    pub(crate) inline_bytes: u64,
    pub(crate) link_seconds: u64,
    pub(crate) drain_seconds: u64,
}

/// Who is let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Auth {
    /// Everybody, as the one tenant of this machine.
    None,
    /// Who shows a token.
    Tokens,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8750)),
            data_dir: None,
            public_url: None,
            auth: Auth::None,
            i_know_that_anyone_can_render: false,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            max_asset_bytes: 16 << 30,
            uploads: 8,
            inline_bytes: 4 << 20,
            link_seconds: 24 * 3600,
            drain_seconds: 30,
        }
    }
}

impl ServerConfig {
    /// Refuses what nothing could be served with; the error says what is wrong.
    pub(crate) fn check(&self) -> Result<(), String> {
        let positive = [
            ("max_asset_bytes", self.max_asset_bytes),
            ("uploads", self.uploads.into()),
            ("link_seconds", self.link_seconds),
        ];
        if let Some((key, _)) = positive.into_iter().find(|(_, value)| *value == 0) {
            return Err(format!("{key} must be above 0"));
        }
        match &self.public_url {
            Some(url) if public(url).is_none() => Err(format!(
                "public_url is {url:?} and must be like https://render.example.com, without a user, a query or a fragment"
            )),
            _ => Ok(()),
        }
    }

    /// How long a stopping server waits for what runs.
    pub(crate) fn drain(&self) -> Duration {
        Duration::from_secs(self.drain_seconds)
    }
}

/// A public address as it can be used.
pub(crate) fn public(url: &str) -> Option<Uri> {
    let uri: Uri = url.parse().ok()?;
    let scheme = matches!(uri.scheme_str(), Some("http" | "https"));
    let host = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
    (scheme && host && uri.query().is_none() && !url.contains('#')).then_some(uri)
}

/// The renders of a server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RendersConfig {
    /// One for each two processors if not given.
    pub(crate) concurrency: Option<usize>,
    pub(crate) open_per_tenant: u32,
    pub(crate) ttl_seconds: u64,
    pub(crate) min_ttl_seconds: u64,
}

impl Default for RendersConfig {
    fn default() -> Self {
        let settings = Settings::default();
        Self {
            concurrency: None,
            open_per_tenant: settings.open_renders,
            ttl_seconds: settings.ttl.as_secs(),
            min_ttl_seconds: settings.ttl_floor.as_secs(),
        }
    }
}

impl RendersConfig {
    /// Refuses what no render could live with.
    pub(crate) fn check(&self) -> Result<(), String> {
        super::check_positive(self)?;
        if self.min_ttl_seconds > self.ttl_seconds {
            return Err("min_ttl_seconds must not be above ttl_seconds".to_owned());
        }
        Ok(())
    }

    /// As the service wants it, where a person has this long to answer.
    pub(crate) fn settings(&self, approval_seconds: u64) -> Settings {
        Settings {
            concurrency: self.concurrency.unwrap_or(Settings::default().concurrency),
            open_renders: self.open_per_tenant,
            approval_time: Duration::from_secs(approval_seconds),
            ttl: Duration::from_secs(self.ttl_seconds),
            ttl_floor: Duration::from_secs(self.min_ttl_seconds),
        }
    }
}
