//! Where the server listens, and by which names it may be called.

use std::net::SocketAddr;

use mcp::Allowed;
use render::catalogue::Code;
use render::failure::Failure;
use tokio::net::TcpListener;

use crate::config::{Auth, ServerConfig, public};

/// Names of this machine, which a request may use wherever the server listens.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Refuses to be open to others by mistake, and addresses that no link could lead to.
pub(crate) fn check(config: &ServerConfig) -> Result<(), Failure> {
    let ServerConfig { listen, auth, .. } = config;
    let open = *auth == Auth::None && !config.i_know_that_anyone_can_render;
    if open && !listen.ip().is_loopback() {
        let message = format!(
            "Without authentication the server listens on this machine's own address only, not on \
             {listen}: set auth = \"tokens\" under [server], or say --i-know-that-anyone-can-render."
        );
        return Err(Failure::new(Code::ConfigInvalid, message));
    }
    if listen.ip().is_unspecified() && config.public_url.is_none() {
        let message = format!(
            "A server on {listen} needs a public_url, since no link can lead to that address."
        );
        return Err(Failure::new(Code::ConfigInvalid, message));
    }
    Ok(())
}

/// Listens.
pub(crate) async fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), Failure> {
    let failed = |error: std::io::Error| {
        let message = format!("The server cannot listen on {address}: {error}.");
        Failure::new(Code::ListenFailed, message)
    };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// How the server is reached from outside.
pub(crate) fn public_url(config: &ServerConfig, address: SocketAddr) -> String {
    config.public_url.clone().unwrap_or_else(|| format!("http://{address}"))
}

/// The hosts that requests may name. A page that had its own name point here is kept out by this;
/// it has no token, so where one is needed any host will do.
pub(crate) fn hosts(config: &ServerConfig, address: SocketAddr) -> Allowed {
    let public = config.public_url.as_deref().and_then(public);
    let public = public.as_ref().and_then(axum::http::Uri::host);
    if public.is_none() && config.allowed_hosts.is_empty() {
        if address.ip().is_loopback() {
            return Allowed::Loopback;
        }
        if config.auth == Auth::Tokens {
            return Allowed::Any;
        }
    }
    let own = match address {
        SocketAddr::V4(address) => address.ip().to_string(),
        SocketAddr::V6(address) => format!("[{}]", address.ip()),
    };
    let mut names = config.allowed_hosts.clone();
    names.extend(LOOPBACK.map(str::to_owned));
    names.extend(public.map(str::to_owned));
    names.push(own);
    Allowed::These(names)
}

/// The pages that requests may come from.
pub(crate) fn origins(config: &ServerConfig) -> Allowed {
    let public = config.public_url.as_deref().and_then(public);
    let public =
        public.and_then(|url| Some(format!("{}://{}", url.scheme_str()?, url.authority()?)));
    if public.is_none() && config.allowed_origins.is_empty() {
        return Allowed::Loopback;
    }
    Allowed::These(config.allowed_origins.iter().cloned().chain(public).collect())
}

#[cfg(test)]
mod tests;
