//! One frame of what a run would make.

use std::pin::Pin;
use std::sync::Arc;

use picture::{Frame, Layout, Picture, Pool};

use crate::composition::{Composition, TrackPlan};
use crate::graph::{self, Shown};
use crate::process::{Job, Tool, said};
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

/// The filter that tells how pictures were coded.
const TELLER: &str = "showinfo";

/// What it says first of the first of them.
const FIRST: &str = "n:   0 ";

/// How it says there that a picture needs no other.
const INTRA: &str = "type:I";

/// How far back a picture that is renewed part by part is followed, in seconds, and through how
/// many renewals: the first may have begun before the search did.
const REFRESH_SECONDS: f64 = 40.0;
const REFRESHES: usize = 2;

/// Something that is being made at one place, none if nothing came, and what the tool said. Boxed,
/// so that whoever spawns a preview need not look into it.
type Making<'a, T> =
    Pin<Box<dyn Future<Output = Result<(Option<T>, String), MediaError>> + Send + 'a>>;

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
        let png = |shown: Shown| -> Making<'_, Vec<u8>> {
            Box::pin(async move {
                let mut job = Job::new(Tool::Ffmpeg);
                let overlays = run::overlays(&mut job, composition)?;
                let inputs = self.inputs(&mut job, input, &overlays)?;
                job.args(graph::preview(source, composition, &inputs, &shown));
                let (png, words) = self.png(job, composition.size).await?;
                Ok((Some(png).filter(|png| !png.is_empty()), words))
            })
        };
        let (png, frame) = self.show(input, source, composition, png).await?;
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
        if count == 0 {
            return Ok(Vec::new());
        }
        let pictures = |shown: Shown| -> Making<'_, Vec<Picture>> {
            Box::pin(async move {
                let mut job = Job::new(Tool::Ffmpeg);
                let overlays = run::overlays(&mut job, composition)?;
                let inputs = self.inputs(&mut job, input, &overlays)?;
                job.args(graph::preview_frames(source, composition, &inputs, &shown, count));
                let limit = self.limits().stall;
                let pictures = self.pictures(job, composition.size, count);
                let pictures = tokio::time::timeout(limit, pictures).await;
                let (pictures, words) = pictures.unwrap_or(Err(MediaError::TimedOut { limit }))?;
                Ok((Some(pictures).filter(|pictures| !pictures.is_empty()), words))
            })
        };
        let (pictures, first) = self.show(input, source, composition, pictures).await?;
        let frames = (first..).zip(pictures);
        Ok(frames.map(|(index, picture)| Frame { index, picture: Arc::new(picture) }).collect())
    }

    /// What `make` makes at the place of the preview, and on which frame of the raster that is.
    /// Where nothing comes of a search, it is the first frame.
    async fn show<'a, T>(
        &self,
        input: &Input,
        source: &Source,
        composition: &Composition,
        make: impl Fn(Shown) -> Making<'a, T>,
    ) -> Result<(T, u64), MediaError> {
        let (video, shown) = self.place(input, source, composition).await?;
        let on_raster = |shown: &Shown| {
            let frame = shown.at.steps_since(video.begin, composition.frame_rate);
            u64::try_from(frame).unwrap_or(0)
        };
        let (mut made, words) = make(shown).await?;
        if made.is_some() && shown.seek.is_some() && needs_others(input.format(), video, &words) {
            let seek = self.refreshed_from(input, video, shown.at).await;
            (made, _) = make(Shown { seek, ..shown }).await?;
        }
        if let Some(made) = made {
            return Ok((made, on_raster(&shown)));
        }
        let first = Shown { at: video.begin, seek: None, ..shown };
        let (made, _) = make(first).await?;
        made.map(|made| (made, on_raster(&first))).ok_or_else(undecodable)
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
        let (png, _) = self.png(job, size).await?;
        if png.is_empty() { Err(undecodable()) } else { Ok(png) }
    }

    /// Of which stream the preview is, and where it lies.
    async fn place<'a>(
        &self,
        input: &Input,
        source: &'a Source,
        composition: &Composition,
    ) -> Result<(&'a VideoStream, Shown), MediaError> {
        composition.check(source, self.limits())?;
        let video = composition.tracks.iter().find_map(|track| match track {
            TrackPlan::Video { stream, .. } => source.video_stream(*stream),
            TrackPlan::Audio { .. } => None,
        });
        let video = video.ok_or_else(|| MediaError::host("a preview", "no video track"))?;
        let at = self.sync_sample(input, video).await?;
        let seek = (at > video.begin).then(|| at.seconds() - preroll(input.format(), video));
        let seek = seek.map(|seconds| seconds.max(video.begin.seconds()));
        Ok((video, Shown { stream: video.stream, at, seek }))
    }

    /// The picture file of `size` that `job` writes to stdout, and what it says meanwhile.
    async fn png(&self, job: Job, size: Size) -> Result<(Vec<u8>, String), MediaError> {
        // Deflate does not make noise smaller, but hardly larger either.
        let most = size.pixels().saturating_mul(4).saturating_add(1 << 20);
        self.capture_with_words(job, most, self.limits().stall).await
    }

    /// The pictures that `job` writes to stdout, `count` at most, and what it says meanwhile.
    async fn pictures(
        &self,
        mut job: Job,
        size: Size,
        count: u32,
    ) -> Result<(Vec<Picture>, String), MediaError> {
        let mut pipe = job.stdout()?;
        let mut child = self.spawn(job).await?;
        let pool = Pool::new(size.into(), Layout::Yuv420p8, usize::try_from(count).unwrap_or(0));
        let mut pictures = Vec::new();
        for _ in 0..count {
            let mut picture = pool.take();
            match fill_from(&mut pipe, picture.bytes_mut()).await {
                Ok(true) => pictures.push(picture),
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
        let exit = child.wait().await?;
        exit.check(&self.limits().jail)?;
        Ok((pictures, exit.stderr_tail))
    }

    /// When the sync sample nearest to the place of the preview begins, on the file's clock.
    async fn sync_sample(&self, input: &Input, video: &VideoStream) -> Result<Time, MediaError> {
        let place = video.begin.seconds() + video.duration_seconds() * PLACE;
        // A container that cannot be searched still has a first frame.
        let interval = format!("{place:.3}%+#{PACKETS}");
        let mut found = None;
        for time in self.sync_samples(input, video, interval).await.unwrap_or_default() {
            // The first at all, if none lies before the place.
            if found.is_none() || time.seconds() <= place {
                found = Some(time);
            }
        }
        Ok(found.unwrap_or(video.begin))
    }

    /// Where decoding must begin for a whole picture at `at`, in seconds; none for the film's
    /// beginning.
    async fn refreshed_from(&self, input: &Input, video: &VideoStream, at: Time) -> Option<f64> {
        let from = (at.seconds() - REFRESH_SECONDS).max(video.begin.seconds());
        let interval = format!("{from:.3}%{:.3}", at.seconds());
        let mut before = self.sync_samples(input, video, interval).await.unwrap_or_default();
        before.retain(|time| *time < at);
        let found = before.iter().rev().nth(REFRESHES - 1);
        let found = found.map(|found| found.seconds() - preroll(input.format(), video));
        found.or(Some(from)).filter(|seconds| *seconds > video.begin.seconds())
    }

    /// The times of the sync samples within `interval` that are presented.
    async fn sync_samples(
        &self,
        input: &Input,
        video: &VideoStream,
        interval: String,
    ) -> Result<Vec<Time>, MediaError> {
        let (mut job, path) = probe::ffprobe(input, self.limits().max_pixels)?;
        job.args(["-select_streams".to_owned(), video.stream.to_string()]);
        job.args(["-read_intervals".to_owned(), interval]);
        job.args(["-show_entries", "packet=stream_index,pts,dts,duration,flags"]);
        job.args(["-of", "csv=p=0", "-i", &path]);
        let lines = self.ask(job, SCAN_BYTES).await?;
        let lines = String::from_utf8_lossy(&lines);
        let packets = lines.lines().filter_map(probe::Line::parse);
        let packets = packets.filter(|packet| packet.is_sync && packet.pts >= video.begin.ticks);
        let time = |ticks| Time { ticks, time_base: video.begin.time_base };
        Ok(packets.map(|packet| time(packet.pts)).collect())
    }
}

/// Whether the first picture of a search, of which ffmpeg said `words`, needs others. H.264 may
/// renew its pictures part by part, and calls those sync samples at which that begins.
/// Without an index a search may end beside the sync sample, so that none is trusted there.
fn needs_others(format: InputFormat, video: &VideoStream, words: &str) -> bool {
    let told =
        said::lines(words).filter(|said| said.from.is_some_and(|from| from.contains(TELLER)));
    let first = told.map(|said| said.text).find(|text| text.starts_with(FIRST));
    // One field of an intra picture may need the other; the search begins earlier there anyway.
    let is_watched = video.codec_name == "h264" && !video.interlaced;
    let is_intra = |text: &str| text.split(' ').any(|word| word == INTRA);
    is_watched && first.is_some_and(|text| !(has_index(format) && is_intra(text)))
}

/// Whether a search by time is led to a sync sample; elsewhere it ends anywhere.
fn has_index(format: InputFormat) -> bool {
    matches!(format, InputFormat::IsoBmff | InputFormat::Matroska | InputFormat::Avi)
}

fn undecodable() -> MediaError {
    MediaError::Unreadable { message: "its picture cannot be decoded".into() }
}

/// How long before a sync sample a search for it begins, in seconds. What is found too early is
/// dropped, but lets fields be made into frames as in a run, which looks at the frames before.
fn preroll(format: InputFormat, video: &VideoStream) -> f64 {
    if has_index(format) && !video.interlaced { 0.0 } else { 2.0 }
}
