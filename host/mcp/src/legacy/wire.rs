//! The shapes of 2025-11-25.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::model::{InputKind, Outcome, Page, Task, TaskState, TaskSupport, Tool, ToolResult};

/// The key that says which task a message belongs to.
pub(crate) const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
/// The key of the text for the model while a task runs.
pub(crate) const IMMEDIATE_RESPONSE: &str = "io.modelcontextprotocol/model-immediate-response";

/// Sets a key of an object.
pub(crate) fn put(object: &mut Value, key: &str, value: Value) {
    if let Some(object) = object.as_object_mut() {
        object.insert(key.to_owned(), value);
    }
}

/// Metadata that names a task.
pub(crate) fn related(task: &str) -> Value {
    json!({ RELATED_TASK: { "taskId": task } })
}

/// The status of a task. An error result is a failure in this revision.
pub(crate) fn status(task: &Task) -> &'static str {
    match &task.state {
        TaskState::Working => "working",
        TaskState::InputRequired => "input_required",
        TaskState::Done(outcome) => match outcome.as_ref() {
            Outcome::Result(result) if result.is_error => "failed",
            Outcome::Result(_) => "completed",
            Outcome::Error(_) => "failed",
            Outcome::Cancelled(_) => "cancelled",
        },
    }
}

/// A task as `tasks/get` shows it.
pub(crate) fn task(task: &Task) -> Value {
    let mut wire = json!({
        "taskId": task.id,
        "status": status(task),
        "createdAt": task.created_at.rfc3339(),
        "lastUpdatedAt": task.updated_at.rfc3339(),
        "ttl": task.ttl_ms,
    });
    if let Some(message) = &task.message {
        put(&mut wire, "statusMessage", json!(message));
    }
    if let Some(interval) = task.poll_interval_ms {
        put(&mut wire, "pollInterval", json!(interval));
    }
    wire
}

/// The answer that creates a task.
pub(crate) fn created(created: &Task) -> Value {
    let mut wire = json!({ "task": task(created) });
    if let Some(text) = &created.immediate_response {
        put(&mut wire, "_meta", json!({ IMMEDIATE_RESPONSE: text }));
    }
    wire
}

/// A result of a tool, which may belong to a task.
pub(crate) fn tool_result(result: &ToolResult, task: Option<&str>) -> Value {
    let mut wire = json!(result);
    if let Some(task) = task {
        let mut meta = Value::Object(result.meta.clone());
        put(&mut meta, RELATED_TASK, json!({ "taskId": task }));
        put(&mut wire, "_meta", meta);
    }
    wire
}

/// A tool in a list.
pub(crate) fn tool(tool: &Tool, tasks: bool) -> Value {
    let mut wire = json!(tool);
    if tasks && tool.task_support != TaskSupport::Forbidden {
        put(&mut wire, "execution", json!({ "taskSupport": tool.task_support }));
    }
    wire
}

/// One page of a list.
pub(crate) fn page<T>(name: &str, page: Page<T>, item: impl Fn(&T) -> Value) -> Value {
    let mut wire = Map::new();
    wire.insert(name.to_owned(), page.items.iter().map(item).collect());
    if let Some(next) = page.next {
        wire.insert("nextCursor".to_owned(), Value::String(next));
    }
    Value::Object(wire)
}

/// An item that looks the same in all revisions.
pub(crate) fn plain<T: Serialize>(item: &T) -> Value {
    json!(item)
}

/// The parameters of an elicitation. The mode is left out, as the revisions before modes expect.
pub(crate) fn elicitation(kind: &InputKind, task: Option<&str>) -> Value {
    let InputKind::Form { message, schema } = kind;
    let mut params = json!({ "message": message, "requestedSchema": schema });
    if let Some(task) = task {
        put(&mut params, "_meta", related(task));
    }
    params
}
