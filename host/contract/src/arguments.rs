//! What the tools are asked, read from arguments that fit their schemas.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::fields::{self, FieldError};
use crate::schema;

/// What to draw.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum Watermark {
    /// Nothing.
    #[default]
    None,
    /// A text.
    Text {
        /// 1 to 200 characters.
        text: String,
        /// Where it goes.
        position: String,
    },
    /// A picture.
    Image {
        /// The asset of the picture.
        image_asset_id: String,
        /// Where it goes.
        position: String,
    },
}

/// A call of `video_render`, with its defaults filled in. As JSON it is the
/// form in which two calls are compared: without the idempotency key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RenderArguments {
    /// The asset of the source.
    pub source_asset_id: String,
    /// `mp4`, `webm` or `mov`.
    pub output_format: String,
    /// `720p`, `1080p` or `4k`.
    pub resolution: String,
    /// What to draw.
    pub watermark: Watermark,
    /// Whether a person must approve what is drawn; false where nothing is.
    pub require_watermark_approval: bool,
    /// The caller's own key.
    #[serde(skip)]
    pub idempotency_key: Option<String>,
}

impl RenderArguments {
    /// Reads the arguments of a call.
    ///
    /// # Errors
    ///
    /// Every field that is wrong.
    pub fn read(arguments: &Value) -> Result<Self, Vec<FieldError>> {
        let mut wrong = fields::check(&schema::RENDER_INPUT, arguments);
        let or =
            |name: &str, default: &str| text(arguments, name).unwrap_or_else(|| default.to_owned());
        let nothing = Value::Null;
        let mark = arguments.get("watermark").unwrap_or(&nothing);
        let position = || text(mark, "position").unwrap_or_else(|| "bottom_right".to_owned());
        let watermark = match mark.get("mode").and_then(Value::as_str) {
            Some("text") => match text(mark, "text") {
                Some(text) => {
                    if text.trim().is_empty() && !text.is_empty() {
                        wrong.push(FieldError::new("watermark.text", "The text is blank."));
                    }
                    Watermark::Text { text, position: position() }
                }
                None => {
                    require(&mut wrong, "watermark.text", "Required when watermark.mode is text.");
                    Watermark::None
                }
            },
            Some("image") => match text(mark, "image_asset_id") {
                Some(image_asset_id) => Watermark::Image { image_asset_id, position: position() },
                None => {
                    let reason = "Required when watermark.mode is image.";
                    require(&mut wrong, "watermark.image_asset_id", reason);
                    Watermark::None
                }
            },
            _ => Watermark::None,
        };
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let draws = watermark != Watermark::None;
        Ok(Self {
            source_asset_id: or("source_asset_id", ""),
            output_format: or("output_format", "mp4"),
            resolution: or("resolution", "1080p"),
            require_watermark_approval: draws
                && flag(arguments, "require_watermark_approval").unwrap_or(true),
            watermark,
            idempotency_key: text(arguments, "idempotency_key"),
        })
    }

    /// The same call as arguments again, without the idempotency key: what a
    /// repair passes on.
    #[must_use]
    pub fn to_arguments(&self) -> Value {
        let mut arguments = Map::new();
        let mut say = |name: &str, value: Value| {
            arguments.insert(name.to_owned(), value);
        };
        say("source_asset_id", json!(self.source_asset_id));
        say("output_format", json!(self.output_format));
        say("resolution", json!(self.resolution));
        if self.watermark != Watermark::None {
            say("watermark", json!(self.watermark));
            say("require_watermark_approval", json!(self.require_watermark_approval));
        }
        Value::Object(arguments)
    }
}

/// Says that a field is missing, unless something was said of it already.
fn require(wrong: &mut Vec<FieldError>, field: &str, reason: &str) {
    if !wrong.iter().any(|error| error.field == field) {
        wrong.push(FieldError::new(field, reason));
    }
}

/// A call of `video_get_render_status`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusArguments {
    /// The render.
    pub render_id: String,
    /// How long to wait for a change, in milliseconds, 0 to 45000.
    pub wait_ms: u64,
}

impl StatusArguments {
    /// Reads the arguments of a call.
    ///
    /// # Errors
    ///
    /// Every field that is wrong.
    pub fn read(arguments: &Value) -> Result<Self, Vec<FieldError>> {
        fits(&schema::STATUS_INPUT, arguments)?;
        let wait_ms = arguments.get("wait_ms").and_then(Value::as_f64).unwrap_or(0.0);
        Ok(Self {
            render_id: render_id(arguments),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "0..=45000 by the schema"
            )]
            wait_ms: wait_ms as u64,
        })
    }
}

/// A call of `video_approve_watermark`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApproveArguments {
    /// The render.
    pub render_id: String,
    /// Yes or no.
    pub approved: bool,
    /// A note.
    pub feedback: Option<String>,
    /// Which question is answered.
    pub question_id: Option<String>,
}

impl ApproveArguments {
    /// Reads the arguments of a call.
    ///
    /// # Errors
    ///
    /// Every field that is wrong.
    pub fn read(arguments: &Value) -> Result<Self, Vec<FieldError>> {
        fits(&schema::APPROVE_INPUT, arguments)?;
        Ok(Self {
            render_id: render_id(arguments),
            approved: flag(arguments, "approved").unwrap_or(false),
            feedback: text(arguments, "feedback"),
            question_id: text(arguments, "question_id"),
        })
    }
}

/// Reads the arguments of `video_cancel_render`: the render's id.
///
/// # Errors
///
/// Every field that is wrong.
pub fn read_cancel(arguments: &Value) -> Result<String, Vec<FieldError>> {
    fits(&schema::CANCEL_INPUT, arguments)?;
    Ok(render_id(arguments))
}

fn fits(schema: &schema::Schema, arguments: &Value) -> Result<(), Vec<FieldError>> {
    let wrong = fields::check(schema, arguments);
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

fn render_id(arguments: &Value) -> String {
    text(arguments, "render_id").unwrap_or_default()
}

fn text(object: &Value, name: &str) -> Option<String> {
    object.get(name).and_then(Value::as_str).map(str::to_owned)
}

fn flag(object: &Value, name: &str) -> Option<bool> {
    object.get(name).and_then(Value::as_bool)
}

#[cfg(test)]
mod tests;
