//! Agreeing on a revision.

use serde_json::{Value, json};

use super::wire::put;
use crate::model::{Capabilities, ServerDescription};

/// The revisions with sessions, newest first.
pub(crate) const REVISIONS: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/// The first revision that has tasks, priming events and URL elicitation.
const WITH_TASKS: &str = "2025-11-25";

/// The revision to speak: the one asked for if it is served, else the newest.
pub(crate) fn agree(asked: &str) -> &'static str {
    let [newest, ..] = REVISIONS;
    REVISIONS.into_iter().find(|revision| *revision == asked).unwrap_or(newest)
}

/// Whether a revision has tasks and priming events.
pub(crate) fn has_tasks(revision: &str) -> bool {
    revision >= WITH_TASKS
}

/// The result of `initialize`.
pub(crate) fn result(revision: &str, description: &ServerDescription) -> Value {
    let mut result = json!({
        "protocolVersion": revision,
        "capabilities": capabilities(revision, description.capabilities),
        "serverInfo": description.implementation,
    });
    if let Some(instructions) = &description.instructions {
        put(&mut result, "instructions", json!(instructions));
    }
    result
}

fn capabilities(revision: &str, offered: Capabilities) -> Value {
    let mut wire = json!({});
    if offered.tools {
        put(&mut wire, "tools", json!({ "listChanged": offered.tools_changed }));
    }
    if let Some(resources) = offered.resources {
        put(
            &mut wire,
            "resources",
            json!({
                "subscribe": resources.subscribe,
                "listChanged": resources.list_changed,
            }),
        );
    }
    if offered.prompts {
        put(&mut wire, "prompts", json!({}));
    }
    if offered.completions {
        put(&mut wire, "completions", json!({}));
    }
    if offered.logging {
        put(&mut wire, "logging", json!({}));
    }
    if offered.tasks && has_tasks(revision) {
        put(&mut wire, "tasks", json!({ "cancel": {}, "requests": { "tools": { "call": {} } } }));
    }
    wire
}

#[cfg(test)]
mod tests;
