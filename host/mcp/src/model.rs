//! What a server offers and answers, free of any revision's wire.
//!
//! The serialised forms are those fields that all revisions share; what differs is added by the
//! codec of the revision.

mod content;
mod prompt;
mod resource;
mod server;
mod task;
mod tool;

pub use content::{Annotations, Content, ResourceLink, Role};
pub use prompt::{Completion, CompletionOf, Prompt, PromptArgument, PromptMessage, PromptResult};
pub use resource::{Body, Resource, ResourceContents, ResourceTemplate};
pub use server::{Capabilities, Implementation, ResourceCapabilities, ServerDescription};
pub use task::{
    CancelError, ClientRequest, InputAnswer, InputKind, InputRequest, Look, Outcome, Progress,
    Task, TaskError, TaskState,
};
pub use tool::{TaskSupport, TaskWish, Tool, ToolAnnotations, ToolAnswer, ToolCall, ToolResult};

/// Metadata of a message, by namespaced key.
pub type Meta = serde_json::Map<String, serde_json::Value>;

/// One page of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<T> {
    /// Its items.
    pub items: Vec<T>,
    /// Where the next page begins; `None` on the last.
    pub next: Option<String>,
}

impl<T> Page<T> {
    /// A list that has one page.
    #[must_use]
    pub fn whole(items: Vec<T>) -> Self {
        Self { items, next: None }
    }
}
