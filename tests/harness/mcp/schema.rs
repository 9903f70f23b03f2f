//! Every message of the server is checked against the protocol's own schema where it is at hand,
//! and every structured result against the schema that its tool has declared.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use jsonschema::Validator;
use serde_json::{Value, json};

static PROTOCOL: LazyLock<Option<Value>> = LazyLock::new(|| {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let folder = std::env::var_os("VIDEO_RENDER_SAMPLES").map_or(beside, PathBuf::from);
    let text = std::fs::read_to_string(folder.join("schema/schema-2025-11-25.json")).ok();
    if text.is_none() {
        eprintln!("skipped: the protocol's schema is missing (VIDEO_RENDER_SAMPLES)");
    }
    text.map(|text| serde_json::from_str(&text).unwrap())
});

static VALIDATORS: LazyLock<Mutex<HashMap<String, Validator>>> = LazyLock::new(Mutex::default);

#[track_caller]
fn check(key: &str, schema: impl FnOnce() -> Value, value: &Value) {
    let errors = errors(key, schema, value);
    assert!(errors.is_empty(), "this is no {key}: {value:#}\n{errors:#?}");
}

fn errors(key: &str, schema: impl FnOnce() -> Value, value: &Value) -> Vec<String> {
    let mut validators = VALIDATORS.lock().unwrap_or_else(PoisonError::into_inner);
    let validator = validators
        .entry(key.to_owned())
        .or_insert_with(|| jsonschema::draft202012::options().build(&schema()).unwrap());
    validator.iter_errors(value).map(|error| error.to_string()).collect()
}

/// Checks a value by a definition of the protocol's schema.
fn protocol(name: &str, value: &Value) {
    let Some(protocol) = PROTOCOL.as_ref() else { return };
    let definitions = &protocol["$defs"];
    assert!(definitions.get(name).is_some(), "the schema has no {name}");
    check(name, || json!({ "$ref": format!("#/$defs/{name}"), "$defs": definitions }), value);
}

/// Checks a message of the server.
pub(super) fn message(message: &Value) {
    let name = match message.get("method").and_then(Value::as_str) {
        None if message.get("error").is_some() => "JSONRPCErrorResponse",
        None => "JSONRPCResultResponse",
        Some("elicitation/create") => "ElicitRequest",
        Some("notifications/cancelled") => "CancelledNotification",
        Some("notifications/progress") => "ProgressNotification",
        Some("notifications/tasks/status") => "TaskStatusNotification",
        Some("notifications/resources/updated") => "ResourceUpdatedNotification",
        Some("notifications/resources/list_changed") => "ResourceListChangedNotification",
        Some(other) => panic!("a message that nobody expects: {other}"),
    };
    protocol(name, message);
}

/// Checks the result of a request.
pub(super) fn result(method: &str, result: &Value) {
    let names: &[&str] = match method {
        "initialize" => &["InitializeResult"],
        "tools/list" => &["ListToolsResult"],
        "tools/call" if result.get("task").is_some() => &["CreateTaskResult"],
        "tools/call" => &["CallToolResult"],
        "tasks/get" => &["GetTaskResult"],
        "tasks/cancel" => &["CancelTaskResult"],
        "tasks/result" => &["GetTaskPayloadResult", "CallToolResult"],
        "resources/list" => &["ListResourcesResult"],
        "resources/templates/list" => &["ListResourceTemplatesResult"],
        "resources/read" => &["ReadResourceResult"],
        _ => &["EmptyResult"],
    };
    for name in names {
        protocol(name, result);
    }
}

/// Checks a structured result by its tool's schema.
pub(super) fn fits(tool: &str, schema: &Value, structured: &Value) {
    check(tool, || schema.clone(), structured);
}

/// Checks that arguments are what a tool takes.
#[track_caller]
pub fn takes(tool: &str, schema: &Value, arguments: &Value) {
    check(&format!("{tool} input"), || schema.clone(), arguments);
}
