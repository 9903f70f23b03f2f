//! Who calls.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use mcp::{Authenticator, Challenge, Principal};
use render::service::{Caller, Scope};
use store::{Store, Token};

/// The tenant of a server without authentication, and of the command line where it names none.
pub(crate) const LOCAL: &str = "local";

/// What a challenge names: enough to render.
const USUAL_SCOPES: &str = "render:write asset:read";

/// Whoever sits at this machine: everything is theirs.
pub(crate) fn local() -> Caller {
    Caller {
        tenant: LOCAL.to_owned(),
        identity: LOCAL.to_owned(),
        scopes: Scope::ALL.into_iter().collect(),
    }
}

/// A caller as the protocol layer knows them.
pub(crate) fn principal(caller: Caller) -> Principal {
    // The tenant's own slashes are written otherwise, so that no two callers share a key.
    let tenant = caller.tenant.replace('%', "%25").replace('/', "%2F");
    Principal { key: format!("{tenant}/{}", caller.identity), context: Arc::new(caller) }
}

/// Lets in who shows a token of the store. It is looked up on every request, so a token that was
/// revoked ends at once.
pub(crate) struct Tokens(pub(crate) Arc<dyn Store>);

#[async_trait]
impl Authenticator for Tokens {
    async fn authenticate(&self, head: &Parts) -> Result<Principal, Challenge> {
        let Some(secret) = bearer(&head.headers) else {
            return Err(challenge(
                "",
                "This server needs a bearer token; its operator issues one.",
            ));
        };
        match self.0.token(secret).await {
            Ok(token) => Ok(principal(caller(token))),
            Err(store::Error::NotFound(_)) => Err(challenge(
                "error=\"invalid_token\", ",
                "The token is unknown, revoked or expired; ask the server's operator for another.",
            )),
            Err(error) => {
                tracing::error!("a token could not be looked up: {error}");
                Err(Challenge {
                    status: StatusCode::SERVICE_UNAVAILABLE,
                    www_authenticate: None,
                    message: "The server cannot look tokens up at present; try again.".to_owned(),
                })
            }
        }
    }
}

fn challenge(error: &str, message: &str) -> Challenge {
    Challenge {
        status: StatusCode::UNAUTHORIZED,
        www_authenticate: Some(format!("Bearer {error}scope=\"{USUAL_SCOPES}\"")),
        message: message.to_owned(),
    }
}

fn caller(token: Token) -> Caller {
    // A scope of a newer version gives nothing here.
    let scopes: BTreeSet<Scope> =
        token.scopes.iter().filter_map(|scope| scope.parse().ok()).collect();
    Caller { tenant: token.tenant, identity: token.subject, scopes }
}

/// The token of the `Authorization` header; none where there is none, or not exactly one.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next()?.to_str().ok()?;
    if values.next().is_some() {
        return None;
    }
    let (scheme, token) = value.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

#[cfg(test)]
mod tests;
