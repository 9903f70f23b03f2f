//! The tools as they are listed.

use serde_json::{Value, json};

use crate::catalogue::Code;
use crate::schema::{self, Schema};

/// The name of the tool that renders.
pub const RENDER: &str = "video_render";
/// The name of the tool that says how a render stands.
pub const STATUS: &str = "video_get_render_status";
/// The name of the tool that answers a render's question.
pub const APPROVE: &str = "video_approve_watermark";
/// The name of the tool that cancels a render.
pub const CANCEL: &str = "video_cancel_render";

/// The key of the error catalogue in a tool's `_meta`.
pub const ERRORS_META: &str = "com.video-render/errors";

/// What a tool does to the world, as hints for a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hints {
    /// It changes nothing.
    pub read_only: bool,
    /// What it does cannot be undone.
    pub destructive: bool,
    /// Calling it twice does no more than calling it once.
    pub idempotent: bool,
}

/// A tool.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does and when to use it.
    pub description: &'static str,
    /// What it takes.
    pub input: &'static Schema,
    /// What it answers.
    pub output: &'static Schema,
    /// What it does to the world; none reaches beyond this server.
    pub hints: Hints,
    /// Whether it may be called as a task.
    pub task: bool,
    /// Facts under names of our own.
    pub meta: Value,
}

/// Every tool, in the order in which they are listed.
#[must_use]
pub fn all() -> [Tool; 4] {
    [render(), status(), approve(), cancel()]
}

fn render() -> Tool {
    Tool {
        name: RENDER,
        title: "Render video",
        description: "\
Makes a finished film of an uploaded source (source_asset_id), with a text or image watermark if \
asked for. It renders; it does not edit or trim.

A render takes minutes. Call it as a task where you can: the answer is a taskId at once, tasks/get \
says how it stands and tasks/result waits for the film. Called plainly it answers with a render_id \
at once; go on with video_get_render_status.

With a watermark and require_watermark_approval (the default) a person is shown a preview and asked \
first. As a task it becomes input_required and the question comes as an elicitation; otherwise the \
state is awaiting_watermark_approval until video_approve_watermark says yes or no. A no ends the \
render with watermark_rejected.

With an idempotency_key a repeated call finds the same render for 30 minutes.

Errors are listed under _meta com.video-render/errors.

Example: {\"source_asset_id\": \"as_9f2\", \"watermark\": {\"mode\": \"text\", \"text\": \"DRAFT\"}}",
        input: &schema::RENDER_INPUT,
        output: &schema::RENDER_OUTPUT,
        hints: Hints { read_only: false, destructive: false, idempotent: false },
        task: true,
        meta: json!({
            ERRORS_META: errors(&[
                Code::SourceNotFound,
                Code::UnsupportedSource,
                Code::InvalidField,
                Code::WatermarkRejected,
                Code::ApprovalExpired,
                Code::RenderFailed,
                Code::PluginFailed,
                Code::QuotaExceeded,
                Code::RateLimited,
                Code::CapabilityNotNegotiated,
                Code::IdempotencyConflict,
                Code::InsufficientScope,
                Code::Cancelled,
                Code::Internal,
            ]),
            "com.video-render/duration": { "typical_seconds": [60, 600], "runs_as": "task" },
        }),
    }
}

fn status() -> Tool {
    Tool {
        name: STATUS,
        title: "Get render status",
        description: "\
Says how a render stands: its state, when to ask again (poll_after_ms), what it waits for, where the \
film is. With wait_ms it answers as soon as something changes, at the latest after that time. While \
the render awaits approval, pending_input is the call that answers it, after a person has looked at \
the preview.",
        input: &schema::STATUS_INPUT,
        output: &schema::STATUS_OUTPUT,
        hints: Hints { read_only: true, destructive: false, idempotent: true },
        task: false,
        meta: json!({
            ERRORS_META: errors(&[
                Code::InvalidField,
                Code::RenderNotFound,
                Code::RenderExpired,
                Code::InsufficientScope,
                Code::Internal,
            ]),
        }),
    }
}

fn approve() -> Tool {
    Tool {
        name: APPROVE,
        title: "Approve or reject a watermark",
        description: "\
Passes a person's answer on to a render that awaits approval. Ask the person; do not decide for them. \
The first answer counts; the same answer again is fine.",
        input: &schema::APPROVE_INPUT,
        output: &schema::STATUS_OUTPUT,
        hints: Hints { read_only: false, destructive: false, idempotent: true },
        task: false,
        meta: json!({
            ERRORS_META: errors(&[
                Code::InvalidField,
                Code::RenderNotFound,
                Code::RenderExpired,
                Code::NotAwaitingApproval,
                Code::AlreadyDecided,
                Code::InsufficientScope,
                Code::Internal,
            ]),
        }),
    }
}

fn cancel() -> Tool {
    Tool {
        name: CANCEL,
        title: "Cancel a render",
        description: "\
Stops a render that is not over and removes what it has made so far. Cancelling twice is fine.",
        input: &schema::CANCEL_INPUT,
        output: &schema::STATUS_OUTPUT,
        hints: Hints { read_only: false, destructive: true, idempotent: true },
        task: false,
        meta: json!({
            ERRORS_META: errors(&[
                Code::InvalidField,
                Code::RenderNotFound,
                Code::RenderExpired,
                Code::RenderFinished,
                Code::InsufficientScope,
                Code::Internal,
            ]),
        }),
    }
}

/// Codes as a tool's `_meta` lists them.
fn errors(codes: &[Code]) -> Value {
    let entries = codes.iter().map(|code| {
        json!({
            "code": code,
            "temporary": code.is_temporary(),
            "description": code.next_step(),
        })
    });
    entries.collect()
}

#[cfg(test)]
mod tests;
