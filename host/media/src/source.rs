//! What the probe found in a source file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::units::{Colour, Rational, Size, Time};

/// A source file with at least one video stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// The container as ffmpeg names its demuxer, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    pub container: String,
    /// From the first presented picture or sound to the end of the last, in seconds.
    pub duration_seconds: f64,
    /// The video streams, in the file's order, never empty. Cover art is not among them.
    pub video: Vec<VideoStream>,
    /// The audio streams, in the file's order, but the file's default stream first.
    pub audio: Vec<AudioStream>,
    /// The file's own texts by their lower-case names, each at most 4096 bytes.
    pub tags: BTreeMap<String, String>,
    /// Streams that no render carries over, such as subtitles, data and cover art.
    pub ignored: Vec<IgnoredStream>,
}

impl Source {
    /// The video stream of this number in the file.
    #[must_use]
    pub fn video_stream(&self, stream: u32) -> Option<&VideoStream> {
        self.video.iter().find(|video| video.stream == stream)
    }

    /// The audio stream of this number in the file.
    #[must_use]
    pub fn audio_stream(&self, stream: u32) -> Option<&AudioStream> {
        self.audio.iter().find(|audio| audio.stream == stream)
    }
}

/// A video stream of the source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VideoStream {
    /// Its number in the file.
    pub stream: u32,
    /// The RFC 6381 name of its sample entry, such as `avc1`, or ffmpeg's name where there is none.
    pub codec: String,
    /// ffmpeg's name of the codec, such as `h264`.
    pub codec_name: String,
    /// ffmpeg's name of the sample layout, such as `yuv420p10le`.
    pub pixel_format: String,
    /// The size as stored, before rotation and sample aspect.
    pub coded_size: Size,
    /// Width over height of a stored pixel.
    pub sample_aspect: Rational,
    /// Degrees that the picture must be turned clockwise to stand upright: 0, 90, 180 or 270.
    pub rotation: u16,
    /// The size upright and in square pixels, each side to the nearest pixel.
    pub display_size: Size,
    /// Width over height of the upright picture, exact.
    pub display_aspect: Rational,
    /// Frames per second: the rate where it is constant, else the average.
    pub frame_rate: Rational,
    /// Whether all frames last equally long.
    pub constant_frame_rate: bool,
    /// The colour as tagged in the file.
    pub colour: Colour,
    /// Whether frames consist of two fields of different moments.
    pub interlaced: bool,
    /// Whether pixels can be transparent.
    pub has_alpha: bool,
    /// How many frames the container says there are.
    pub frames: Option<u64>,
    /// When the first presented frame begins, on the file's clock.
    pub begin: Time,
    /// When the last frame ends, on the file's clock.
    pub end: Time,
    /// Whether the file leaves open how long the last frame lasts; `end` then takes it to last as
    /// long as the others.
    pub last_frame_open: bool,
    /// How its packets are coded.
    #[serde(default)]
    pub coding: Coding,
}

/// What matters of a stream's packets when they are to be passed on as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coding {
    /// ffmpeg's name of the profile, such as `High` or `LC`; empty where it knows none.
    pub profile: String,
    /// How many pictures a decoder holds back to bring them in order.
    pub reordered: u32,
    /// When the first packet begins, on the file's clock in ticks of the stream's `begin`, be it
    /// presented or not.
    pub first_packet: Option<i64>,
    /// Whether decoding can start at the first packet.
    pub begins_with_sync: bool,
    /// The rate at which nearly all pictures follow each other, be there gaps or not.
    pub steady_rate: Option<Rational>,
}

impl VideoStream {
    /// How many frames of `rate` the stream fills, at least 1.
    #[must_use]
    pub fn frames_at(&self, rate: Rational) -> u64 {
        u64::try_from(self.end.steps_since(self.begin, rate)).unwrap_or(0).max(1)
    }

    /// How long the stream is presented, in seconds.
    #[must_use]
    pub fn duration_seconds(&self) -> f64 {
        self.end.seconds() - self.begin.seconds()
    }
}

/// An audio stream of the source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AudioStream {
    /// Its number in the file.
    pub stream: u32,
    /// The RFC 6381 name of its sample entry, such as `mp4a`, or ffmpeg's name where there is none.
    pub codec: String,
    /// ffmpeg's name of the codec, such as `aac`.
    pub codec_name: String,
    /// Samples per second and channel.
    pub sample_rate: u32,
    /// The number of channels.
    pub channels: u32,
    /// The language as three letters of ISO 639-2, if the file says.
    pub language: Option<String>,
    /// Whether the file marks it as the one to play.
    pub default: bool,
    /// When the first presented sample begins, on the file's clock.
    pub begin: Time,
    /// When the last sample ends, on the file's clock.
    pub end: Time,
    /// How its packets are coded.
    #[serde(default)]
    pub coding: Coding,
}

impl AudioStream {
    /// How many samples of its packets lie before its beginning; none if that is not known.
    #[must_use]
    pub(crate) fn priming(&self) -> Option<i64> {
        let first = Time { ticks: self.coding.first_packet?, ..self.begin };
        Some(
            self.begin.steps_since(first, Rational { numerator: self.sample_rate, denominator: 1 }),
        )
    }
}

/// A stream that no render carries over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IgnoredStream {
    /// Its number in the file.
    pub stream: u32,
    /// What it is.
    pub kind: IgnoredKind,
    /// ffmpeg's name of the codec; empty where ffmpeg knows none.
    pub codec_name: String,
}

/// What a stream that no render carries over is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IgnoredKind {
    /// Subtitles or captions.
    Subtitle,
    /// A still picture that belongs to the file as a whole.
    CoverArt,
    /// An audio or video stream without any decodable sample.
    Silent,
    /// Timecode, metadata, attachments and whatever else there is.
    Data,
}
