//! Write a stage plugin of the render host as one trait implementation and
//! one macro line.
//!
//! | stage | implement | export |
//! |---|---|---|
//! | encode | [`EncodePlugin`] | [`export_encode!`] |
//! | … and makes the packets itself | [`FrameEncoder`] and [`Encoder`] as well | [`export_frame_encoder!`] |
//! | watermark | [`WatermarkPlugin`] | [`export_watermark!`] |
//! | … and works on the frames themselves | [`FrameFilter`] and [`Filter`] as well | [`export_frame_filter!`] |
//! | mux | [`MuxPlugin`] and [`Muxer`] | [`export_mux!`] |
//!
//! Everything that a stage reads and decides is plain data here, so that its
//! logic is tested natively with `cargo test`, without wasm and without a
//! host. The export macro does nothing outside wasm.

#[doc(hidden)]
pub mod bindings;
mod blob;
mod frame_plugin;
mod frames;
#[doc(hidden)]
pub mod glue;
mod job;
mod manifest;
mod media;
mod plans;
mod plugin;
mod types;
mod verdict;

pub use blob::Blob;
pub use frame_plugin::{Encoder, Filter, FrameEncoder, FrameFilter};
pub use frames::{EncodedTrack, EncodingTask, Frame, MadePacket, MemoryFrame, Pass, Plane, YUV420};
pub use job::{Job, Raster, Request, Source, SourceAudio, SourceVideo, Tags, Warning};
pub use manifest::{Manifest, NoParameters};
pub use media::{MemoryOutput, Output, Packet, Track, TrackFormat};
pub use plans::{
    AudioEncoding, EncodePlan, Image, MuxPlan, Overlay, PlannedTrack, RateControl, VideoEncoding,
    WatermarkPlan,
};
pub use plugin::{EncodePlugin, MuxPlugin, Muxer, WatermarkPlugin};
pub use schemars;
pub use types::{Anchor, Colour, Point, Rational, Rect, Size};
pub use verdict::{Answer, Fault, Resumed, Resumption, Suspension, Verdict};

/// Makes the crate a component of an [`EncodePlugin`].
#[macro_export]
macro_rules! export_encode {
    ($plugin:ty) => {
        $crate::__export!($plugin, Encode[CHECKED]: encode);
    };
}

/// Makes the crate a component of an [`EncodePlugin`] that is a
/// [`FrameEncoder`] too.
#[macro_export]
macro_rules! export_frame_encoder {
    ($plugin:ty) => {
        $crate::__export!($plugin, Encode[ENCODES]: encode, frame_encoder);
    };
}

/// Makes the crate a component of a [`WatermarkPlugin`].
#[macro_export]
macro_rules! export_watermark {
    ($plugin:ty) => {
        $crate::__export!($plugin, Watermark[CHECKED]: watermark);
    };
}

/// Makes the crate a component of a [`WatermarkPlugin`] that is a
/// [`FrameFilter`] too.
#[macro_export]
macro_rules! export_frame_filter {
    ($plugin:ty) => {
        $crate::__export!($plugin, Watermark[FILTERS]: watermark, frame_filter);
    };
}

/// Makes the crate a component of a [`MuxPlugin`].
#[macro_export]
macro_rules! export_mux {
    ($plugin:ty) => {
        $crate::__export!($plugin, Mux[CHECKED]: mux, muxing);
    };
}

/// Outside wasm only checks that the type implements the traits.
#[doc(hidden)]
#[macro_export]
macro_rules! __export {
    ($plugin:ty, $adapter:ident[$check:ident]: $($interface:ident),+) => {
        #[cfg(target_family = "wasm")]
        const _: () = {
            type Exported = $crate::glue::$adapter<$plugin>;
            $crate::bindings::plugin::export!(
                Exported with_types_in $crate::bindings::plugin
            );
            $($crate::bindings::$interface::export!(
                Exported with_types_in $crate::bindings::$interface
            );)+
        };
        #[cfg(not(target_family = "wasm"))]
        const _: () = $crate::glue::$adapter::<$plugin>::$check;
    };
}

/// Keeps the examples of the README compiling.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
