//! From what ffprobe says to a source: a pure function of its answers.

use std::collections::BTreeMap;

use super::picture::Geometry;
use super::rate::{self, Evidence};
use super::report::{Report, Stream};
use super::scan::Extent;
use super::{codec, colour, language};
use crate::MediaError;
use crate::source::{AudioStream, Coding, IgnoredKind, IgnoredStream, Source, VideoStream};
use crate::units::{Rational, Time};

/// The longest text of a file that is kept, in bytes; the stage contract promises it.
const TAG_BYTES: usize = 4096;

/// How many texts of a file are kept.
const TAGS: usize = 64;

/// How much earlier than it says a file may end, in seconds, before it counts as cut off: more
/// than a muxer's rounding, less than what anybody would miss.
const MISSING_SECONDS: f64 = 0.5;

/// What was found out about a file.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Its description.
    pub(crate) report: Report,
    /// The time of the first decoded frame by stream, in ticks; streams without one are missing.
    pub(crate) first_frames: BTreeMap<u32, i64>,
    /// What the packets say, by stream.
    pub(crate) extents: BTreeMap<u32, Extent>,
}

impl Findings {
    /// Makes the source of it.
    pub(crate) fn assemble(&self) -> Result<Source, MediaError> {
        let (mut video, mut audio, mut ignored) = (Vec::new(), Vec::new(), Vec::new());
        for stream in &self.report.streams {
            match Kind::of(stream) {
                Kind::Ignored(kind) => ignored.push(ignore(stream, kind)),
                _ if !self.first_frames.contains_key(&stream.index) => {
                    ignored.push(ignore(stream, IgnoredKind::Silent));
                }
                Kind::Video => video.push(self.video(stream)?),
                Kind::Audio => audio.push(self.audio(stream)?),
            }
        }
        if video.is_empty() {
            return Err(self.without_video());
        }
        // The sort is stable: only the default stream moves to the front.
        audio.sort_by_key(|audio| !audio.default);
        self.check_complete()?;
        Ok(Source {
            container: self.report.format.format_name.clone(),
            duration_seconds: duration(&video, &audio),
            video,
            audio,
            tags: tags(&self.report.format.tags),
            ignored,
        })
    }

    fn video(&self, stream: &Stream) -> Result<VideoStream, MediaError> {
        let geometry = Geometry::of(stream)?;
        let (begin, extent) = self.begin_of(stream)?;
        let evidence = Evidence {
            head: &extent.head,
            time_base: begin.time_base,
            real: stream.r_frame_rate,
            average: stream.avg_frame_rate,
            frames: stream.nb_frames,
        };
        let (frame_rate, constant_frame_rate) = rate::judge(&evidence);
        let end = end_of(stream, begin, extent, frame_rate);
        // What the index says and cannot be read is missed: the run will not deliver it.
        let end = latest(end, declared_end(stream));
        Ok(VideoStream {
            stream: stream.index,
            codec: codec::sample_entry(&stream.codec_name, &stream.codec_tag_string).to_owned(),
            codec_name: stream.codec_name.clone(),
            pixel_format: stream.pix_fmt.clone(),
            coded_size: geometry.coded_size,
            sample_aspect: geometry.sample_aspect,
            rotation: geometry.rotation,
            display_size: geometry.display_size,
            display_aspect: geometry.display_aspect,
            frame_rate,
            constant_frame_rate,
            colour: colour::of(stream),
            interlaced: matches!(stream.field_order.as_str(), "tt" | "bb" | "tb" | "bt"),
            has_alpha: has_alpha(stream),
            frames: stream.nb_frames,
            begin,
            end,
            last_frame_open: extent.last.is_none_or(|last| last.duration.is_none()),
            coding: Coding { steady_rate: rate::steady(&evidence), ..coding(stream, extent) },
        })
    }

    fn audio(&self, stream: &Stream) -> Result<AudioStream, MediaError> {
        let (begin, extent) = self.begin_of(stream)?;
        let sample_rate = stream.sample_rate.filter(|rate| *rate > 0);
        let (Some(sample_rate), 1..) = (sample_rate, stream.channels) else {
            return Err(MediaError::Unreadable {
                message: format!("the sound of stream {} has no format", stream.index),
            });
        };
        let frame = Rational { numerator: sample_rate, denominator: 1024 };
        let end = end_of(stream, begin, extent, frame);
        // An edit may end within the last packet.
        let end = match declared_end(stream) {
            Some(declared) if declared < end && end.steps_since(declared, frame) <= 1 => declared,
            _ => end,
        };
        Ok(AudioStream {
            stream: stream.index,
            codec: codec::sample_entry(&stream.codec_name, &stream.codec_tag_string).to_owned(),
            codec_name: stream.codec_name.clone(),
            sample_rate,
            channels: stream.channels,
            language: language::of(stream),
            default: stream.is("default"),
            begin,
            end,
            coding: coding(stream, extent),
        })
    }

    /// When the stream's first frame begins, and what its packets say.
    fn begin_of(&self, stream: &Stream) -> Result<(Time, &Extent), MediaError> {
        let first = self.first_frames.get(&stream.index);
        let begin = first.and_then(|ticks| stream.time(*ticks));
        begin.zip(self.extents.get(&stream.index)).ok_or_else(|| MediaError::Unreadable {
            message: format!("stream {} has no times", stream.index),
        })
    }

    /// Why there is no video stream.
    fn without_video(&self) -> MediaError {
        let promised = self.report.streams.iter().any(|s| matches!(Kind::of(s), Kind::Video));
        if promised {
            return MediaError::Unreadable { message: "not one picture can be decoded".into() };
        }
        MediaError::NoVideo
    }

    /// Where a stream ends by its own tag (Matroska's DURATION is the end of its last frame) and
    /// where its last packet was found to end, in seconds.
    fn tagged_and_found_end(&self, stream: &Stream) -> Option<(f64, f64)> {
        let promised = clock(stream.tags.get("DURATION")?)?;
        let last = self.extents.get(&stream.index)?.last?;
        let end = last.pts.saturating_add(last.duration.unwrap_or(0));
        Some((promised, stream.time(end)?.seconds()))
    }

    /// Whether the file goes on for as long as its header says. Matroska has no index that a cut
    /// would contradict; what an index promises is counted when it is rendered.
    fn check_complete(&self) -> Result<(), MediaError> {
        let format = &self.report.format;
        if !format.format_name.starts_with("matroska") {
            return Ok(());
        }
        let Some(promised) = format.duration else { return Ok(()) };
        let ends = self.report.streams.iter().filter_map(|stream| {
            let last = self.extents.get(&stream.index)?.last?;
            Some(stream.time(last.pts.saturating_add(last.duration.unwrap_or(0)))?.seconds())
        });
        let found = ends.fold(0.0, f64::max);
        let picture = self.report.streams.iter().filter(|stream| stream.codec_type == "video");
        for (promised, found) in picture.filter_map(|stream| self.tagged_and_found_end(stream)) {
            if promised - found > MISSING_SECONDS {
                return Err(MediaError::Unreadable {
                    message: format!("its picture ends after {found:.1} of {promised:.1} seconds"),
                });
            }
        }
        if promised - found > MISSING_SECONDS {
            return Err(MediaError::Unreadable {
                message: format!("it is cut off after {found:.1} of {promised:.1} seconds"),
            });
        }
        Ok(())
    }
}

/// Reads `00:01:02.500000000`, as Matroska's tag DURATION is written, in seconds.
fn clock(text: &str) -> Option<f64> {
    text.trim().split(':').try_fold(0.0, |seconds, part| {
        let part: f64 = part.parse().ok().filter(|part| (0.0..1e6).contains(part))?;
        Some(seconds * 60.0 + part)
    })
}

/// What a stream is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Video,
    Audio,
    Ignored(IgnoredKind),
}

impl Kind {
    pub(crate) fn of(stream: &Stream) -> Self {
        match stream.codec_type.as_str() {
            "video" if stream.is("attached_pic") || stream.is("timed_thumbnails") => {
                Self::Ignored(IgnoredKind::CoverArt)
            }
            "video" if stream.width > 0 && stream.height > 0 && !stream.codec_name.is_empty() => {
                Self::Video
            }
            "audio" if !stream.codec_name.is_empty() => Self::Audio,
            "subtitle" => Self::Ignored(IgnoredKind::Subtitle),
            _ => Self::Ignored(IgnoredKind::Data),
        }
    }
}

fn ignore(stream: &Stream, kind: IgnoredKind) -> IgnoredStream {
    IgnoredStream { stream: stream.index, kind, codec_name: stream.codec_name.clone() }
}

fn coding(stream: &Stream, extent: &Extent) -> Coding {
    Coding {
        profile: stream.profile.clone(),
        reordered: stream.has_b_frames,
        first_packet: extent.first.map(|first| first.pts),
        begins_with_sync: extent.first.is_some_and(|first| first.is_sync),
        steady_rate: None,
    }
}

/// When the last packet ends; `rate` is how many frames a second there are.
fn end_of(stream: &Stream, begin: Time, extent: &Extent, rate: Rational) -> Time {
    let time_base = stream.time_base.unwrap_or(begin.time_base);
    let Some(mut last) = extent.last else { return begin };
    if let (true, Some(first)) = (extent.by_decode_time, extent.head.first()) {
        last.pts = last.pts.saturating_add(begin.ticks.saturating_sub(*first));
    }
    rate::end_of_last(last, time_base, rate)
}

/// When the stream ends by the container's own word.
fn declared_end(stream: &Stream) -> Option<Time> {
    stream.time(stream.start_pts?.checked_add(stream.duration_ts?)?)
}

fn latest(a: Time, b: Option<Time>) -> Time {
    b.filter(|b| *b > a).unwrap_or(a)
}

/// From the first beginning to the last end, in seconds.
fn duration(video: &[VideoStream], audio: &[AudioStream]) -> f64 {
    let spans =
        video.iter().map(|v| (v.begin, v.end)).chain(audio.iter().map(|a| (a.begin, a.end)));
    let (begin, end) = spans.fold((f64::INFINITY, f64::NEG_INFINITY), |(first, last), span| {
        (first.min(span.0.seconds()), last.max(span.1.seconds()))
    });
    (end - begin).max(0.0)
}

/// Layouts with transparency, and VP8 and VP9 in Matroska, whose alpha is a stream of its own.
fn has_alpha(stream: &Stream) -> bool {
    const LAYOUTS: [&str; 8] = ["yuva", "rgba", "bgra", "argb", "abgr", "gbrap", "ya8", "ya16"];
    let tagged = |name| stream.tags.get(name).is_some_and(|value| value == "1");
    LAYOUTS.iter().any(|layout| stream.pix_fmt.starts_with(layout))
        || tagged("alpha_mode")
        || tagged("ALPHA_MODE")
}

fn tags(tags: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let kept = tags.iter().filter(|(name, text)| name.len() <= 64 && text.len() <= TAG_BYTES);
    kept.take(TAGS).map(|(name, text)| (name.to_lowercase(), text.clone())).collect()
}
