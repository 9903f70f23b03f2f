//! Who calls, and what their client can do.

use std::{any::Any, sync::Arc};

use async_trait::async_trait;
use axum::http::{StatusCode, request::Parts};
use serde_json::Value;

/// Somebody who was let in.
#[derive(Clone)]
pub struct Principal {
    /// Who it is, unique among all tenants. Sessions, streams, subscriptions and pending requests
    /// belong to it.
    pub key: String,
    /// What the product knows of them.
    pub context: Arc<dyn Any + Send + Sync>,
}

impl std::fmt::Debug for Principal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Principal").field("key", &self.key).finish_non_exhaustive()
    }
}

/// Decides from a request's head who calls. Asked on every request, so that a token which was
/// revoked ends at once.
#[async_trait]
pub trait Authenticator: Send + Sync + 'static {
    /// Who calls, or what to say to somebody who is not let in.
    async fn authenticate(&self, head: &Parts) -> Result<Principal, Challenge>;
}

/// The answer to somebody who is not let in.
#[derive(Clone, Debug)]
pub struct Challenge {
    /// 401 or 403.
    pub status: StatusCode,
    /// The `WWW-Authenticate` header.
    pub www_authenticate: Option<String>,
    /// One sentence that says what is missing.
    pub message: String,
}

/// Lets everybody in as the same principal. For servers that only this machine can reach.
#[derive(Clone, Debug)]
pub struct Open(pub Principal);

#[async_trait]
impl Authenticator for Open {
    async fn authenticate(&self, _head: &Parts) -> Result<Principal, Challenge> {
        Ok(self.0.clone())
    }
}

/// One request's caller.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who.
    pub principal: Principal,
    /// With what.
    pub client: ClientFacts,
    /// The JSON-RPC id of the request as text, to be named in errors; empty for work that no
    /// request began.
    pub request_id: String,
}

/// What a client has said of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientFacts {
    /// The revision that is spoken with it.
    pub revision: String,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// It can show forms to a person.
    pub elicitation_form: bool,
    /// It can send a person to an address.
    pub elicitation_url: bool,
    /// It can ask its model.
    pub sampling: bool,
    /// It can follow tasks in this revision. (In 2025-11-25 clients need not say so: every session
    /// of that revision can.)
    pub tasks: bool,
}

impl ClientFacts {
    /// Reads what an `initialize` request said. What an older revision did not have is not there
    /// whatever the client says.
    #[must_use]
    pub fn read(revision: &str, initialize: &Value) -> Self {
        let capability = |name: &str| {
            initialize.pointer(&format!("/capabilities/{name}")).filter(|value| value.is_object())
        };
        let text = |path: &str| {
            let text = initialize.pointer(path).and_then(Value::as_str).unwrap_or_default();
            text.chars().take(128).collect::<String>()
        };
        let elicitation = capability("elicitation").filter(|_| revision >= "2025-06-18");
        let url = elicitation.is_some_and(|e| e.get("url").is_some_and(Value::is_object));
        let form = elicitation.is_some_and(|e| e.get("form").is_some_and(Value::is_object));
        Self {
            revision: revision.to_owned(),
            name: text("/clientInfo/name"),
            version: text("/clientInfo/version"),
            // An empty object means forms only.
            elicitation_form: form || (elicitation.is_some() && !url),
            elicitation_url: url && revision >= "2025-11-25",
            sampling: capability("sampling").is_some(),
            tasks: revision >= "2025-11-25",
        }
    }
}

#[cfg(test)]
mod tests;
