//! The JSON Schemas of the tools. Arguments are checked by the very schemas
//! that clients are shown.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

/// A schema as it is shown, and what checks by it.
#[derive(Debug)]
pub struct Schema {
    shown: Value,
    validator: Option<Validator>,
}

impl Schema {
    fn new(text: &str) -> Self {
        let shown: Value = serde_json::from_str(text).unwrap_or_default();
        let validator = jsonschema::draft202012::new(&shown).ok();
        Self { shown, validator }
    }

    /// The schema as clients are shown it.
    #[must_use]
    pub fn shown(&self) -> &Value {
        &self.shown
    }

    /// The validator; none if the schema is broken, which a test rules out.
    pub(crate) fn validator(&self) -> Option<&Validator> {
        self.validator.as_ref()
    }

    /// Whether a value fits.
    #[must_use]
    pub fn accepts(&self, value: &Value) -> bool {
        self.validator().is_some_and(|validator| validator.is_valid(value))
    }
}

macro_rules! schemas {
    ($($(#[$doc:meta])* $name:ident = $file:literal;)*) => {
        $(
            $(#[$doc])*
            pub static $name: LazyLock<Schema> =
                LazyLock::new(|| Schema::new(include_str!(concat!("schemas/", $file))));
        )*

        /// Every schema with its file's name.
        pub fn all() -> Vec<(&'static str, &'static Schema)> {
            vec![$(($file, LazyLock::force(&$name)),)*]
        }
    };
}

schemas! {
    /// What `video_render` takes.
    RENDER_INPUT = "video_render.input.json";
    /// What `video_render` answers: the film, a render that goes on, or an error.
    RENDER_OUTPUT = "video_render.output.json";
    /// What `video_get_render_status` takes.
    STATUS_INPUT = "video_get_render_status.input.json";
    /// What `video_approve_watermark` takes.
    APPROVE_INPUT = "video_approve_watermark.input.json";
    /// What `video_cancel_render` takes.
    CANCEL_INPUT = "video_cancel_render.input.json";
    /// What the three fallback tools answer: a render's status, or an error.
    STATUS_OUTPUT = "status.output.json";
}

#[cfg(test)]
mod tests;
