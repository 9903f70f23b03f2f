//! Calling tools, with and without a task.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::watch;

use super::{
    call::Call,
    follow,
    methods::{object, progress_token, text},
    session::Session,
    wire,
    wiring::SessionWire,
};
use crate::{
    caller::Caller,
    context::Context,
    error::{METHOD_NOT_FOUND, RpcError},
    handler::Handler,
    jsonrpc::Params,
    model::{TaskSupport, TaskWish, ToolAnswer, ToolCall},
    server::Inner,
};

/// `tools/call`.
pub(super) async fn call<H: Handler>(
    inner: &Arc<Inner<H>>,
    session: &Arc<Session>,
    call: &Arc<Call>,
    caller: &Caller,
    params: Params,
    tasks: bool,
    cancelled: watch::Receiver<bool>,
) -> Result<Value, RpcError> {
    let name = text(&params, "name")?.to_owned();
    let arguments = object(&params, "arguments")?;
    let meta = object(&params, "_meta")?;
    let task = if tasks { wish(&params)? } else { TaskWish::None };
    let Some(tool) = inner.handler.find_tool(caller, &name).await? else {
        return Err(RpcError::invalid_params(format!("tool `{name}` is not known")));
    };
    fits(&name, tool.task_support, task)?;
    let token = progress_token(&params);
    let wire = SessionWire::new(inner, session, call, token.clone(), cancelled.clone());
    let context = Context::new(Arc::new(wire), cancelled);
    let wished = ToolCall { name: name.clone(), arguments, task, meta };
    match (inner.handler.call_tool(caller, wished, context).await?, task) {
        (ToolAnswer::Result(result), TaskWish::None) => Ok(wire::tool_result(&result, None)),
        (ToolAnswer::Task(task), TaskWish::Asked { .. }) => {
            // Stored before the client hears of it, so that the session follows the task even if
            // this process ends now.
            follow::begin(inner, session, &task.id, token).await?;
            Ok(wire::created(&task))
        }
        _ => {
            tracing::error!(name, "a tool answered a task for a result, or a result for a task");
            Err(RpcError::internal())
        }
    }
}

/// Whether the client asks for a task.
fn wish(params: &Params) -> Result<TaskWish, RpcError> {
    let task = match params.get("task") {
        None => return Ok(TaskWish::None),
        Some(Value::Object(task)) => task,
        Some(_) => return Err(RpcError::invalid_params("`task` must be an object")),
    };
    match task.get("ttl") {
        None | Some(Value::Null) => Ok(TaskWish::Asked { ttl_ms: None }),
        Some(ttl) => match ttl.as_u64() {
            Some(ttl) => Ok(TaskWish::Asked { ttl_ms: Some(ttl) }),
            None => Err(RpcError::invalid_params("`task.ttl` must be whole milliseconds")),
        },
    }
}

/// Whether a tool can be called in this way.
fn fits(name: &str, support: TaskSupport, wish: TaskWish) -> Result<(), RpcError> {
    let message = match (support, wish) {
        (TaskSupport::Forbidden, TaskWish::Asked { .. }) => "cannot be called as a task",
        (TaskSupport::Required, TaskWish::None) => "can only be called as a task",
        _ => return Ok(()),
    };
    Err(RpcError::new(METHOD_NOT_FOUND, format!("tool `{name}` {message}")))
}
