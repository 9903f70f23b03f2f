//! How a render fails: a code of the catalogue and a sentence.

use std::io;

use serde_json::{Map, Value, json};

use crate::catalogue::Code;

/// A failure that a person or an agent can act on.
///
/// `Display` is one sentence without the code.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The stable code.
    pub code: Code,
    /// One sentence: what is wrong with what.
    pub message: String,
    /// Facts for programs, such as the limit that was passed.
    pub details: Map<String, Value>,
}

impl Failure {
    /// A failure without details.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: Map::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// A field of the request that cannot be honoured, `field` by its name in
    /// the tool's arguments.
    pub fn invalid_field(field: &str, message: impl Into<String>) -> Self {
        Self::new(Code::InvalidField, message).with("field", field)
    }

    /// A failure to read or write on the host's disk; `what` says what was
    /// being done. A full disk gets the code that says so.
    pub fn storage(what: &str, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => {
                Self::new(Code::StorageFull, format!("The disk is full: {what} failed."))
            }
            _ => Self::new(Code::Internal, format!("{what} failed: {error}.")),
        }
    }

    /// The failure as data: code, message, whether it is temporary, what to do
    /// and the details.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "code": self.code,
            "message": self.message,
            "temporary": self.code.is_temporary(),
            "next_step": self.code.next_step(),
            "details": self.details,
        })
    }
}
