//! Which method does what.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::watch;

use super::{call::Call, log::Wait, session::Session, tasks, tools, wire};
use crate::{
    caller::Caller,
    context::LogLevel,
    error::{INVALID_REQUEST, RpcError},
    handler::Handler,
    jsonrpc::{Params, RequestId},
    model::CompletionOf,
    server::Inner,
};

/// Does what a request asks for.
pub(super) async fn call<H: Handler>(
    inner: &Arc<Inner<H>>,
    session: &Arc<Session>,
    call: &Arc<Call>,
    method: &str,
    params: Params,
    cancelled: watch::Receiver<bool>,
) -> Result<Value, RpcError> {
    let caller = &session.caller(call.request().to_string());
    let offered = inner.handler.describe().capabilities;
    let resources = offered.resources.unwrap_or_default();
    let handler = &inner.handler;
    let cursor = || optional_text(&params, "cursor");
    match method {
        "ping" => Ok(json!({})),
        "tools/list" if offered.tools => {
            let tasks = offered.tasks && session.has_tasks();
            let page = handler.list_tools(caller, cursor()?).await?;
            Ok(wire::page("tools", page, |tool| wire::tool(tool, tasks)))
        }
        "tools/call" if offered.tools => {
            let tasks = offered.tasks && session.has_tasks();
            tools::call(inner, session, call, caller, params, tasks, cancelled).await
        }
        "tasks/get" if offered.tasks && session.has_tasks() => {
            tasks::get(inner, caller, text(&params, "taskId")?).await
        }
        "tasks/cancel" if offered.tasks && session.has_tasks() => {
            tasks::cancel(inner, caller, text(&params, "taskId")?).await
        }
        "tasks/result" if offered.tasks && session.has_tasks() => {
            let wait =
                Wait { task: text(&params, "taskId")?.to_owned(), token: progress_token(&params) };
            let mut cancelled = cancelled;
            tokio::select! {
                outcome = tasks::result(inner, session, call, caller, wait) => outcome,
                // The task goes on; only this wait ends, and nobody hears of that.
                _ = cancelled.wait_for(|cancelled| *cancelled) => {
                    Err(RpcError::new(INVALID_REQUEST, "the client gave up waiting"))
                }
            }
        }
        "resources/list" if offered.resources.is_some() => {
            let page = handler.list_resources(caller, cursor()?).await?;
            Ok(wire::page("resources", page, wire::plain))
        }
        "resources/templates/list" if offered.resources.is_some() => {
            let page = handler.list_resource_templates(caller, cursor()?).await?;
            Ok(wire::page("resourceTemplates", page, wire::plain))
        }
        "resources/read" if offered.resources.is_some() => {
            let contents = handler.read_resource(caller, text(&params, "uri")?).await?;
            Ok(json!({ "contents": contents }))
        }
        "resources/subscribe" if resources.subscribe => {
            subscribe(inner, session, caller, text(&params, "uri")?).await
        }
        "resources/unsubscribe" if resources.subscribe => {
            let uri = text(&params, "uri")?;
            change(session.update(|record| {
                record.subscriptions.remove(uri);
            }))
            .await
        }
        "prompts/list" if offered.prompts => {
            let page = handler.list_prompts(caller, cursor()?).await?;
            Ok(wire::page("prompts", page, wire::plain))
        }
        "prompts/get" if offered.prompts => {
            let arguments = object(&params, "arguments")?;
            Ok(json!(handler.get_prompt(caller, text(&params, "name")?, arguments).await?))
        }
        "completion/complete" if offered.completions => complete(inner, caller, &params).await,
        "logging/setLevel" if offered.logging => {
            let level = params.get("level").cloned().unwrap_or_default();
            let level: LogLevel = serde_json::from_value(level)
                .map_err(|_| RpcError::invalid_params("`level` is no level of syslog"))?;
            change(session.update(|record| record.log_level = Some(level))).await
        }
        _ => Err(RpcError::method_not_found(method)),
    }
}

async fn change(
    stored: impl Future<Output = Result<(), crate::storage::StorageError>>,
) -> Result<Value, RpcError> {
    stored.await.map_err(|_| RpcError::internal())?;
    Ok(json!({}))
}

async fn subscribe<H: Handler>(
    inner: &Arc<Inner<H>>,
    session: &Arc<Session>,
    caller: &Caller,
    uri: &str,
) -> Result<Value, RpcError> {
    inner.handler.can_subscribe(caller, uri).await?;
    let limit = inner.config.max_subscriptions;
    let mut full = false;
    let stored = session.update(|record| {
        full = record.subscriptions.len() >= limit && !record.subscriptions.contains(uri);
        if !full {
            record.subscriptions.insert(uri.to_owned());
        }
    });
    let answer = change(stored).await?;
    if full {
        return Err(RpcError::new(429, "too many subscriptions in this session; end one first"));
    }
    Ok(answer)
}

async fn complete<H: Handler>(
    inner: &Arc<Inner<H>>,
    caller: &Caller,
    params: &Params,
) -> Result<Value, RpcError> {
    let reference = object(params, "ref")?;
    let of = match reference.get("type").and_then(Value::as_str) {
        Some("ref/prompt") => CompletionOf::Prompt(text(&reference, "name")?.to_owned()),
        Some("ref/resource") => CompletionOf::Resource(text(&reference, "uri")?.to_owned()),
        _ => return Err(RpcError::invalid_params("`ref.type` is not known")),
    };
    let argument = object(params, "argument")?;
    let (name, value) = (text(&argument, "name")?, text(&argument, "value")?);
    Ok(json!({ "completion": inner.handler.complete(caller, of, name, value).await? }))
}

/// A parameter that must be there.
pub(super) fn text<'a>(params: &'a Params, name: &str) -> Result<&'a str, RpcError> {
    let value = params.get(name).and_then(Value::as_str);
    value.ok_or_else(|| RpcError::invalid_params(format!("`{name}` must be a string")))
}

fn optional_text<'a>(params: &'a Params, name: &str) -> Result<Option<&'a str>, RpcError> {
    match params.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(_) => text(params, name).map(Some),
    }
}

/// An object that may be missing.
pub(super) fn object(params: &Params, name: &str) -> Result<Params, RpcError> {
    match params.get(name) {
        None => Ok(Params::new()),
        Some(Value::Object(object)) => Ok(object.clone()),
        Some(_) => Err(RpcError::invalid_params(format!("`{name}` must be an object"))),
    }
}

/// The token that the client wants progress under.
pub(super) fn progress_token(params: &Params) -> Option<RequestId> {
    params.get("_meta")?.get("progressToken").and_then(RequestId::read)
}
