//! What is asked to be drawn.

use crate::{ink, picture, text};
use stage_sdk::{Anchor, Blob, Fault, Image, Job, Request, Size};

/// What the request asks to draw, checked as far as that is cheap.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A text without white space around it.
    Text(String),
    /// The file of a picture.
    Picture(Blob),
}

/// How a mark looks, wherever it lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// The height of capital letters in percent of the raster's short side.
    pub size_percent: f32,
    /// The width of a picture in percent of the raster's width.
    pub image_width_percent: f32,
    /// How much the mark hides of what is below: 0 nothing, 1 all.
    pub opacity: f32,
    /// How dark the halo of a text is: 0 is none, 1 black.
    pub halo: f32,
}

impl Subject {
    /// What `request` asks for; none if it asks for no mark.
    ///
    /// # Errors
    /// A fault on the text if it cannot be one.
    pub fn of(request: &Request) -> Result<Option<Self>, Fault> {
        match (&request.watermark_text, &request.watermark_image) {
            (Some(text), _) => text::check(text).map(|text| Some(Self::Text(text.to_owned()))),
            (None, Some(file)) => Ok(Some(Self::Picture(file.clone()))),
            (None, None) => Ok(None),
        }
    }

    /// The mark as a picture with even sides that fits into `room`, whose sides
    /// are even; the lines of a text are aligned as `anchor` lies. Tells what
    /// had to be different than asked.
    ///
    /// # Errors
    /// A fault on the text or on the picture that says why it cannot be drawn.
    pub fn draw<P>(
        &self,
        job: &Job<P>,
        style: &Style,
        room: Size,
        anchor: Anchor,
    ) -> Result<Image, Fault> {
        let raster = job.decided_raster()?.size;
        let warn = |code, message| job.warn(code, message);
        match self {
            Self::Text(text) => ink::draw(text, raster, style, room, anchor, warn),
            Self::Picture(file) => picture::draw(file, raster, style, room, warn),
        }
    }
}
