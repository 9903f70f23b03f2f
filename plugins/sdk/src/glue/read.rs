//! From the host's objects to plain data.

use crate::bindings::host::{assets, encoding, frames, job as host, packets, plans, source, types};
use crate::blob::{Blob, Bytes};
use crate::{
    Anchor, Answer, Colour, EncodingTask, Fault, Job, Packet, Pass, Plane, Raster, Rational,
    Request, Resumption, Size, Source, SourceAudio, SourceVideo, Tags, Track, TrackFormat,
};
use serde::de::DeserializeOwned;
use std::fmt;

/// The job with its parameters read into the plugin's own type.
pub(super) fn job<P: DeserializeOwned>(job: &host::Job) -> Result<Job<P>, Fault> {
    let parameters = serde_json::from_str(&job.parameters())
        .map_err(|error| Fault::failed(format!("The parameters cannot be read: {error}.")))?;
    let read = Job::new(source(job.source()), request(&job.request()), parameters);
    Ok(match job.encode_plan() {
        Some(plan) => read.with_raster(raster(&plan.raster())),
        None => read,
    })
}

fn source(handle: source::Source) -> Source {
    let video = handle.video_tracks().iter().map(source_video).collect();
    let audio = handle.audio_tracks().iter().map(source_audio).collect();
    Source::new(video, audio).with_tags(HostTags(handle))
}

/// Asks the host for one tag at a time, so that a plugin only ever holds those
/// that it names.
struct HostTags(source::Source);

impl fmt::Debug for HostTags {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("HostTags")
    }
}

impl Tags for HostTags {
    fn get(&self, name: &str) -> Option<String> {
        self.0.tag(name)
    }
}

fn source_video(track: &source::SourceVideo) -> SourceVideo {
    SourceVideo {
        display_aspect: rational(track.display_aspect()),
        frame_rate: rational(track.frame_rate()),
        constant_frame_rate: track.constant_frame_rate(),
        colour: colour(track.colour()),
        ..SourceVideo::new(track.codec(), size(track.display_size()))
    }
}

fn source_audio(track: &source::SourceAudio) -> SourceAudio {
    SourceAudio::new(track.codec(), track.sample_rate(), track.channels())
}

fn request(request: &host::Request) -> Request {
    let anchor = request.watermark_anchor();
    Request {
        container: request.container(),
        bounds: size(request.bounds()),
        watermark_text: request.watermark_text(),
        watermark_image: request.watermark_image().map(Blob::new),
        watermark_anchor: Anchor { x: anchor.x, y: anchor.y },
        approval_required: request.approval_required(),
    }
}

impl Bytes for assets::Blob {
    fn size(&self) -> u64 {
        Self::size(self)
    }

    fn read(&self, offset: u64, length: u32) -> Vec<u8> {
        Self::read(self, offset, length)
    }
}

fn raster(raster: &plans::Raster) -> Raster {
    Raster {
        size: size(raster.size()),
        frame_rate: rational(raster.frame_rate()),
        colour: colour(raster.colour()),
    }
}

pub(super) fn resumption(resumption: &host::Resumption) -> Resumption {
    Resumption {
        answer: match resumption.answer() {
            host::Answer::Yes => Answer::Yes,
            host::Answer::No => Answer::No,
            host::Answer::Expired => Answer::Expired,
        },
        state: resumption.state(),
        state_version: resumption.state_version(),
    }
}

pub(super) fn track(track: &packets::Track) -> Track {
    let format = match (track.video(), track.audio()) {
        (Some(video), _) => {
            TrackFormat::Video { size: size(video.size()), colour: colour(video.colour()) }
        }
        (None, Some(audio)) => {
            TrackFormat::Audio { sample_rate: audio.sample_rate(), channels: audio.channels() }
        }
        (None, None) => TrackFormat::Other,
    };
    Track {
        codec: track.codec(),
        timescale: track.timescale(),
        codec_config: track.codec_config(),
        start: track.start(),
        priming: track.priming(),
        duration: track.duration(),
        language: track.language(),
        format,
    }
}

pub(super) fn packet(packet: &packets::Packet) -> Packet {
    let timing = packet.timing();
    Packet {
        track: packet.track() as usize,
        pts: timing.pts,
        dts: timing.dts,
        duration: timing.duration,
        size: packet.size(),
        is_sync: packet.is_sync(),
    }
}

pub(super) fn plane(plane: &frames::Plane) -> Plane {
    Plane { size: size(plane.size), bytes_per_sample: plane.bytes_per_sample }
}

pub(super) fn pass(pass: &frames::Pass) -> Pass {
    Pass { first: pass.first(), frames: pass.frames() }
}

pub(super) fn task(task: &encoding::EncodingTask) -> EncodingTask {
    EncodingTask {
        track: task.track() as usize,
        timescale: task.timescale(),
        frame_duration: task.frame_duration(),
        frames: task.frames(),
    }
}

fn rational(value: types::Rational) -> Rational {
    Rational::new(value.numerator, value.denominator)
}

fn size(value: types::Size) -> Size {
    Size::new(value.width, value.height)
}

fn colour(value: types::Colour) -> Colour {
    Colour {
        primaries: value.primaries,
        transfer: value.transfer,
        matrix: value.matrix,
        full_range: value.full_range,
    }
}
