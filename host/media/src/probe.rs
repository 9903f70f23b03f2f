//! The probe: from a file of unknown origin to typed facts.

mod assemble;
mod codec;
mod colour;
mod language;
mod picture;
mod rate;
mod report;
mod scan;

use std::collections::BTreeMap;
use std::time::Duration;

use crate::process::{Job, Tool};
use crate::source::Source;
use crate::{Ffmpeg, Input, MediaError};

use assemble::{Findings, Kind};

pub(crate) use codec::sample_entry;
pub(crate) use colour::of as colour_of;
pub(crate) use rate::end_of_last;
pub(crate) use report::{Report, Stream};
pub(crate) use scan::{Extent, Line, parse as parse_packets};

/// The most that a file may say about itself, in bytes of JSON.
const DESCRIPTION_BYTES: u64 = 4 << 20;

/// The most that the list of packet times may take: more than a day of film and sound.
const SCAN_BYTES: u64 = 256 << 20;

/// How many packets of all streams are looked at from the beginning to judge the frame rate.
const HEAD_PACKETS: usize = 1500;

/// How much of the end of a long file is looked at, in seconds.
const TAIL_SECONDS: f64 = 8.0;

/// A file of this length is scanned from beginning to end, in seconds.
const SHORT_SECONDS: f64 = 60.0;

/// How many packets are decoded to find the first presented frame: at first more than a decoder
/// holds back (16 pictures) and than an encoder's delay of sound; then what an edit that begins
/// late in a group of pictures throws away.
const FIRST_PACKETS: [u32; 2] = [24, 1000];

/// What ffmpeg says of a picture that is larger than its `-max_pixels`.
const TOO_MANY_PIXELS: &str = "exceeds specified max pixel count";

/// How many streams of pictures or sound are looked at.
const STREAMS: usize = 32;

/// Opens `input` in a ffprobe job by its forced demuxer.
pub(crate) fn ffprobe(input: &Input, max_pixels: u64) -> Result<(Job, String), MediaError> {
    let mut job = Job::new(Tool::Ffprobe);
    let path = job.read(input.file())?;
    job.args(["-v", "error", "-hide_banner", "-protocol_whitelist", "file"]);
    job.args(["-max_pixels".to_owned(), max_pixels.to_string()]);
    job.args(["-f", input.format().demuxer()]);
    Ok((job, path))
}

impl Ffmpeg {
    /// Finds out what is in a file.
    ///
    /// Takes at most [`Limits::probe_time`](crate::Limits::probe_time). Fails with
    /// [`MediaError::NoVideo`], [`MediaError::Unreadable`] for a damaged file,
    /// [`MediaError::UnsupportedSource`] or [`MediaError::TimedOut`].
    pub async fn probe(&self, input: &Input) -> Result<Source, MediaError> {
        let limit = self.limits().probe_time;
        let findings = tokio::time::timeout(limit, self.find_out(input));
        let source = findings.await.unwrap_or(Err(MediaError::TimedOut { limit }))?.assemble()?;
        Ok(source)
    }

    async fn find_out(&self, input: &Input) -> Result<Findings, MediaError> {
        let report = self.describe(input).await?;
        let watched = |kind| matches!(kind, Kind::Video | Kind::Audio);
        let streams: Vec<u32> = report
            .streams
            .iter()
            .filter(|stream| watched(Kind::of(stream)))
            .map(|stream| stream.index)
            .collect();
        if !report.streams.iter().any(|stream| Kind::of(stream) == Kind::Video) {
            return Err(MediaError::NoVideo);
        }
        let pixels = report.streams.iter().filter(|stream| Kind::of(stream) == Kind::Video);
        let asked = pixels.map(|stream| u64::from(stream.width) * u64::from(stream.height)).max();
        let (asked, allowed) = (asked.unwrap_or(0), self.limits().max_pixels);
        if asked > allowed {
            return Err(too_many_pixels(allowed, asked));
        }
        if streams.len() > STREAMS {
            return Err(MediaError::UnsupportedSource {
                message: format!("it has {} streams of pictures or sound", streams.len()),
            });
        }
        let (first_frames, extents) =
            tokio::try_join!(self.first_frames(input, &streams), self.scan(input, &report))?;
        Ok(Findings { report, first_frames, extents })
    }

    async fn describe(&self, input: &Input) -> Result<Report, MediaError> {
        let (mut job, path) = ffprobe(input, self.limits().max_pixels)?;
        job.args(["-of", "json", "-show_format", "-show_streams", "-i", &path]);
        Report::parse(&self.ask(job, DESCRIPTION_BYTES).await?)
    }

    /// The time of the first frame that each stream presents. Only a decoder knows it: edit
    /// lists, encoder delay and pictures that refer to earlier ones all move it. All streams are
    /// asked at once, because starting a tool takes longer than decoding a few packets, and
    /// those that begin late are asked again by themselves.
    async fn first_frames(
        &self,
        input: &Input,
        streams: &[u32],
    ) -> Result<BTreeMap<u32, i64>, MediaError> {
        let (mut job, path) = ffprobe(input, self.limits().max_pixels)?;
        let each = FIRST_PACKETS.first().copied().unwrap_or_default();
        let packets = usize::try_from(each).unwrap_or(usize::MAX).saturating_mul(streams.len());
        job.args(["-read_intervals".to_owned(), format!("%+#{packets}")]);
        job.args(["-show_entries", "frame=stream_index,pts,best_effort_timestamp"]);
        job.args(["-of", "csv=p=0", "-i", &path]);
        let lines = self.ask(job, DESCRIPTION_BYTES).await?;
        let mut first_frames = first_times(&String::from_utf8_lossy(&lines));
        first_frames.retain(|stream, _| streams.contains(stream));
        for stream in streams.iter().copied() {
            if first_frames.contains_key(&stream) {
                continue;
            }
            if let Some(ticks) = self.first_frame(input, stream).await? {
                first_frames.insert(stream, ticks);
            }
        }
        Ok(first_frames)
    }

    /// The time of the first frame that the stream presents, in its ticks.
    pub(crate) async fn first_frame(
        &self,
        input: &Input,
        stream: u32,
    ) -> Result<Option<i64>, MediaError> {
        for packets in FIRST_PACKETS {
            let (mut job, path) = ffprobe(input, self.limits().max_pixels)?;
            job.args(["-select_streams".to_owned(), stream.to_string()]);
            job.args(["-read_intervals".to_owned(), format!("%+#{packets}")]);
            job.args(["-show_entries", "frame=pts,best_effort_timestamp"]);
            job.args(["-of", "csv=p=0", "-i", &path]);
            let lines = self.ask(job, DESCRIPTION_BYTES).await?;
            if let Some(ticks) = first_time(&String::from_utf8_lossy(&lines)) {
                return Ok(Some(ticks));
            }
        }
        Ok(None)
    }

    /// The packet times of the beginning and the end; of a short file, or one that does not say
    /// how long it is, of all of it.
    async fn scan(
        &self,
        input: &Input,
        report: &Report,
    ) -> Result<BTreeMap<u32, Extent>, MediaError> {
        let within = self.limits().probe_time;
        if let Some(tail) = tail_of(report) {
            let intervals = format!("%+#{HEAD_PACKETS},{tail:.3}%");
            if let Ok(lines) = self.packets(input, Some(intervals), within).await {
                let extents = scan::parse(&lines, HEAD_PACKETS);
                // A file that is shorter than it says has nothing there.
                if lines.lines().nth(HEAD_PACKETS).is_some() {
                    return Ok(extents);
                }
            }
        }
        let lines = self.packets(input, None, within).await?;
        Ok(scan::parse(&lines, usize::MAX))
    }

    /// A line of [`Line`] for every packet, or for those within `intervals`.
    pub(crate) async fn packets(
        &self,
        input: &Input,
        intervals: Option<String>,
        within: Duration,
    ) -> Result<String, MediaError> {
        let (mut job, path) = ffprobe(input, self.limits().max_pixels)?;
        if let Some(intervals) = intervals {
            job.args(["-read_intervals".to_owned(), intervals]);
        }
        job.args(["-show_entries", "packet=stream_index,pts,dts,duration,flags"]);
        job.args(["-of", "csv=p=0", "-i", &path]);
        let lines = self.ask_within(job, SCAN_BYTES, within).await?;
        Ok(String::from_utf8_lossy(&lines).into_owned())
    }

    /// Runs ffprobe for at most the time of a probe.
    pub(crate) async fn ask(&self, job: Job, max_bytes: u64) -> Result<Vec<u8>, MediaError> {
        self.ask_within(job, max_bytes, self.limits().probe_time).await
    }

    /// Runs ffprobe; that it cannot read the file is the file's fault.
    pub(crate) async fn ask_within(
        &self,
        job: Job,
        max_bytes: u64,
        within: Duration,
    ) -> Result<Vec<u8>, MediaError> {
        self.capture(job, max_bytes, within).await.map_err(|error| match error {
            MediaError::Encoder { message } if message.contains(TOO_MANY_PIXELS) => {
                let allowed = self.limits().max_pixels;
                too_many_pixels(allowed, allowed.saturating_add(1))
            }
            MediaError::Encoder { message } => {
                // Its name for the descriptor means nothing to anybody.
                let said = message.strip_prefix("/proc/self/fd/");
                let said = said.and_then(|rest| rest.split_once(": ")).map(|(_, said)| said);
                MediaError::Unreadable { message: said.unwrap_or(&message).into() }
            }
            other => other,
        })
    }
}

fn too_many_pixels(allowed: u64, asked: u64) -> MediaError {
    MediaError::Budget { what: "pixels of a frame", allowed, asked }
}

/// Where the tail of a long file begins, in seconds; none if all of it is to be scanned.
fn tail_of(report: &Report) -> Option<f64> {
    let format = &report.format;
    let duration = format.duration.filter(|seconds| *seconds > SHORT_SECONDS)?;
    // Matroska's duration is the time of its end; others count from their start.
    let matroska = format.format_name.starts_with("matroska");
    let start = format.start_time.filter(|_| !matroska).unwrap_or(0.0);
    Some(start + duration - TAIL_SECONDS)
}

/// The time in the first line of `pts,best_effort_timestamp` that has one. ffmpeg goes by the
/// second for pictures, and both are the same for sound.
fn first_time(lines: &str) -> Option<i64> {
    lines.lines().find_map(|line| {
        let mut fields = line.split(',').map(|field| field.parse().ok());
        let (pts, best) = (fields.next()?, fields.next().flatten());
        best.or(pts)
    })
}

/// The time of the first frame of each stream, from lines of
/// `stream_index,pts,best_effort_timestamp`. ffprobe lists the streams' own entries among them
/// where a frame has side data; such lines have another number of fields.
fn first_times(lines: &str) -> BTreeMap<u32, i64> {
    let mut times = BTreeMap::new();
    for line in lines.lines() {
        let Some((stream, rest)) = line.split_once(',') else { continue };
        let (Ok(stream), Some(ticks)) = (stream.parse(), first_time(rest)) else { continue };
        times.entry(stream).or_insert(ticks);
    }
    times
}

#[cfg(test)]
mod tests;
