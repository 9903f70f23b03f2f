//! The one shape in which agents are told of errors.

use serde_json::{Map, Value, json};

use crate::catalogue::{Blame, Code};
use crate::failure::Failure;

/// A call that helps, to be made as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Repair {
    /// A short name of the step, such as `poll_render_status`.
    pub next_step: &'static str,
    /// The tool and its arguments; none where the caller has to find something
    /// out first.
    pub call: Option<(&'static str, Value)>,
    /// Another way, in a sentence.
    pub alternative: Option<&'static str>,
}

impl Repair {
    /// A step without a call.
    #[must_use]
    pub fn step(next_step: &'static str) -> Self {
        Self { next_step, call: None, alternative: None }
    }

    /// A step that is a call.
    #[must_use]
    pub fn call(next_step: &'static str, tool: &'static str, arguments: Value) -> Self {
        Self { next_step, call: Some((tool, arguments)), alternative: None }
    }

    /// As it is written.
    #[must_use]
    pub fn to_json(&self) -> Value {
        Value::Object(self.to_map())
    }

    /// As it is written, for adding to.
    pub(crate) fn to_map(&self) -> Map<String, Value> {
        let mut repair = Map::new();
        repair.insert("next_step".into(), json!(self.next_step));
        if let Some((tool, arguments)) = &self.call {
            repair.insert("tool".into(), json!(tool));
            repair.insert("arguments".into(), arguments.clone());
        }
        if let Some(alternative) = self.alternative {
            repair.insert("alternative".into(), json!(alternative));
        }
        repair
    }
}

/// An error as an agent gets it.
#[derive(Clone, Debug)]
pub struct Envelope {
    /// What went wrong. Its details are shown unless the failure is not the
    /// caller's business.
    pub failure: Failure,
    /// When to try again; null where that helps nothing.
    pub retry_after_ms: Option<u64>,
    /// What helps.
    pub repair: Option<Repair>,
}

impl Envelope {
    /// An envelope around a failure, as an agent may see it: what is wrong with
    /// the server itself is for its operator, and the agent learns that it is.
    #[must_use]
    pub fn new(failure: Failure) -> Self {
        let failure = match failure.code.blame() {
            Blame::Operator => {
                let message =
                    "The server cannot do this at present; its operator has to see to it.";
                Failure { code: Code::Internal, message: message.into(), details: Map::new() }
            }
            Blame::Host if failure.code == Code::Internal => {
                Failure { details: Map::new(), message: INTERNAL.into(), ..failure }
            }
            _ => failure,
        };
        Self { failure, retry_after_ms: None, repair: None }
    }

    /// With a time to try again.
    #[must_use]
    pub fn retry_after_ms(self, retry_after_ms: u64) -> Self {
        Self { retry_after_ms: Some(retry_after_ms), ..self }
    }

    /// With what helps.
    #[must_use]
    pub fn repair(self, repair: Repair) -> Self {
        Self { repair: Some(repair), ..self }
    }

    /// As it is written. `request_id` is the request's own id as text.
    #[must_use]
    pub fn to_json(&self, request_id: &str, fingerprint: &str) -> Value {
        let Failure { code, message, details } = &self.failure;
        let mut envelope = Map::new();
        envelope.insert("code".into(), json!(code));
        envelope.insert("message".into(), json!(message));
        envelope.insert("temporary".into(), json!(code.is_temporary()));
        envelope.insert("retry_after_ms".into(), json!(self.retry_after_ms));
        envelope.insert("request_id".into(), json!(request_id));
        envelope.insert("fingerprint".into(), json!(fingerprint));
        if !details.is_empty() {
            envelope.insert("details".into(), json!(details));
        }
        if let Some(repair) = &self.repair {
            envelope.insert("repair".into(), repair.to_json());
        }
        Value::Object(envelope)
    }
}

/// What an agent learns of a failure of the host itself; the rest is in the
/// host's log under the request's id.
const INTERNAL: &str = "The server failed; its operator finds the reason in the log.";

#[cfg(test)]
mod tests;
