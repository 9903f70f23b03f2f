//! The codec engine of the host: ffmpeg in a jail, probing, graph building, packets.
//!
//! Everything that touches a media file happens in an ffmpeg or ffprobe process behind
//! [`jail`]: it can read the one input it was given by descriptor, write to the pipes it
//! was given, and nothing else.

mod composition;
mod engine;
mod error;
mod fragments;
mod graph;
mod input;
mod inspect;
pub mod jail;
mod launcher;
mod merge;
mod overlay;
mod preview;
mod probe;
pub mod process;
mod run;
mod source;
mod tools;
mod track;
mod units;

pub use composition::{
    AudioCodec, Composition, Overlay, RateControl, TrackPlan, VideoCodec, VideoEncoder,
};
pub use engine::{Ffmpeg, Limits};
pub use error::MediaError;
pub use input::{Input, InputFormat};
pub use inspect::{InspectedFormat, InspectedTrack, Inspection};
pub use launcher::Launcher;
pub use preview::Preview;
pub use process::Progress;
pub use run::framed::{Decoded, FrameEncoder, FrameSink, Framed, PacketSink};
pub use run::{Run, Starting, Summary};
pub use source::{AudioStream, Coding, IgnoredKind, IgnoredStream, Source, VideoStream};
pub use tools::Tools;
pub use track::{Packet, Track, TrackFormat};
pub use units::{Colour, Point, Rational, Size, Time};
