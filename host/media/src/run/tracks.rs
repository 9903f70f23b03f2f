//! The host's own facts about a track: when it starts, how long it is, what it may leave out.

use crate::MediaError;
use crate::composition::{AudioCodec, Composition, TrackPlan, VideoCodec};
use crate::fragments::Header;
use crate::graph::timescale;
use crate::source::Source;
use crate::track::{Track, TrackFormat};
use crate::units::{Rational, Time};

use super::times::{Chain, Grid, Progress, Times};
use super::verdict::Delivered;

/// The delay of ffmpeg's AAC encoder, in samples: one frame.
const AAC_PRIMING: u32 = 1024;

/// The part of a frame by which recorders may be off.
const JITTER: i64 = 16;

/// Containers that may be joined end to end, each part with its own times.
const RESTARTING: [&str; 2] = ["mpegts", "mpeg"];

/// A track's place in time.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    ticks_per_second: u32,
    start: u64,
    duration: u64,
    priming: u32,
    /// How many frames there are to be; none for sound.
    frames: Option<u64>,
    /// What the times of its packets mean.
    times: Times,
    /// What is to be delivered.
    promise: Delivered,
}

/// The clocks of all tracks of a composition that has been checked; `copied` says which of them
/// are copied.
pub(super) fn clocks(
    source: &Source,
    composition: &Composition,
    copied: &[bool],
) -> Result<Vec<Clock>, MediaError> {
    let gone = || MediaError::host("preparing a run", "a stream is missing");
    let begins = composition.tracks.iter().map(|track| begin(source, track));
    let begins = begins.collect::<Option<Vec<_>>>().ok_or_else(gone)?;
    let earliest = begins.iter().copied().reduce(|a, b| if b < a { b } else { a });
    let earliest = earliest.ok_or_else(gone)?;
    composition
        .tracks
        .iter()
        .zip(begins)
        .zip(copied)
        .map(|((track, begin), copied)| {
            let clock = Clock::new(source, composition, track, begin, earliest);
            let clock =
                if *copied { clock.and_then(|clock| clock.copied(source, track)) } else { clock };
            clock.ok_or_else(gone)
        })
        .collect()
}

fn begin(source: &Source, track: &TrackPlan) -> Option<Time> {
    match track {
        TrackPlan::Video { stream, .. } => source.video_stream(*stream).map(|video| video.begin),
        TrackPlan::Audio { stream, .. } => source.audio_stream(*stream).map(|audio| audio.begin),
    }
}

impl Clock {
    fn new(
        source: &Source,
        composition: &Composition,
        track: &TrackPlan,
        begin: Time,
        earliest: Time,
    ) -> Option<Self> {
        let rate = composition.frame_rate;
        let (ticks_per_second, priming, frames) = match track {
            TrackPlan::Video { stream, .. } => {
                (timescale(rate), 0, Some(source.video_stream(*stream)?.frames_at(rate)))
            }
            // What the codec's own configuration says comes before this.
            TrackPlan::Audio { sample_rate, .. } => (*sample_rate, AAC_PRIMING, None),
        };
        let ticks = Rational { numerator: ticks_per_second, denominator: 1 };
        let duration = match (track, frames) {
            (TrackPlan::Audio { stream, .. }, _) => {
                let audio = source.audio_stream(*stream)?;
                u64::try_from(audio.end.steps_since(audio.begin, ticks)).unwrap_or(0)
            }
            // The clock is a multiple of the rate's numerator.
            (_, frames) => {
                let multiple = u64::from(ticks_per_second / rate.numerator);
                frames?.checked_mul(multiple)?.checked_mul(u64::from(rate.denominator))?
            }
        };
        let start = u64::try_from(begin.steps_since(earliest, ticks)).unwrap_or(0);
        let times = Times::Encoded { priming: i64::from(priming), origin: None };
        let promise = Delivered::promised(frames, duration, ticks_per_second);
        let promise = match track {
            TrackPlan::Video { stream, .. } => {
                let video = source.video_stream(*stream)?;
                let promise = promise.decoded_from(video);
                let restarts = RESTARTING.contains(&source.container.as_str());
                if restarts { promise.of_restarting_clock(video) } else { promise }
            }
            TrackPlan::Audio { stream, .. } => promise.heard_from(source.audio_stream(*stream)?),
        };
        Some(Self { ticks_per_second, start, duration, priming, frames, times, promise })
    }

    /// The same track made of the packets of its stream.
    fn copied(mut self, source: &Source, track: &TrackPlan) -> Option<Self> {
        let second = Rational { numerator: self.ticks_per_second, denominator: 1 };
        // What a container's rounding can be, and that of the way here.
        let rounding = |begin: Time| {
            let ticks = begin.time_base.as_f64() * f64::from(second.numerator);
            (ticks * 1.5).ceil() as i64 + 1
        };
        self.times = match track {
            TrackPlan::Video { stream, codec, .. } => {
                let video = source.video_stream(*stream)?;
                let frames = i64::try_from(self.frames?.max(1)).ok()?;
                let frame = i64::try_from(self.duration).ok()? / frames;
                Times::Pictures(Grid {
                    frame,
                    reordered: i64::from(video.coding.reordered),
                    tolerance: rounding(video.begin).max(frame / JITTER).min(frame / 2),
                    in_units: *codec == VideoCodec::H264,
                    progress: Progress::default(),
                })
            }
            TrackPlan::Audio { stream, codec, .. } => {
                let audio = source.audio_stream(*stream)?;
                self.priming = u32::try_from(audio.priming()?).ok()?;
                Times::Sound(Chain {
                    priming: i64::from(self.priming),
                    tolerance: rounding(audio.begin),
                    opus: *codec == AudioCodec::Opus,
                    next: None,
                })
            }
        };
        self.promise = self.promise.copied();
        Some(self)
    }

    /// What the times of its packets mean.
    pub(super) fn times(&self) -> Times {
        self.times.clone()
    }

    /// How many frames there are to be; none for sound.
    pub(super) fn frames(&self) -> Option<u64> {
        self.frames
    }

    /// Why the track could not be described: packets whose description makes no sense may still
    /// be decoded.
    pub(super) fn undescribed(&self, error: MediaError) -> MediaError {
        match (&self.times, error) {
            (Times::Pictures(_) | Times::Sound(_), error) => not_copied(error),
            (_, error) => error,
        }
    }

    /// What is to be delivered.
    pub(super) fn promise(&self) -> Delivered {
        self.promise.clone()
    }

    /// The track that its encoder described by `header`.
    pub(super) fn track(
        &self,
        header: Header,
        composition: &Composition,
        plan: &TrackPlan,
        source: &Source,
    ) -> Result<Track, MediaError> {
        if header.timescale != self.ticks_per_second {
            let found = format!("its clock ticks {} times a second", header.timescale);
            return Err(MediaError::host("reading a track", found));
        }
        let (format, language) = match plan {
            TrackPlan::Video { .. } => {
                let (size, colour) = (composition.size, composition.colour);
                (TrackFormat::Video { size, colour }, None)
            }
            TrackPlan::Audio { stream, sample_rate, channels, .. } => (
                TrackFormat::Audio { sample_rate: *sample_rate, channels: *channels },
                source.audio_stream(*stream).and_then(|audio| audio.language.clone()),
            ),
        };
        Ok(Track {
            codec: header.codec,
            timescale: header.timescale,
            codec_config: header.codec_config,
            start: self.start,
            priming: u64::from(header.priming.unwrap_or(self.priming)),
            duration: self.duration,
            language,
            format,
        })
    }
}

/// What `error` means for a run that copies: packets that ffmpeg cannot pass on may still be
/// decoded.
pub(super) fn not_copied(error: MediaError) -> MediaError {
    match error {
        MediaError::Encoder { .. } | MediaError::Unreadable { .. } => {
            MediaError::CannotCopy { message: error.to_string() }
        }
        error => error,
    }
}
