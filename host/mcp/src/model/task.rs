use serde_json::Value;

use super::ToolResult;
use crate::{clock::Timestamp, error::RpcError};

/// A task as the product sees it. Each revision derives its own status, names and places from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Its id, which nobody can guess.
    pub id: String,
    /// Where it is.
    pub state: TaskState,
    /// What is going on, or for a failure why; several hosts show nothing else.
    pub message: Option<String>,
    /// When it began.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// How long it can be asked for, from its beginning; `None` for ever.
    pub ttl_ms: Option<u64>,
    /// How often it is worth asking.
    pub poll_interval_ms: Option<u64>,
    /// All requests for input that are waiting for an answer. A key is never used twice in the
    /// life of a task, so asking the same again takes a new one.
    pub inputs: Vec<InputRequest>,
    /// How far it is, where that is known. Revisions that have no progress for tasks leave it out.
    pub progress: Option<Progress>,
    /// Text for the model to go on with, used in the answer that creates the task.
    pub immediate_response: Option<String>,
}

/// Where a task is.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskState {
    /// Work is going on.
    Working,
    /// A person is asked; [`Task::inputs`] says what, and may be empty while nobody is to be asked
    /// again.
    InputRequired,
    /// It ended, and stays so.
    Done(Box<Outcome>),
}

impl TaskState {
    /// How it ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        match self {
            Self::Done(outcome) => Some(outcome),
            _ => None,
        }
    }
}

/// How a task ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// With the tool's result. Up to 2025-11-25 an error result is a failed task, later it is a
    /// completed one.
    Result(ToolResult),
    /// With an error of the protocol: failed everywhere.
    Error(RpcError),
    /// By a cancellation; the result is for who asks for it all the same.
    Cancelled(ToolResult),
}

/// How far something is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Rises.
    pub progress: f64,
    /// Where it will end, if that is known.
    pub total: Option<f64>,
    /// What is being done.
    pub message: Option<String>,
}

/// A request for input from the person behind the client.
#[derive(Clone, Debug, PartialEq)]
pub struct InputRequest {
    /// Names it within its task for ever.
    pub key: String,
    /// What is asked.
    pub kind: InputKind,
}

/// What is asked of a person.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InputKind {
    /// A form.
    Form {
        /// What the person reads.
        message: String,
        /// The fields: a flat object schema.
        schema: Value,
    },
}

/// What came back for a request for input.
#[derive(Clone, Debug, PartialEq)]
pub enum InputAnswer {
    /// The form, as it was filled in. Whether it fits the schema is for the product to check.
    Accept(Value),
    /// The person said no.
    Decline,
    /// The person closed it without an answer.
    Cancel,
    /// The client could not ask. Its session is not asked again.
    Unable(RpcError),
}

/// A request of a running call to the client, answered before the call goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientRequest {
    /// Ask the person.
    Elicit(InputKind),
    /// Ask the client's model; the parameters of `sampling/createMessage`.
    Sample(Value),
}

/// Why a client looks at a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// To see how it is. Nobody is to be asked because of this.
    Glance,
    /// To wait for it and to answer what it asks: a question that was dismissed may be put again,
    /// under a new key.
    Attend,
}

/// Why a task cannot be looked at.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TaskError {
    /// It is unknown, expired or somebody else's; these are never told apart.
    #[error("task not found")]
    Unknown,
    /// Something else is wrong.
    #[error(transparent)]
    Other(#[from] RpcError),
}

/// Why a task cannot be cancelled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CancelError {
    /// It is unknown, expired or somebody else's.
    #[error("task not found")]
    Unknown,
    /// It has ended before.
    #[error("the task has ended")]
    Finished(Box<Task>),
    /// Something else is wrong.
    #[error(transparent)]
    Other(#[from] RpcError),
}
