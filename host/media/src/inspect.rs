//! What a finished file holds, read back by ffprobe.

mod boxes;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::probe::{self, Extent, Report, Stream};
use crate::units::{Colour, Rational, Size, Time};
use crate::{Ffmpeg, Input, InputFormat, MediaError};

/// The most that ffprobe may say about a file, in bytes.
const DESCRIPTION_BYTES: u64 = 4 << 20;

/// How fast a disk reads at least, in bytes a second: counting packets reads the whole file.
const READ_RATE: u64 = 16 << 20;

/// The samples of a packet of sound, as good as any other number.
const AUDIO_FRAME: u64 = 1024;

/// A finished file as a reader finds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inspection {
    /// The container as ffmpeg names its demuxer, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    pub container: String,
    /// How long the file says it plays, in seconds; 0 where it does not say.
    pub duration_seconds: f64,
    /// Whether players can start before they have the whole file: `moov` lies before `mdat`.
    /// None for a container without such boxes.
    pub fast_start: Option<bool>,
    /// Its tracks, in the file's order.
    pub tracks: Vec<InspectedTrack>,
}

/// A track of a finished file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InspectedTrack {
    /// The RFC 6381 name of its sample entry, such as `avc1`, or ffmpeg's name where there is none.
    pub codec: String,
    /// How many packets can be read.
    pub packets: u64,
    /// When presentation begins on the file's clock, in seconds.
    pub begin_seconds: Option<f64>,
    /// How long the track is presented, in seconds.
    pub duration_seconds: Option<f64>,
    /// What the track carries.
    pub format: InspectedFormat,
}

/// What a track of a finished file carries.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InspectedFormat {
    /// Pictures.
    Video {
        /// The stored size in pixels.
        size: Size,
        /// Width over height of a stored pixel.
        sample_aspect: Rational,
        /// The colour tags.
        colour: Colour,
        /// The mean frame rate, if there is more than one frame.
        frame_rate: Option<Rational>,
    },
    /// Sound.
    Audio {
        /// Samples per second and channel.
        sample_rate: u32,
        /// The number of channels.
        channels: u32,
    },
    /// Something else.
    Other,
}

impl Ffmpeg {
    /// Reads a finished file back: counts its packets and reads its tags, without decoding.
    ///
    /// Takes at most [`Limits::probe_time`](crate::Limits::probe_time) and a second for every
    /// 16 MiB. Fails with [`MediaError::Unreadable`] or [`MediaError::TimedOut`].
    pub async fn inspect(&self, input: &Input) -> Result<Inspection, MediaError> {
        let (mut job, path) = probe::ffprobe(input, self.limits().max_pixels)?;
        job.args(["-of", "json", "-show_format", "-show_streams", "-count_packets", "-i", &path]);
        let reading = Duration::from_secs(input.bytes() / READ_RATE);
        let within = self.limits().probe_time.saturating_add(reading);
        let report = Report::parse(&self.ask_within(job, DESCRIPTION_BYTES, within).await?)?;
        let fast_start = match input.format() {
            InputFormat::IsoBmff => Some(
                boxes::moov_first(input.file())
                    .map_err(|error| MediaError::Unreadable { message: error.to_string() })?,
            ),
            _ => None,
        };
        let mut tracks: Vec<_> = report.streams.iter().map(InspectedTrack::of).collect();
        if input.format() == InputFormat::Matroska {
            self.time_tracks(input, &report, &mut tracks, within).await?;
        }
        Ok(Inspection {
            container: report.format.format_name,
            duration_seconds: report.format.duration.unwrap_or(0.0),
            fast_start,
            tracks,
        })
    }

    /// Finds out when tracks of Matroska begin and how long they are. It has no index that says
    /// so, and its packets of sound begin earlier by what a decoder throws away.
    async fn time_tracks(
        &self,
        input: &Input,
        report: &Report,
        tracks: &mut [InspectedTrack],
        within: Duration,
    ) -> Result<(), MediaError> {
        let lines = self.packets(input, None, within).await?;
        let extents = probe::parse_packets(&lines, usize::MAX);
        for (stream, track) in report.streams.iter().zip(tracks) {
            let Some(extent) = extents.get(&stream.index) else { continue };
            let begin = match track.format {
                InspectedFormat::Audio { .. } => self.first_frame(input, stream.index).await?,
                _ => extent.head.first().copied(),
            };
            let Some((begin, end)) = begin
                .and_then(|begin| stream.time(begin))
                .and_then(|begin| Some((begin, track.format.end(extent, stream, begin)?)))
            else {
                continue;
            };
            track.begin_seconds = Some(begin.seconds());
            track.duration_seconds = Some(end.seconds() - begin.seconds());
        }
        Ok(())
    }
}

impl InspectedTrack {
    fn of(stream: &Stream) -> Self {
        let seconds = |ticks: Option<i64>| Some(stream.time(ticks?)?.seconds());
        Self {
            codec: probe::sample_entry(&stream.codec_name, &stream.codec_tag_string).to_owned(),
            packets: stream.nb_read_packets.unwrap_or(0),
            begin_seconds: seconds(stream.start_pts),
            duration_seconds: seconds(stream.duration_ts),
            format: InspectedFormat::of(stream),
        }
    }
}

impl InspectedFormat {
    /// When the last packet of a track ends.
    fn end(&self, extent: &Extent, stream: &Stream, begin: Time) -> Option<Time> {
        // Where a packet does not say how long it is.
        let rate = match *self {
            Self::Audio { sample_rate, .. } => Rational::new(u64::from(sample_rate), AUDIO_FRAME),
            _ => stream.avg_frame_rate.or(stream.r_frame_rate),
        };
        Some(probe::end_of_last(extent.last?, begin.time_base, rate?))
    }

    fn of(stream: &Stream) -> Self {
        match stream.codec_type.as_str() {
            "video" => Self::Video {
                size: Size { width: stream.width, height: stream.height },
                sample_aspect: stream.sample_aspect_ratio.unwrap_or(Rational::ONE),
                colour: probe::colour_of(stream),
                frame_rate: stream.avg_frame_rate,
            },
            "audio" => Self::Audio {
                sample_rate: stream.sample_rate.unwrap_or(0),
                channels: stream.channels,
            },
            _ => Self::Other,
        }
    }
}
