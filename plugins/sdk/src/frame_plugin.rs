//! What a plugin implements beside its stage if it wants the frames.

use crate::frames::{EncodedTrack, EncodingTask, Frame, MadePacket, Pass};
use crate::job::Job;
use crate::plugin::{EncodePlugin, WatermarkPlugin};
use crate::verdict::Fault;

/// A watermark plugin that also works on the frames themselves, wherever its
/// plan wants them. Export it with [`export_frame_filter!`](crate::export_frame_filter).
///
/// What becomes of a frame may depend on nothing but the job, the frame and
/// those that follow it within the look-ahead: the host begins a pass anywhere,
/// and a person who approved a preview must get just that.
///
/// ```
/// use stage_sdk::*;
///
/// /// Draws a line along the top of every frame.
/// struct Line;
///
/// impl WatermarkPlugin for Line {
///     type Parameters = NoParameters;
///
///     fn manifest() -> Manifest {
///         manifest!()
///     }
///
///     fn start(_job: &Job<NoParameters>) -> Result<Verdict<WatermarkPlan>, Fault> {
///         let plan = WatermarkPlan { want_frames: Some(0), ..WatermarkPlan::default() };
///         Ok(Verdict::Ready(plan)) // A real one asks if `approval_required`.
///     }
/// }
///
/// struct Drawing {
///     width: u32,
/// }
///
/// impl FrameFilter for Line {
///     type Filter<F: Frame> = Drawing;
///
///     fn begin<F: Frame>(job: &Job<NoParameters>, _pass: Pass) -> Result<Drawing, Fault> {
///         Ok(Drawing { width: job.decided_raster()?.size.width })
///     }
/// }
///
/// impl<F: Frame> Filter<F> for Drawing {
///     fn push(&mut self, mut frame: F) -> Result<Vec<F>, Fault> {
///         if frame.layout() != YUV420 {
///             return Err(Fault::failed("Frames of this layout are not known."));
///         }
///         frame.fill_rect(0, Rect::new(0, 0, self.width, 2), 235);
///         Ok(vec![frame])
///     }
///
///     fn flush(self) -> Result<Vec<F>, Fault> {
///         Ok(Vec::new())
///     }
/// }
///
/// stage_sdk::export_frame_filter!(Line);
///
/// let size = Size::new(4, 4);
/// let raster = Raster { size, frame_rate: Rational::new(25, 1), colour: Colour::BT709 };
/// let source = Source::new(vec![SourceVideo::new("avc1", size)], vec![]);
/// let request = Request::new("mp4", size);
/// let job = Job::new(source, request, NoParameters {}).with_raster(raster);
/// let pass = Pass { first: 0, frames: Some(1) };
/// let mut drawing = Line::begin::<MemoryFrame>(&job, pass).unwrap();
/// let frames = drawing.push(MemoryFrame::filled(0, size, Colour::BT709, [16, 128, 128])).unwrap();
/// assert_eq!(frames[0].samples(0), [[235; 8], [16; 8]].concat());
/// ```
pub trait FrameFilter: WatermarkPlugin {
    /// One pass over frames of type `F`.
    type Filter<F: Frame>: Filter<F>;

    /// Begins a pass, in an instance of its own.
    ///
    /// # Errors
    /// Why these frames cannot be worked on.
    fn begin<F: Frame>(job: &Job<Self::Parameters>, pass: Pass) -> Result<Self::Filter<F>, Fault>;
}

/// One pass over frames. As many leave it as came: the n-th that is returned is
/// shown in the place of the n-th that came. To drop a frame or show it twice,
/// return another in its place.
pub trait Filter<F: Frame>: 'static {
    /// Takes the next frame, and returns those that are finished, in the order
    /// in which they are shown. No more may be held back than the plan's
    /// look-ahead.
    ///
    /// # Errors
    /// Why the frames cannot be worked on; nothing is called after that.
    fn push(&mut self, frame: F) -> Result<Vec<F>, Fault>;

    /// Returns what was held back; there are no more frames.
    ///
    /// # Errors
    /// Why the frames cannot be worked on.
    fn flush(self) -> Result<Vec<F>, Fault>;
}

/// An encode plugin that also makes the packets of a track itself, wherever its
/// plan wants the frames. Export it with
/// [`export_frame_encoder!`](crate::export_frame_encoder).
///
/// ```
/// use stage_sdk::*;
///
/// /// Keeps the brightness alone, uncompressed.
/// struct Grey;
///
/// impl EncodePlugin for Grey {
///     type Parameters = NoParameters;
///
///     fn manifest() -> Manifest {
///         manifest!()
///     }
///
///     fn start(job: &Job<NoParameters>) -> Result<Verdict<EncodePlan>, Fault> {
///         let video = job.source.main_video()?;
///         let size = Size::new(64, 36);
///         let raster = Raster { size, frame_rate: video.frame_rate, colour: Colour::BT709 };
///         let mut plan = EncodePlan::new(raster);
///         plan.add_video(video, VideoEncoding { want_frames: true, ..VideoEncoding::new("grey") });
///         Ok(Verdict::Ready(plan))
///     }
/// }
///
/// struct Packing {
///     task: EncodingTask,
/// }
///
/// impl FrameEncoder for Grey {
///     type Encoder<F: Frame> = Packing;
///
///     fn begin<F: Frame>(_: &Job<NoParameters>, task: EncodingTask) -> Result<Packing, Fault> {
///         Ok(Packing { task })
///     }
/// }
///
/// impl<F: Frame> Encoder<F> for Packing {
///     fn track(&mut self) -> Result<EncodedTrack, Fault> {
///         Ok(EncodedTrack { codec: "grey".into(), codec_config: Vec::new() })
///     }
///
///     fn push(&mut self, frame: &F) -> Result<Vec<MadePacket>, Fault> {
///         let luma = frame.planes().first().map(|plane| plane.size);
///         let size = luma.ok_or_else(|| Fault::failed("A frame has no planes."))?;
///         let mut data = Vec::new();
///         frame.read_rect(0, Rect::new(0, 0, size.width, size.height), &mut data);
///         let time = self.task.time_of(frame.index());
///         let duration = self.task.frame_duration;
///         Ok(vec![MadePacket { pts: time, dts: time, duration, is_sync: true, data }])
///     }
///
///     fn flush(&mut self) -> Result<Vec<MadePacket>, Fault> {
///         Ok(Vec::new())
///     }
/// }
///
/// stage_sdk::export_frame_encoder!(Grey);
///
/// let task = EncodingTask { track: 0, timescale: 25, frame_duration: 1, frames: None };
/// let frame = MemoryFrame::filled(9, Size::new(64, 36), Colour::BT709, [81, 90, 240]);
/// let packets = Packing { task }.push(&frame).unwrap();
/// assert_eq!((packets[0].pts, packets[0].data.len()), (9, 64 * 36));
/// ```
pub trait FrameEncoder: EncodePlugin {
    /// One track being encoded from frames of type `F`.
    type Encoder<F: Frame>: Encoder<F>;

    /// Begins a track, in an instance of its own.
    ///
    /// # Errors
    /// Why this track cannot be encoded.
    fn begin<F: Frame>(
        job: &Job<Self::Parameters>,
        task: EncodingTask,
    ) -> Result<Self::Encoder<F>, Fault>;
}

/// One video track being encoded. In the end there is one packet for each
/// frame.
pub trait Encoder<F: Frame>: 'static {
    /// What the muxer is told: asked once, after the first frame that yields a
    /// packet, or after [`flush`](Self::flush).
    ///
    /// # Errors
    /// Why this track cannot be encoded.
    fn track(&mut self) -> Result<EncodedTrack, Fault>;

    /// Takes the next frame of the raster with everything drawn on it, and
    /// returns finished packets in the order in which they are decoded.
    /// [`Frame::retain`] keeps a frame beyond the call.
    ///
    /// # Errors
    /// Why this track cannot be encoded; nothing is called after that.
    fn push(&mut self, frame: &F) -> Result<Vec<MadePacket>, Fault>;

    /// Returns the packets that were held back; there are no more frames.
    ///
    /// # Errors
    /// Why this track cannot be encoded.
    fn flush(&mut self) -> Result<Vec<MadePacket>, Fault>;
}
