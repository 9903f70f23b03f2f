//! What the tools answer when all is well: the film, a render that goes on, a
//! render's status.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::envelope::Repair;
use crate::tools;

/// How long a client should wait before it asks again, in milliseconds.
pub const POLL_MS: u64 = 2000;

/// The states after which nothing changes.
pub const TERMINAL_STATES: [State; 3] = [State::Completed, State::Failed, State::Cancelled];

/// Where a render stands, in the fallback tools' words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Admitted, and waiting for its turn.
    Queued,
    /// Being planned or made.
    Rendering,
    /// Waiting for a person.
    AwaitingWatermarkApproval,
    /// Its film is there.
    Completed,
    /// It ended without a film.
    Failed,
    /// It was cancelled.
    Cancelled,
}

impl State {
    /// Whether it is one after which nothing changes.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        TERMINAL_STATES.contains(&self)
    }
}

/// Something that the person who gets the film should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// A short stable name.
    pub code: String,
    /// One sentence.
    pub message: String,
}

/// A finished film.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Film {
    /// `mp4`, `webm` or `mov`.
    pub output_format: String,
    /// How long it is presented.
    pub duration_seconds: f64,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// Whether anything was drawn on it.
    pub watermark_applied: bool,
    /// What was scaled, replaced or left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// Something that a client cannot do by itself, and the call that helps.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// A code of the catalogue.
    pub code: crate::catalogue::Code,
    /// One sentence.
    pub message: String,
    /// What helps.
    pub repair: Repair,
}

impl Notice {
    fn to_json(&self) -> Value {
        json!({ "code": self.code, "message": self.message, "repair": self.repair.to_json() })
    }
}

/// A question that waits for its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The question's id.
    pub question_id: String,
    /// The question.
    pub question: String,
    /// Until when an answer counts, by RFC 3339.
    pub deadline: String,
}

/// A render's status.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// The render.
    pub render_id: String,
    /// Where it stands.
    pub state: State,
    /// What is going on, in a sentence.
    pub message: String,
    /// From 0 to 1, as far as known.
    pub progress: Option<f64>,
    /// Whether there is a preview to look at.
    pub has_preview: bool,
    /// What it waits for.
    pub pending: Option<Pending>,
    /// The film, once it is there.
    pub film: Option<Film>,
    /// The envelope of what ended it.
    pub error: Option<Value>,
    /// What this client cannot do by itself.
    pub notices: Vec<Notice>,
    /// When its id becomes unknown, by RFC 3339.
    pub expires_at: String,
}

/// The address of a render's film as a resource.
#[must_use]
pub fn film_uri(render_id: &str) -> String {
    format!("video://renders/{render_id}/output")
}

/// The address of a render's preview as a resource.
#[must_use]
pub fn preview_uri(render_id: &str) -> String {
    format!("video://renders/{render_id}/watermark-preview.png")
}

/// The answer of `video_render` for a render whose film is there.
#[must_use]
pub fn completed(render_id: &str, film: &Film) -> Value {
    let mut answer = film.to_map();
    answer.insert("render_id".into(), json!(render_id));
    answer.insert("result_resource_uri".into(), json!(film_uri(render_id)));
    Value::Object(answer)
}

/// The answer of `video_render` for a render that goes on.
#[must_use]
pub fn dispatched(render_id: &str, state: State, notices: &[Notice]) -> Value {
    let follow_up =
        Repair::call("poll_render_status", tools::STATUS, json!({ "render_id": render_id }));
    let mut answer = Map::new();
    answer.insert("render_id".into(), json!(render_id));
    answer.insert("state".into(), json!(state));
    answer.insert("terminal".into(), json!(false));
    answer.insert("poll_after_ms".into(), json!(POLL_MS));
    answer.insert("follow_up".into(), follow_up.to_json());
    add_notices(&mut answer, notices);
    Value::Object(answer)
}

/// The call that answers a question with yes.
#[must_use]
pub fn approval(render_id: &str, question_id: &str) -> Repair {
    Repair::call(
        "approve_watermark",
        tools::APPROVE,
        json!({ "render_id": render_id, "question_id": question_id, "approved": true }),
    )
}

impl Status {
    /// As it is written.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let id = self.render_id.as_str();
        let mut answer = self.film.as_ref().map(Film::to_map).unwrap_or_default();
        let mut say = |name: &str, value: Value| {
            answer.insert(name.to_owned(), value);
        };
        say("render_id", json!(id));
        say("state", json!(self.state));
        say("terminal", json!(self.state.is_terminal()));
        say("terminal_states", json!(TERMINAL_STATES));
        say("message", json!(self.message));
        say("expires_at", json!(self.expires_at));
        if !self.state.is_terminal() {
            say("poll_after_ms", json!(POLL_MS));
        }
        if let Some(progress) = self.progress {
            say("progress", json!(progress.clamp(0.0, 1.0)));
        }
        if self.has_preview {
            say("preview_resource_uri", json!(preview_uri(id)));
        }
        if let Some(pending) = &self.pending {
            say("pending_input", pending.to_json(id));
        }
        if self.film.is_some() {
            say("result_resource_uri", json!(film_uri(id)));
        }
        if let Some(error) = &self.error {
            say("error", error.clone());
        }
        add_notices(&mut answer, &self.notices);
        Value::Object(answer)
    }
}

impl Pending {
    /// The question with the call that answers it.
    fn to_json(&self, render_id: &str) -> Value {
        let mut input = approval(render_id, &self.question_id).to_map();
        input.insert("question_id".into(), json!(self.question_id));
        input.insert("question".into(), json!(self.question));
        input.insert("deadline".into(), json!(self.deadline));
        Value::Object(input)
    }
}

impl Film {
    fn to_map(&self) -> Map<String, Value> {
        match json!(self) {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }
}

fn add_notices(answer: &mut Map<String, Value>, notices: &[Notice]) {
    if !notices.is_empty() {
        answer.insert("notices".into(), notices.iter().map(Notice::to_json).collect());
    }
}

#[cfg(test)]
mod tests;
