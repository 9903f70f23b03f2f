//! Errors as JSON-RPC knows them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The body was not JSON.
pub const PARSE_ERROR: i64 = -32700;
/// The body was JSON, but not a message of the protocol.
pub const INVALID_REQUEST: i64 = -32600;
/// The method is not known, or not offered in this revision.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// The parameters are not what the method takes.
pub const INVALID_PARAMS: i64 = -32602;
/// The server failed.
pub const INTERNAL_ERROR: i64 = -32603;
/// The resource does not exist (up to 2025-11-25; later revisions say invalid parameters).
pub const RESOURCE_NOT_FOUND: i64 = -32002;

/// An error that a request is answered with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{message} ({code})")]
pub struct RpcError {
    /// A JSON-RPC code; those of an application are positive.
    pub code: i64,
    /// One sentence that says what is wrong.
    pub message: String,
    /// Whatever helps to mend it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl RpcError {
    /// An error without data.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// The same with data.
    #[must_use]
    pub fn with_data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    /// The method is not known.
    #[must_use]
    pub fn method_not_found(method: &str) -> Self {
        Self::new(METHOD_NOT_FOUND, format!("method `{method}` is not known here"))
    }

    /// The parameters are wrong.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(INVALID_PARAMS, message)
    }

    /// The server failed; the cause belongs in the log, not on the wire.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(INTERNAL_ERROR, "the server failed; try again, and tell its operator if it stays")
    }

    /// The resource does not exist, or is not the caller's.
    #[must_use]
    pub fn resource_not_found(uri: &str) -> Self {
        Self::new(RESOURCE_NOT_FOUND, "resource not found").with_data(json!({ "uri": uri }))
    }
}
