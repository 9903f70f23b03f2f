//! Every message of the server is checked against the schema of 2025-11-25.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{LazyLock, Mutex},
};

use jsonschema::Validator;
use serde_json::{Value, json};

static SCHEMA: LazyLock<Option<Value>> = LazyLock::new(|| {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let root = std::env::var_os("VIDEO_RENDER_SAMPLES").map_or(root, PathBuf::from);
    let text = std::fs::read_to_string(root.join("schema/schema-2025-11-25.json")).ok();
    if text.is_none() {
        println!("skipped: messages are not checked, no schema (set VIDEO_RENDER_SAMPLES)");
    }
    text.map(|text| serde_json::from_str(&text).unwrap())
});

static VALIDATORS: LazyLock<Mutex<HashMap<String, Validator>>> = LazyLock::new(Mutex::default);

fn check_as(name: &str, value: &Value) {
    let Some(schema) = SCHEMA.as_ref() else { return };
    let mut validators = VALIDATORS.lock().unwrap_or_else(|e| e.into_inner());
    let validator = validators.entry(name.to_owned()).or_insert_with(|| {
        assert!(schema["$defs"].get(name).is_some(), "the schema has no {name}");
        let schema = json!({ "$ref": format!("#/$defs/{name}"), "$defs": schema["$defs"] });
        jsonschema::draft202012::options().build(&schema).unwrap()
    });
    let errors: Vec<_> = validator.iter_errors(value).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "no {name}: {value:#}\n{errors:#?}");
}

/// A whole message.
pub(crate) fn check(message: &Value) {
    let name = match message.get("method").map(|method| method.as_str().unwrap()) {
        None if message.get("error").is_some() => "JSONRPCErrorResponse",
        None => "JSONRPCResultResponse",
        Some("elicitation/create") => "ElicitRequest",
        Some("sampling/createMessage") => "CreateMessageRequest",
        Some("notifications/progress") => "ProgressNotification",
        Some("notifications/message") => "LoggingMessageNotification",
        Some("notifications/cancelled") => "CancelledNotification",
        Some("notifications/tasks/status") => "TaskStatusNotification",
        Some("notifications/resources/updated") => "ResourceUpdatedNotification",
        Some("notifications/resources/list_changed") => "ResourceListChangedNotification",
        Some("notifications/tools/list_changed") => "ToolListChangedNotification",
        Some(other) => panic!("a message that no client expects: {other}"),
    };
    check_as(name, message);
    // Where messages about tasks must name their task, and where they should not.
    let related = message.pointer("/params/_meta/io.modelcontextprotocol~1related-task/taskId");
    if name == "TaskStatusNotification" {
        assert!(related.is_none(), "{message}");
    }
}

/// The result of a request.
pub(crate) fn check_result(method: &str, result: &Value) {
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
        check_as(name, result);
    }
    if matches!(method, "tasks/get" | "tasks/cancel") {
        assert!(result.get("task").is_none() && result.get("_meta").is_none(), "{result}");
    }
}
