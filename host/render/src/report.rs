//! What a completed render says about itself.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Serialize, Serializer};
use stage::Digest;
use stage::model::{Stage, Warning};

use crate::chain::Link;
use crate::request::Container;

/// A completed render.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The file.
    pub output: PathBuf,
    /// Its container.
    pub container: Container,
    /// Its width in square pixels.
    pub width: u32,
    /// Its height in square pixels.
    pub height: u32,
    /// How long it is presented.
    pub duration_seconds: f64,
    /// The number of video frames in it.
    pub frames: u64,
    /// Its size.
    pub bytes: u64,
    /// Whether anything was drawn on it.
    pub watermark_applied: bool,
    /// Its tracks in their order.
    pub tracks: Vec<TrackMade>,
    /// What made it.
    pub plugins: BTreeMap<Stage, PluginUsed>,
    /// How long each step took.
    pub seconds: Seconds,
    /// What was dropped, replaced or scaled.
    pub warnings: Vec<Warning>,
}

/// A track of the output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrackMade {
    /// The codec by RFC 6381.
    pub codec: String,
    /// How it came about.
    pub made: Made,
}

/// How a track came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Made {
    /// The source's own packets were passed on.
    Copied,
    /// Decoded and encoded by the codec engine.
    Encoded,
    /// Decoded by the codec engine and encoded by the encode plugin.
    EncodedByPlugin,
}

/// A plugin that took part.
#[derive(Clone, Debug, Serialize)]
pub struct PluginUsed {
    /// Its name by its own account.
    pub name: String,
    /// Its version by its own account.
    pub version: String,
    /// The digest of its component.
    pub digest: Digest,
}

impl PluginUsed {
    pub(crate) fn of(link: &Link) -> Self {
        let manifest = link.plugin.manifest();
        Self {
            name: manifest.name.clone(),
            version: manifest.version.clone(),
            digest: *link.plugin.digest(),
        }
    }
}

/// Wall-clock time by step, in seconds with milliseconds. Waiting for a person
/// is not counted.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Seconds {
    /// Reading and checking the source.
    #[serde(serialize_with = "seconds")]
    pub probe: Duration,
    /// The stages deciding.
    #[serde(serialize_with = "seconds")]
    pub plan: Duration,
    /// Rendering previews.
    #[serde(serialize_with = "seconds")]
    pub preview: Duration,
    /// Encoding and muxing.
    #[serde(serialize_with = "seconds")]
    pub encode: Duration,
    /// Checking and publishing.
    #[serde(serialize_with = "seconds")]
    pub commit: Duration,
}

fn seconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((duration.as_secs_f64() * 1000.0).round() / 1000.0)
}
