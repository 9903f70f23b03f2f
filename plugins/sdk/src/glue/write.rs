//! From plain data to the host's objects.

use crate::bindings::host::{encoding, job as host, manifest, outcome, packets, plans, types};
use crate::{
    AudioEncoding, Colour, EncodePlan, EncodedTrack, Fault, Image, Job, MadePacket, Manifest,
    MuxPlan, PlannedTrack, Point, Raster, RateControl, Rational, Rect, Resumed, Size, Suspension,
    Verdict, VideoEncoding, WatermarkPlan,
};

pub(super) fn manifest(manifest: &Manifest) -> manifest::Manifest {
    let handle = manifest::Manifest::new(&manifest.name, &manifest.version);
    if let Some(schema) = &manifest.parameters {
        handle.set_parameters(schema);
    }
    for container in &manifest.containers {
        handle.add_container(container);
    }
    for mark in &manifest.marks {
        handle.add_mark(mark);
    }
    handle
}

pub(super) fn warnings<P>(from: &Job<P>, job: &host::Job) {
    for warning in from.take_warnings() {
        job.warn(warning.code, &warning.message);
    }
}

/// What the host takes at least in one call, in bytes.
pub(super) const CALL_BYTES: usize = 1 << 20;

/// A plan that the host can be given.
pub(super) trait ToHost {
    fn to_host(&self, job: &host::Job) -> Result<plans::Plan, Fault>;
}

pub(super) fn verdict<P: ToHost>(
    result: Result<Verdict<P>, Fault>,
    job: &host::Job,
) -> outcome::Verdict {
    let made = result.and_then(|verdict| match verdict {
        Verdict::Ready(plan) => plan.to_host(job).map(outcome::Verdict::ready),
        Verdict::Suspend(suspension) => suspend(&suspension, job),
    });
    made.unwrap_or_else(|error| outcome::Verdict::fault(fault(&error)))
}

pub(super) fn resumed<P: ToHost>(
    result: Result<Resumed<P>, Fault>,
    job: &host::Job,
    resumption: &host::Resumption,
) -> outcome::Verdict {
    let made = result.and_then(|resumed| match resumed {
        Resumed::Confirmed => Ok(outcome::Verdict::ready(resumption.shown_plan())),
        Resumed::Suspend(suspension) => suspend(&suspension, job),
    });
    made.unwrap_or_else(|error| outcome::Verdict::fault(fault(&error)))
}

fn suspend<P: ToHost>(
    suspension: &Suspension<P>,
    job: &host::Job,
) -> Result<outcome::Verdict, Fault> {
    let question = outcome::Question::new(&suspension.question);
    let plan = suspension.plan.to_host(job)?;
    Ok(outcome::Verdict::suspend(question, plan, &suspension.state, suspension.state_version))
}

pub(super) fn fault(fault: &Fault) -> outcome::Fault {
    match fault {
        Fault::UnsupportedSource { message } => outcome::Fault::unsupported_source(message),
        Fault::InvalidField { field, message } => outcome::Fault::invalid_field(field, message),
        Fault::Declined => outcome::Fault::declined(),
        Fault::Failed { message } => outcome::Fault::failed(message),
    }
}

impl ToHost for EncodePlan {
    fn to_host(&self, job: &host::Job) -> Result<plans::Plan, Fault> {
        let plan = plans::EncodePlan::new(raster(&self.raster));
        let source = job.source();
        let (video, audio) = (source.video_tracks(), source.audio_tracks());
        for track in &self.tracks {
            match track {
                PlannedTrack::Video { source, encoding } => {
                    plan.add_video(pick(&video, *source)?, video_encoding(encoding));
                }
                PlannedTrack::Audio { source, encoding } => {
                    plan.add_audio(pick(&audio, *source)?, audio_encoding(encoding));
                }
            }
        }
        Ok(plans::Plan::from_encode(plan))
    }
}

fn pick<T>(tracks: &[T], place: usize) -> Result<&T, Fault> {
    tracks.get(place).ok_or_else(|| Fault::failed("The plan names a track that is not there."))
}

fn raster(raster: &Raster) -> plans::Raster {
    plans::Raster::new(size(raster.size), rational(raster.frame_rate), colour(raster.colour))
}

fn video_encoding(encoding: &VideoEncoding) -> plans::VideoEncoding {
    let handle = plans::VideoEncoding::new(&encoding.codec);
    match encoding.rate_control {
        RateControl::Default => {}
        RateControl::ConstantQuality(quantizer) => handle.set_constant_quality(quantizer),
        RateControl::Lossless => handle.set_lossless(),
    }
    handle.set_effort(encoding.effort);
    handle.set_keyframe_interval(encoding.keyframe_interval);
    if encoding.allow_copy {
        handle.allow_copy();
    }
    if encoding.want_frames {
        handle.want_frames();
    }
    handle
}

fn audio_encoding(encoding: &AudioEncoding) -> plans::AudioEncoding {
    let handle =
        plans::AudioEncoding::new(&encoding.codec, encoding.sample_rate, encoding.channels);
    if let Some(bits_per_second) = encoding.bit_rate {
        handle.set_bit_rate(bits_per_second);
    }
    if encoding.allow_copy {
        handle.allow_copy();
    }
    handle
}

impl ToHost for WatermarkPlan {
    fn to_host(&self, _job: &host::Job) -> Result<plans::Plan, Fault> {
        let plan = plans::WatermarkPlan::new();
        for overlay in &self.overlays {
            plan.add_overlay(plans::Overlay::new(&image(&overlay.image), point(overlay.at)));
        }
        if let Some(look_ahead) = self.want_frames {
            plan.want_frames(look_ahead);
        }
        Ok(plans::Plan::from_watermark(plan))
    }
}

pub(super) fn image(image: &Image) -> plans::Image {
    let handle = plans::Image::new(size(image.size));
    for Band { top, height, rgba } in bands(image) {
        handle.write_rect(rect(Rect::new(0, top, image.size.width, height)), rgba);
    }
    handle
}

/// Whole rows of a picture.
#[derive(Debug, PartialEq, Eq)]
struct Band<'a> {
    top: u32,
    height: u32,
    rgba: &'a [u8],
}

/// A picture in parts that one call each can take. What is too much or too
/// little for its size shows in the last one, which the host then refuses.
fn bands(image: &Image) -> impl Iterator<Item = Band<'_>> {
    let Size { width, height } = image.size;
    let row = (width as usize).saturating_mul(4).max(1);
    let rows = u32::try_from(CALL_BYTES / row).unwrap_or(u32::MAX).max(1);
    let mut rest = &*image.rgba;
    (0..height).step_by(rows as usize).map(move |top| {
        let height = rows.min(height - top);
        let is_last = top + height == image.size.height;
        let bytes = if is_last { rest.len() } else { row.saturating_mul(height as usize) };
        let (rgba, after) = rest.split_at_checked(bytes).unwrap_or((rest, &[]));
        rest = after;
        Band { top, height, rgba }
    })
}

impl ToHost for MuxPlan {
    fn to_host(&self, _job: &host::Job) -> Result<plans::Plan, Fault> {
        Ok(plans::Plan::from_mux(plans::MuxPlan::new(&self.media_type)))
    }
}

pub(super) fn encoded_track(track: &EncodedTrack) -> encoding::EncodedTrack {
    let handle = encoding::EncodedTrack::new(&track.codec);
    if !track.codec_config.is_empty() {
        handle.set_codec_config(&track.codec_config);
    }
    handle
}

pub(super) fn packets(made: &[MadePacket]) -> Vec<packets::Packet> {
    let packet = |made: &MadePacket| {
        let timing = packets::Timing { pts: made.pts, dts: made.dts, duration: made.duration };
        packets::Packet::make(timing, made.is_sync, &made.data)
    };
    made.iter().map(packet).collect()
}

/// The place of something in a list; what is beyond all lists stays so.
pub(super) fn place(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

pub(super) fn point(value: Point) -> types::Point {
    types::Point { x: value.x, y: value.y }
}

pub(super) fn rect(value: Rect) -> types::Rect {
    types::Rect { origin: point(value.origin), size: size(value.size) }
}

fn rational(value: Rational) -> types::Rational {
    types::Rational { numerator: value.numerator, denominator: value.denominator }
}

fn size(value: Size) -> types::Size {
    types::Size { width: value.width, height: value.height }
}

fn colour(value: Colour) -> types::Colour {
    types::Colour {
        primaries: value.primaries,
        transfer: value.transfer,
        matrix: value.matrix,
        full_range: value.full_range,
    }
}

#[cfg(test)]
mod tests;
