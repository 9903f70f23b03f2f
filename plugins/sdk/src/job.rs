//! What a stage reads.

use crate::blob::Blob;
use crate::types::{Anchor, Colour, Rational, Size};
use crate::verdict::Fault;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

/// One render as a stage sees it, with the plugin's own parameters `P`.
#[derive(Debug)]
pub struct Job<P> {
    /// What goes in.
    pub source: Source,
    /// What was asked for.
    pub request: Request,
    /// As the operator set them, with the schema's defaults filled in.
    pub parameters: P,
    /// The raster that the encode stage decided; none while it is deciding.
    pub raster: Option<Raster>,
    warnings: RefCell<Vec<Warning>>,
}

impl<P> Job<P> {
    /// A job before the encode stage.
    pub fn new(source: Source, request: Request, parameters: P) -> Self {
        Self { source, request, parameters, raster: None, warnings: RefCell::default() }
    }

    /// The same job after the encode stage decided on `raster`.
    pub fn with_raster(mut self, raster: Raster) -> Self {
        self.raster = Some(raster);
        self
    }

    /// The raster, or the fault to return where there is none.
    ///
    /// # Errors
    /// [`Fault::Failed`] in the encode stage, which has none yet.
    pub fn decided_raster(&self) -> Result<Raster, Fault> {
        self.raster.ok_or_else(|| Fault::failed("the encode stage has decided nothing yet"))
    }

    /// Tells the person who gets the result what was dropped, replaced or
    /// scaled. `code` is a short stable name in lower case with underscores,
    /// `message` one sentence of at most 1024 bytes. The host takes at most 32
    /// in a call.
    pub fn warn(&self, code: &'static str, message: impl Into<String>) {
        self.warnings.borrow_mut().push(Warning { code, message: message.into() });
    }

    /// What was said by [`warn`](Self::warn) so far; leaves nothing behind.
    pub fn take_warnings(&self) -> Vec<Warning> {
        self.warnings.take()
    }
}

/// One warning to the person who gets the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// A short stable name.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
}

/// What the caller asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The container by its usual name: `mp4`, `mov`, `webm` or one to come.
    pub container: String,
    /// The box that the picture has to fit in, as for a landscape source; it
    /// is turned for a portrait source.
    pub bounds: Size,
    /// The text to draw, at most 200 characters.
    pub watermark_text: Option<String>,
    /// The file of the picture to draw, of any kind, damaged or hostile; never
    /// together with a text. Only a plugin whose manifest names the mark
    /// `image` meets it.
    pub watermark_image: Option<Blob>,
    /// Where the mark belongs on the raster.
    pub watermark_anchor: Anchor,
    /// Whether a person must see and approve what is drawn. The watermark stage
    /// must then ask before it decides on a plan with overlays.
    pub approval_required: bool,
}

impl Request {
    /// A request for this container and box without a mark; the place of one is
    /// bottom right, and nobody must approve. Change what differs.
    pub fn new(container: impl Into<String>, bounds: Size) -> Self {
        Self {
            container: container.into(),
            bounds,
            watermark_text: None,
            watermark_image: None,
            watermark_anchor: Anchor { x: 1.0, y: 1.0 },
            approval_required: false,
        }
    }
}

/// The source file. It has at least one video track.
#[derive(Debug)]
pub struct Source {
    /// In the file's order; the first is the one that a viewer would see.
    pub video: Vec<SourceVideo>,
    /// In the file's order, the default track first; empty for a silent source.
    pub audio: Vec<SourceAudio>,
    tags: Box<dyn Tags>,
}

impl Source {
    /// A source with these tracks, which are numbered by their place.
    pub fn new(mut video: Vec<SourceVideo>, mut audio: Vec<SourceAudio>) -> Self {
        video.iter_mut().enumerate().for_each(|(place, track)| track.place = place);
        audio.iter_mut().enumerate().for_each(|(place, track)| track.place = place);
        Self { video, audio, tags: Box::new(BTreeMap::new()) }
    }

    /// The same source with the texts that it carries about itself.
    pub fn with_tags(mut self, tags: impl Tags + 'static) -> Self {
        self.tags = Box::new(tags);
        self
    }

    /// A text that the file carries about itself, such as `title` (lower case,
    /// as ffmpeg names them), at most 4096 bytes.
    ///
    /// Some tags tell where and by whom a film was shot: name those that you
    /// copy, one by one.
    pub fn tag(&self, name: &str) -> Option<String> {
        self.tags.get(name)
    }

    /// The video track that a viewer would see.
    ///
    /// # Errors
    /// [`Fault::UnsupportedSource`] if there is none.
    pub fn main_video(&self) -> Result<&SourceVideo, Fault> {
        self.video
            .first()
            .ok_or_else(|| Fault::unsupported_source("The source has no video track."))
    }
}

/// Where a source looks up its tags.
pub trait Tags: fmt::Debug {
    /// The text of this name.
    fn get(&self, name: &str) -> Option<String>;
}

impl Tags for BTreeMap<String, String> {
    fn get(&self, name: &str) -> Option<String> {
        Self::get(self, name).cloned()
    }
}

/// A video track of the source. The host delivers its frames upright and with
/// square pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceVideo {
    /// The codec's RFC 6381 sample entry, such as `avc1`, or ffmpeg's name.
    pub codec: String,
    /// Upright and in square pixels, each side rounded to the nearest pixel.
    pub display_size: Size,
    /// Width over height of the upright picture, exact.
    pub display_aspect: Rational,
    /// Frames per second: the rate where it is constant, else the average.
    pub frame_rate: Rational,
    /// Whether all frames last equally long.
    pub constant_frame_rate: bool,
    /// As tagged in the file, 2 and not full range where it is not.
    pub colour: Colour,
    pub(crate) place: usize,
}

impl SourceVideo {
    /// A track of this codec and size with square pixels, 25 constant frames a
    /// second and no colour tags; change what differs.
    pub fn new(codec: impl Into<String>, display_size: Size) -> Self {
        Self {
            codec: codec.into(),
            display_size,
            display_aspect: Rational::new(display_size.width, display_size.height),
            frame_rate: Rational::new(25, 1),
            constant_frame_rate: true,
            colour: Colour { primaries: 2, transfer: 2, matrix: 2, full_range: false },
            place: 0,
        }
    }
}

/// An audio track of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceAudio {
    /// The codec's RFC 6381 sample entry, such as `mp4a`, or ffmpeg's name.
    pub codec: String,
    /// Samples per second and channel, at least 1.
    pub sample_rate: u32,
    /// At least 1.
    pub channels: u32,
    pub(crate) place: usize,
}

impl SourceAudio {
    /// A track of this codec, rate and number of channels.
    pub fn new(codec: impl Into<String>, sample_rate: u32, channels: u32) -> Self {
        Self { codec: codec.into(), sample_rate, channels, place: 0 }
    }
}

/// The grid of pixels and frame times on which a render is composed. Its
/// pixels are square and its frames all last equally long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Raster {
    /// Both sides even, at least 2 and at most 16384.
    pub size: Size,
    /// Frames per second, at most 120.
    pub frame_rate: Rational,
    /// What frames are converted to and tagged with; no part may be 2, and the
    /// host refuses what it cannot convert the source to.
    pub colour: Colour,
}
