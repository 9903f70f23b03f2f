use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Content, Meta, Task};
use crate::jsonrpc::Params;

/// A tool that the server offers. Serialises as the entry of a list, without what only some
/// revisions have.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// When and how to use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The schema of its arguments, an object schema.
    pub input_schema: Value,
    /// The schema of its structured results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// Hints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<ToolAnnotations>,
    /// Whether calls may run as tasks.
    #[serde(skip)]
    pub task_support: TaskSupport,
    /// Metadata.
    #[serde(rename = "_meta", skip_serializing_if = "Meta::is_empty")]
    pub meta: Meta,
}

/// Hints about a tool; they bind nobody.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolAnnotations {
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// It changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// It may destroy something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// A second call like the first changes nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// It reaches beyond this server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

/// Whether calls of a tool may run as tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskSupport {
    /// They never do.
    #[default]
    Forbidden,
    /// They do if the client wishes.
    Optional,
    /// They always do.
    Required,
}

/// A call of a tool.
#[derive(Clone, Debug)]
pub struct ToolCall {
    /// Which tool; one that the server offers.
    pub name: String,
    /// Its arguments, not yet checked.
    pub arguments: Params,
    /// Whether a task is wished for.
    pub task: TaskWish,
    /// The request's metadata.
    pub meta: Meta,
}

/// Whether a call is to become a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskWish {
    /// It must not.
    None,
    /// The client asked for one and understands nothing else.
    Asked {
        /// How long the client wants to be able to ask for it.
        ttl_ms: Option<u64>,
    },
    /// The client understands both, so the server decides.
    Possible,
}

/// What a call of a tool is answered with.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolAnswer {
    /// A result.
    Result(ToolResult),
    /// A task that has begun and will be found by its id.
    Task(Box<Task>),
}

/// The result of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    /// For the model and the person.
    pub content: Vec<Content>,
    /// For programs; fits the tool's output schema.
    #[serde(default, rename = "structuredContent", skip_serializing_if = "Option::is_none")]
    pub structured: Option<Value>,
    /// Whether the tool failed.
    #[serde(default)]
    pub is_error: bool,
    /// Metadata.
    #[serde(default, rename = "_meta", skip_serializing_if = "Meta::is_empty")]
    pub meta: Meta,
}

impl ToolResult {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { content: vec![Content::text(text)], ..Self::default() }
    }

    /// A text that says what failed.
    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(text) }
    }
}
