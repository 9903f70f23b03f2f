//! A plugin's parameters and their schema.

/// Parameters that do not fit a plugin's schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the parameter at {pointer:?} is wrong: {message}")]
pub struct ParameterError {
    /// Where, as a JSON Pointer; empty for the parameters as a whole.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
}
