//! Tools of the suite.

use std::time::Duration;

use mcp::{
    AskError, Context, LogLevel, RpcError,
    model::{
        Body, ClientRequest, Content, InputKind, Progress, TaskSupport, Tool, ToolCall, ToolResult,
    },
};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::{media, resources::contents};

const STEP: Duration = Duration::from_millis(50);

pub(crate) fn all() -> Vec<Tool> {
    let mut tools: Vec<_> = [
        "test_simple_text",
        "test_image_content",
        "test_audio_content",
        "test_embedded_resource",
        "test_multiple_content_types",
        "test_tool_with_logging",
        "test_error_handling",
        "test_tool_with_progress",
        "test_elicitation_sep1034_defaults",
        "test_elicitation_sep1330_enums",
        "test_reconnection",
    ]
    .into_iter()
    .map(|name| tool(name, json!({ "type": "object", "additionalProperties": false })))
    .collect();
    for (name, argument) in [("test_sampling", "prompt"), ("test_elicitation", "message")] {
        let properties = json!({ argument: { "type": "string", "description": "Passed on" } });
        let schema = json!({ "type": "object", "properties": properties, "required": [argument] });
        tools.push(tool(name, schema));
    }
    tools.push(tool("json_schema_2020_12_tool", every_keyword()));
    tools
}

fn tool(name: &str, input_schema: Value) -> Tool {
    Tool {
        name: name.to_owned(),
        title: None,
        description: Some(format!("The fixture {name}")),
        input_schema,
        output_schema: None,
        annotations: None,
        task_support: TaskSupport::Forbidden,
        meta: Default::default(),
    }
}

/// A schema whose keywords must reach the client untouched.
fn every_keyword() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
            }
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" }
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": {
            "properties": { "contactMethod": { "const": "phone" } },
            "required": ["contactMethod"]
        },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false
    })
}

pub(crate) async fn call(call: &ToolCall, context: &Context) -> Result<ToolResult, RpcError> {
    let argument = |name: &str| {
        call.arguments.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let content = match call.name.as_str() {
        "test_simple_text" => {
            vec![Content::text("This is a simple text response for testing.")]
        }
        "test_image_content" => vec![image()],
        "test_audio_content" => vec![Content::Audio {
            data: media::WAV.to_owned(),
            mime_type: "audio/wav".to_owned(),
            annotations: None,
        }],
        "test_embedded_resource" => vec![embedded(
            "test://embedded-resource",
            "text/plain",
            "This is an embedded resource content.",
        )],
        "test_multiple_content_types" => vec![
            Content::text("Multiple content types test:"),
            image(),
            embedded(
                "test://mixed-content-resource",
                "application/json",
                r#"{"test":"data","value":123}"#,
            ),
        ],
        "test_error_handling" => {
            return Ok(ToolResult::error("This tool intentionally returns an error for testing"));
        }
        "test_tool_with_logging" => {
            for text in
                ["Tool execution started", "Tool processing data", "Tool execution completed"]
            {
                context.log(LogLevel::Info, None, json!(text)).await;
                sleep(STEP).await;
            }
            vec![Content::text("Logged three messages.")]
        }
        "test_tool_with_progress" => {
            for progress in [0.0, 50.0, 100.0] {
                context.progress(Progress { progress, total: Some(100.0), message: None }).await;
                sleep(STEP).await;
            }
            vec![Content::text("Told of progress three times.")]
        }
        "test_reconnection" => {
            context.release().await;
            sleep(STEP * 2).await;
            vec![Content::text("Reconnection test completed.")]
        }
        "test_sampling" => {
            let text = json!({ "type": "text", "text": argument("prompt") });
            let params =
                json!({ "messages": [{ "role": "user", "content": text }], "maxTokens": 100 });
            let said = ask(context, ClientRequest::Sample(params)).await?;
            let text = said.pointer("/content/text").and_then(Value::as_str).unwrap_or_default();
            vec![Content::text(format!("LLM response: {text}"))]
        }
        "test_elicitation" => {
            let schema = json!({
                "type": "object",
                "properties": {
                    "username": { "type": "string", "description": "User's response" },
                    "email": { "type": "string", "description": "User's email address" }
                },
                "required": ["username", "email"]
            });
            elicit(context, argument("message"), schema).await?
        }
        "test_elicitation_sep1034_defaults" => {
            elicit(context, "Please review these defaults".to_owned(), defaults()).await?
        }
        "test_elicitation_sep1330_enums" => {
            elicit(context, "Please choose".to_owned(), enums()).await?
        }
        "json_schema_2020_12_tool" => vec![Content::text("The schema is what matters.")],
        name => return Err(RpcError::invalid_params(format!("tool `{name}` is not known"))),
    };
    Ok(ToolResult { content, ..ToolResult::default() })
}

fn image() -> Content {
    Content::Image {
        data: media::PNG.to_owned(),
        mime_type: "image/png".to_owned(),
        annotations: None,
    }
}

fn embedded(uri: &str, mime_type: &str, text: &str) -> Content {
    let resource = contents(uri, mime_type, Body::Text(text.to_owned()));
    Content::Resource { resource, annotations: None }
}

fn defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": {
                "type": "string",
                "enum": ["active", "inactive", "pending"],
                "default": "active"
            },
            "verified": { "type": "boolean", "default": true }
        },
        "required": []
    })
}

fn enums() -> Value {
    let plain = ["option1", "option2", "option3"];
    let titled = json!([
        { "const": "value1", "title": "First Option" },
        { "const": "value2", "title": "Second Option" },
        { "const": "value3", "title": "Third Option" }
    ]);
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": plain },
            "titledSingle": { "type": "string", "oneOf": titled },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"]
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": plain } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled } }
        },
        "required": []
    })
}

async fn elicit(
    context: &Context,
    message: String,
    schema: Value,
) -> Result<Vec<Content>, RpcError> {
    let kind = InputKind::Form { message, schema };
    let answer = ask(context, ClientRequest::Elicit(kind)).await?;
    let action = answer["action"].as_str().unwrap_or_default();
    Ok(vec![Content::text(format!(
        "User response: action={action}, content={}",
        answer["content"]
    ))])
}

async fn ask(context: &Context, request: ClientRequest) -> Result<Value, RpcError> {
    context.ask("question", request).await.map_err(|error| match error {
        AskError::Refused(error) => error,
        other => RpcError::invalid_params(other.to_string()),
    })
}
