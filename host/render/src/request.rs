//! What a caller asks for, in the tool's own words.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use stage::model::{Anchor, Blob, Size};

use crate::failure::Failure;

/// The longest watermark text, in characters.
pub const MAX_TEXT_CHARS: usize = 200;

/// One render as it was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The source file.
    pub input: PathBuf,
    /// Where the output goes.
    pub output: PathBuf,
    /// Whether an existing output may be replaced.
    pub overwrite: bool,
    /// The container.
    pub container: Container,
    /// The box that the picture is fitted in.
    pub resolution: Resolution,
    /// What is drawn on the picture.
    pub watermark: Mark,
    /// Where a mark goes.
    pub position: Position,
    /// Whether a person must approve what is drawn.
    pub approval_required: bool,
}

/// What is drawn on the picture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// This text.
    Text(String),
    /// The picture in this file.
    Image(PathBuf),
}

impl Mark {
    /// The kind of mark as plugins name it in their manifests; none for none.
    #[must_use]
    pub fn kind(&self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Text(_) => Some("text"),
            Self::Image(_) => Some("image"),
        }
    }

    /// The field of the tool's arguments that says it.
    #[must_use]
    pub fn field(&self) -> &'static str {
        match self {
            Self::None => "watermark.mode",
            Self::Text(_) => "watermark.text",
            Self::Image(_) => "watermark.image_asset_id",
        }
    }
}

impl Request {
    /// Checks what the types do not.
    ///
    /// # Errors
    ///
    /// `invalid_field` for an empty or overlong text.
    pub fn check(&self) -> Result<(), Failure> {
        let Mark::Text(text) = &self.watermark else { return Ok(()) };
        let chars = text.chars().count();
        if text.trim().is_empty() {
            return Err(Failure::invalid_field("watermark.text", "The watermark text is empty."));
        }
        if chars > MAX_TEXT_CHARS {
            let message = format!(
                "The watermark text has {chars} characters; at most {MAX_TEXT_CHARS} are allowed."
            );
            return Err(Failure::invalid_field("watermark.text", message)
                .with("characters", chars)
                .with("allowed", MAX_TEXT_CHARS));
        }
        Ok(())
    }

    /// The request as the stages see it, with the opened picture of an image
    /// mark.
    pub(crate) fn for_stages(&self, image: Option<Blob>) -> stage::model::Request {
        stage::model::Request {
            container: self.container.to_string(),
            bounds: self.resolution.bounds(),
            watermark_text: match &self.watermark {
                Mark::Text(text) => Some(text.clone()),
                _ => None,
            },
            watermark_image: image,
            watermark_anchor: self.position.anchor(),
            approval_required: self.approval_required,
        }
    }
}

/// A closed set of words, each for a value.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident, $what:literal { $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$variant_meta])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// Every value, in the tool's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$variant => $word,)* })
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(word: &str) -> Result<Self, String> {
                match word {
                    $($word => Ok(Self::$variant),)*
                    _ => Err(format!("`{word}` is no {}; choose one of {}", $what, [$($word),*].join(", "))),
                }
            }
        }
    };
}

words! {
    /// A container and its usual codecs.
    Container, "format" {
        /// MP4 (ISO/IEC 14496-14).
        #[default]
        Mp4 = "mp4",
        /// WebM.
        Webm = "webm",
        /// QuickTime.
        Mov = "mov",
    }
}

words! {
    /// A box for the picture, named by its landscape height.
    Resolution, "resolution" {
        /// 1280×720.
        Hd = "720p",
        /// 1920×1080.
        #[default]
        FullHd = "1080p",
        /// 3840×2160.
        Uhd = "4k",
    }
}

words! {
    /// Where a mark goes.
    Position, "position" {
        /// Top left.
        TopLeft = "top_left",
        /// Top right.
        TopRight = "top_right",
        /// Bottom left.
        BottomLeft = "bottom_left",
        /// Bottom right.
        #[default]
        BottomRight = "bottom_right",
        /// The middle.
        Center = "center",
    }
}

impl Resolution {
    /// The box for a landscape source.
    #[must_use]
    pub fn bounds(self) -> Size {
        let (width, height) = match self {
            Self::Hd => (1280, 720),
            Self::FullHd => (1920, 1080),
            Self::Uhd => (3840, 2160),
        };
        Size { width, height }
    }
}

impl Position {
    /// The position as shares of the free space.
    #[must_use]
    pub fn anchor(self) -> Anchor {
        let (x, y) = match self {
            Self::TopLeft => (0.0, 0.0),
            Self::TopRight => (1.0, 0.0),
            Self::BottomLeft => (0.0, 1.0),
            Self::BottomRight => (1.0, 1.0),
            Self::Center => (0.5, 0.5),
        };
        Anchor { x, y }
    }
}

#[cfg(test)]
mod tests;
