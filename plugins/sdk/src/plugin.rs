//! What a plugin implements: one of these traits.

use crate::job::Job;
use crate::manifest::Manifest;
use crate::media::{Output, Packet, Track};
use crate::plans::{EncodePlan, MuxPlan, WatermarkPlan};
use crate::verdict::{Fault, Resumed, Resumption, Verdict};
use serde::de::DeserializeOwned;

/// A plugin that fills the encode stage: it decides raster, rate, colour and
/// codecs.
///
/// ```
/// use stage_sdk::*;
///
/// struct Small;
///
/// impl EncodePlugin for Small {
///     type Parameters = NoParameters;
///
///     fn manifest() -> Manifest {
///         manifest!().container("mp4")
///     }
///
///     fn start(job: &Job<NoParameters>) -> Result<Verdict<EncodePlan>, Fault> {
///         let video = job.source.main_video()?;
///         let raster = Raster {
///             size: Size::new(320, 180),
///             frame_rate: video.frame_rate,
///             colour: Colour::BT709,
///         };
///         let mut plan = EncodePlan::new(raster);
///         plan.add_video(video, VideoEncoding::new("avc1"));
///         Ok(Verdict::Ready(plan))
///     }
/// }
///
/// stage_sdk::export_encode!(Small);
///
/// let source = Source::new(vec![SourceVideo::new("avc1", Size::new(1920, 1080))], vec![]);
/// let request = Request::new("mp4", Size::new(1280, 720));
/// let Ok(Verdict::Ready(plan)) = Small::start(&Job::new(source, request, NoParameters {})) else {
///     panic!("decides at once");
/// };
/// assert_eq!(plan.raster.size, Size::new(320, 180));
/// ```
pub trait EncodePlugin: 'static {
    /// The operator's settings, [`NoParameters`](crate::NoParameters) if there
    /// are none.
    type Parameters: DeserializeOwned;

    /// Says what the plugin is.
    fn manifest() -> Manifest;

    /// Decides, or asks. Runs within a small budget of time (two seconds unless the
    /// operator gives more).
    ///
    /// # Errors
    /// What cannot be done.
    fn start(job: &Job<Self::Parameters>) -> Result<Verdict<EncodePlan>, Fault>;

    /// Goes on after a question, in a new instance. Plugins that ask nothing
    /// leave it out.
    ///
    /// # Errors
    /// What cannot be done; [`Fault::Declined`] where a no ends the render.
    fn resume(
        _job: &Job<Self::Parameters>,
        _resumption: &Resumption,
    ) -> Result<Resumed<EncodePlan>, Fault> {
        Err(asked_nothing())
    }
}

/// A plugin that fills the watermark stage: it decides what is drawn on the
/// raster that [`Job::decided_raster`] gives.
pub trait WatermarkPlugin: 'static {
    /// The operator's settings.
    type Parameters: DeserializeOwned;

    /// Says what the plugin is.
    fn manifest() -> Manifest;

    /// Decides, or asks, within a small budget of time.
    ///
    /// # Errors
    /// What cannot be done.
    fn start(job: &Job<Self::Parameters>) -> Result<Verdict<WatermarkPlan>, Fault>;

    /// Goes on after a question, in a new instance.
    ///
    /// # Errors
    /// What cannot be done; [`Fault::Declined`] where a no ends the render.
    fn resume(
        _job: &Job<Self::Parameters>,
        _resumption: &Resumption,
    ) -> Result<Resumed<WatermarkPlan>, Fault> {
        Err(asked_nothing())
    }
}

/// A plugin that fills the mux stage: it writes the container.
pub trait MuxPlugin: 'static {
    /// The operator's settings.
    type Parameters: DeserializeOwned;

    /// One file being written to an output of type `O`.
    type Muxer<O: Output>: Muxer<O>;

    /// Says what the plugin is.
    fn manifest() -> Manifest;

    /// Decides whether and how the container can be written, or asks.
    ///
    /// # Errors
    /// What cannot be done.
    fn start(job: &Job<Self::Parameters>) -> Result<Verdict<MuxPlan>, Fault>;

    /// Goes on after a question, in a new instance.
    ///
    /// # Errors
    /// What cannot be done; [`Fault::Declined`] where a no ends the render.
    fn resume(
        _job: &Job<Self::Parameters>,
        _resumption: &Resumption,
    ) -> Result<Resumed<MuxPlan>, Fault> {
        Err(asked_nothing())
    }

    /// Begins a file with these tracks, in an instance of its own: those of the
    /// encode plan come first in its order, others may follow.
    ///
    /// # Errors
    /// Why these tracks cannot be written. A track whose codec or kind the
    /// plugin does not know must be refused.
    fn begin<O: Output>(
        job: &Job<Self::Parameters>,
        tracks: Vec<Track>,
        output: O,
    ) -> Result<Self::Muxer<O>, Fault>;
}

/// One file being written.
pub trait Muxer<O: Output>: 'static {
    /// Takes the next packet. They come by decode time across all tracks
    /// (`dts` plus the track's start and priming). `data` stands for the packet's bytes:
    /// hand it to [`Output::append_packet`].
    ///
    /// # Errors
    /// Why the file cannot be written; nothing is called after that.
    fn write(&mut self, packet: &Packet, data: &O::Data) -> Result<(), Fault>;

    /// Ends the file.
    ///
    /// # Errors
    /// Why the file cannot be written.
    fn finish(self) -> Result<(), Fault>;
}

fn asked_nothing() -> Fault {
    Fault::failed("This plugin was resumed although it asks nothing.")
}
