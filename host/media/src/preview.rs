//! One frame of what a run would make.

use std::sync::Arc;

use picture::{Frame, Layout, Pool};

use crate::composition::{Composition, TrackPlan};
use crate::graph::{self, Inputs, OverlayInput, Shown};
use crate::process::{Job, Tool};
use crate::run::framed::fill_from;
use crate::source::{Source, VideoStream};
use crate::units::{Colour, Size, Time};
use crate::{Ffmpeg, Input, InputFormat, MediaError, overlay, probe, run};

/// Which part of the film lies before the picture that is shown.
const PLACE: f64 = 1.0 / 3.0;

/// How many packets after a seek are looked at for a sync sample.
const PACKETS: u32 = 300;

/// The list of them, in bytes.
const SCAN_BYTES: u64 = 1 << 20;

/// The picture that a run puts at one place of its raster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// The picture as a PNG file: the raster's size, 8 bits of red, green and blue.
    pub png: Vec<u8>,
    /// Which frame of the raster it is, counted from 0.
    pub frame: u64,
}

impl Ffmpeg {
    /// Makes one frame of `composition`: the sync sample at or before a third of its first video
    /// track, through the same graph as a run and so the same picture. Takes about as long as
    /// decoding one frame, however long the source is.
    ///
    /// Fails with the errors of [`Composition::check`], of starting a process, or
    /// [`MediaError::TimedOut`] after [`Limits::stall`](crate::Limits::stall).
    pub async fn preview(
        &self,
        input: &Input,
        source: &Source,
        composition: &Composition,
    ) -> Result<Preview, MediaError> {
        let (shown, frame) = self.place(input, source, composition).await?;
        let mut job = Job::new(Tool::Ffmpeg);
        let overlays = run::overlays(&mut job, composition)?;
        let inputs = self.inputs(&mut job, input, &overlays)?;
        job.args(graph::preview(source, composition, &inputs, &shown));
        let png = self.png(job, composition.size).await?;
        Ok(Preview { png, frame })
    }

    /// The frames of the raster from the one that [`Ffmpeg::preview`] shows on: `count` of them, or
    /// as many as there are. What it says of time holds here, too.
    ///
    /// Fails like [`Ffmpeg::preview`].
    pub async fn preview_frames(
        &self,
        input: &Input,
        source: &Source,
        composition: &Composition,
        count: u32,
    ) -> Result<Vec<Frame>, MediaError> {
        let (shown, first) = self.place(input, source, composition).await?;
        let mut job = Job::new(Tool::Ffmpeg);
        let overlays = run::overlays(&mut job, composition)?;
        let inputs = self.inputs(&mut job, input, &overlays)?;
        job.args(graph::preview_frames(source, composition, &inputs, &shown, count));
        let limit = self.limits().stall;
        let frames = self.frames(job, composition.size, first, count);
        let frames = tokio::time::timeout(limit, frames).await;
        let frames = frames.unwrap_or(Err(MediaError::TimedOut { limit }))?;
        if frames.is_empty() && count > 0 { Err(undecodable()) } else { Ok(frames) }
    }

    /// The picture of `frame`, whose samples are in `colour`, as [`Preview::png`] would show it.
    ///
    /// Fails with the errors of starting a process, or [`MediaError::TimedOut`] after
    /// [`Limits::stall`](crate::Limits::stall).
    pub async fn picture(&self, frame: &Frame, colour: Colour) -> Result<Vec<u8>, MediaError> {
        let size = frame.picture.size().into();
        let mut job = Job::new(Tool::Ffmpeg);
        let samples = job.read(overlay::file(frame.picture.bytes())?)?;
        job.args(graph::picture(size, colour, &samples));
        self.png(job, size).await
    }

    /// Where the preview lies, and on which frame of the raster.
    async fn place(
        &self,
        input: &Input,
        source: &Source,
        composition: &Composition,
    ) -> Result<(Shown, u64), MediaError> {
        composition.check(source, self.limits())?;
        let video = composition.tracks.iter().find_map(|track| match track {
            TrackPlan::Video { stream, .. } => source.video_stream(*stream),
            TrackPlan::Audio { .. } => None,
        });
        let video = video.ok_or_else(|| MediaError::host("a preview", "no video track"))?;
        let at = self.sync_sample(input, video).await?;
        let seek = (at > video.begin).then(|| at.seconds() - preroll(input.format(), video));
        let seek = seek.map(|seconds| seconds.max(video.begin.seconds()));
        let frame = at.steps_since(video.begin, composition.frame_rate);
        let shown = Shown { stream: video.stream, at, seek };
        Ok((shown, u64::try_from(frame).unwrap_or(0)))
    }

    fn inputs<'a>(
        &self,
        job: &mut Job,
        input: &Input,
        overlays: &'a [OverlayInput],
    ) -> Result<Inputs<'a>, MediaError> {
        Ok(Inputs {
            source: job.read(input.file())?,
            demuxer: input.format().demuxer(),
            max_pixels: self.limits().max_pixels,
            overlays,
        })
    }

    /// The picture file of `size` that `job` writes to stdout.
    async fn png(&self, job: Job, size: Size) -> Result<Vec<u8>, MediaError> {
        // Deflate does not make noise smaller, but hardly larger either.
        let most = size.pixels().saturating_mul(4).saturating_add(1 << 20);
        let png = self.capture(job, most, self.limits().stall).await?;
        if png.is_empty() { Err(undecodable()) } else { Ok(png) }
    }

    /// The frames from number `first` on that `job` writes to stdout.
    async fn frames(
        &self,
        mut job: Job,
        size: Size,
        first: u64,
        count: u32,
    ) -> Result<Vec<Frame>, MediaError> {
        let mut pipe = job.stdout()?;
        let mut child = self.spawn(job).await?;
        let pool = Pool::new(size.into(), Layout::Yuv420p8, usize::try_from(count).unwrap_or(0));
        let mut frames = Vec::new();
        for index in (first..).take(usize::try_from(count).unwrap_or(0)) {
            let mut picture = pool.take();
            match fill_from(&mut pipe, picture.bytes_mut()).await {
                Ok(true) => frames.push(Frame { index, picture: Arc::new(picture) }),
                Ok(false) => break,
                Err(error) => {
                    drop(pipe);
                    return Err(child
                        .wait()
                        .await?
                        .check(&self.limits().jail)
                        .err()
                        .unwrap_or(error));
                }
            }
        }
        child.wait().await?.check(&self.limits().jail)?;
        Ok(frames)
    }

    /// When the sync sample nearest to the place of the preview begins, on the file's clock.
    async fn sync_sample(&self, input: &Input, video: &VideoStream) -> Result<Time, MediaError> {
        let place = video.begin.seconds() + video.duration_seconds() * PLACE;
        let (mut job, path) = probe::ffprobe(input, self.limits().max_pixels)?;
        job.args(["-select_streams".to_owned(), video.stream.to_string()]);
        job.args(["-read_intervals".to_owned(), format!("{place:.3}%+#{PACKETS}")]);
        job.args(["-show_entries", "packet=stream_index,pts,dts,duration,flags"]);
        job.args(["-of", "csv=p=0", "-i", &path]);
        // A container that cannot be searched still has a first frame.
        let lines = self.ask(job, SCAN_BYTES).await.unwrap_or_default();
        let lines = String::from_utf8_lossy(&lines);
        let packets = lines.lines().filter_map(probe::Line::parse);
        let mut found = None;
        for packet in packets.filter(|packet| packet.is_sync && packet.pts >= video.begin.ticks) {
            let time = Time { ticks: packet.pts, time_base: video.begin.time_base };
            // The first at all, if none lies before the place.
            if found.is_none() || time.seconds() <= place {
                found = Some(time);
            }
        }
        Ok(found.unwrap_or(video.begin))
    }
}

fn undecodable() -> MediaError {
    MediaError::Unreadable { message: "its picture cannot be decoded".into() }
}

/// How long before a sync sample a search for it begins, in seconds: nothing where an index leads
/// to it; elsewhere a search by time ends anywhere. What is found too early is dropped, but lets
/// fields be made into frames as in a run, which looks at the frames before.
fn preroll(format: InputFormat, video: &VideoStream) -> f64 {
    match format {
        InputFormat::IsoBmff | InputFormat::Matroska | InputFormat::Avi if !video.interlaced => 0.0,
        _ => 2.0,
    }
}
