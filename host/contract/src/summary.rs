//! What the server is and does, for an agent that has never met it; and the
//! fingerprint by which a client knows that nothing has changed.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::catalogue::Code;
use crate::tools;

/// The server's name.
pub const NAME: &str = "video-render-mcp";

/// The address of the whole summary as a resource.
pub const URI: &str = "video://server/capabilities";

/// The summary in short, for `instructions`.
pub const INSTRUCTIONS: &str = "\
Renders uploaded videos (as_… assets) to mp4, webm or mov at 720p, 1080p or 4k, with a text or image \
watermark that a person can be asked to approve first. Renders take minutes: call video_render as a \
task where you can, else follow it with video_get_render_status. It does not edit, trim or stream. \
Everything else is in the resource video://server/capabilities.";

/// `NAME@VERSION+HASH`, seven hexadecimal digits: the hash covers the tools as
/// they are listed and the catalogue of errors, so it changes exactly when
/// these do.
#[must_use]
pub fn fingerprint(version: &str) -> String {
    let tools: Vec<Value> = tools::all()
        .iter()
        .map(|tool| {
            json!([
                tool.name,
                tool.title,
                tool.description,
                tool.input.shown(),
                tool.output.shown(),
                [tool.hints.read_only, tool.hints.destructive, tool.hints.idempotent, tool.task],
                tool.meta,
            ])
        })
        .collect();
    let codes: Vec<Value> =
        Code::ALL.iter().map(|code| json!([code, code.is_temporary(), code.next_step()])).collect();
    // Maps are sorted by key, so equal surfaces have equal texts.
    let digest = Sha256::digest(json!([tools, codes]).to_string());
    let hash: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("{NAME}@{version}+{}", hash.get(..7).unwrap_or_default())
}

/// The whole summary. `uploads` is where a remote agent sends assets.
#[must_use]
pub fn whole(version: &str, uploads: &str) -> Value {
    json!({
        "server": {
            "name": NAME,
            "version": version,
            "fingerprint": fingerprint(version),
            "transport": "streamable-http",
            "summary": "Renders a video from a source asset, with an optional watermark that a \
                        person may have to approve; a render is a recoverable task of minutes.",
        },
        "does": [
            "Render a source asset to mp4, webm or mov, fitted into 720p, 1080p or 4k.",
            "Draw a text or image watermark, after a person has approved it if wanted.",
            "Run as a task that can be followed, cancelled and found again.",
            "Hand out the finished film as a resource and as a download.",
        ],
        "does_not": [
            "Edit, trim or join clips.",
            "Manage assets by tools; upload them as `uploads` says.",
            "Stream or record live.",
            "Keep a render longer than its ttl.",
        ],
        "uploads": {
            "method": "POST",
            "url": uploads,
            "required_scope": "asset:write",
            "body": "the file's bytes; the answer names the asset",
            "resume": {
                "begin": format!(
                    "POST {uploads}?sha256=HEX, the SHA-256 of the whole file, with the whole file"
                ),
                "ask": format!("GET {uploads}/uploads/HEX answers {{\"received\": N}}, or the asset"),
                "go_on": format!("POST {uploads}?sha256=HEX&offset=N with the bytes from N on"),
                "in_parts": "With &size=TOTAL a body may end before the file does: 202 and \
                             {\"received\": N} until the last part.",
            },
        },
        "error_carriers": { "tool_errors": "structuredContent", "non_tool_rpc_errors": "error.data" },
        "long_running": {
            "primary": "Call video_render as a task; poll tasks/get by pollInterval, fetch with \
                        tasks/result, cancel with tasks/cancel.",
            "watermark_approval": "The task becomes input_required and elicitation/create comes with \
                                   the related task, on the open tasks/result or else on the GET \
                                   stream. Open tasks/result early and hold it.",
            "fallback": "video_get_render_status, video_approve_watermark and video_cancel_render \
                         do the same by plain calls; with wait_ms a status call also carries the \
                         elicitation.",
        },
        "prerequisites": {
            "required_scopes": ["render:write", "asset:read"],
            "negotiated_capabilities": negotiated(),
        },
    })
}

/// Which capabilities the server offers, which it uses of a client, and what
/// happens without.
fn negotiated() -> Value {
    json!({
        "server": [
            "server.capabilities.tasks.requests.tools.call",
            "server.capabilities.tasks.cancel",
            "server.capabilities.resources.subscribe",
            "server.capabilities.resources.listChanged",
        ],
        "client": ["client.capabilities.elicitation.form"],
        "fallbacks": {
            "no_tasks": "Call video_render plainly: it answers with a render_id at once. Follow it \
                         with video_get_render_status.",
            "no_elicitation": "The render stays at awaiting_watermark_approval; pass the person's \
                               answer on with video_approve_watermark.",
            "no_resource_subscribe": "Ask video_get_render_status until the render is over.",
        },
    })
}

#[cfg(test)]
mod tests;
