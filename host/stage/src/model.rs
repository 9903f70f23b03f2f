//! What passes between the host and a stage, as plain data.
//!
//! The types mirror the package in `wit/`; their meanings, units and ranges are the ones written
//! there. They hold no handle of an instance, so they outlive it and can be stored.

mod blob;
mod image;
mod job;
mod media;
mod outcome;
mod plan;

pub use blob::Blob;
pub use image::Image;
pub(crate) use image::MAX_SIDE;
pub use job::{Answer, Job, Request, Resumption, Source, SourceAudio, SourceVideo};
pub use media::{Anchor, Colour, Packet, Point, Rational, Size, Track, TrackFormat};
pub use outcome::{Decision, Suspension, Verdict, Warning};
pub use plan::{
    AudioEncoding, EncodePlan, MuxPlan, Overlay, Plan, PlannedTrack, Raster, RateControl, Stage,
    UnknownStage, VideoEncoding, WatermarkPlan,
};

#[cfg(test)]
mod tests;
