//! From plain data to the host's objects.

use crate::bindings::host::{job as host, manifest, outcome, output, packets, plans, types};
use crate::{
    AudioEncoding, Colour, EncodePlan, Fault, Image, Job, Manifest, MuxPlan, Output, PlannedTrack,
    Raster, RateControl, Rational, Resumed, Size, Suspension, Verdict, VideoEncoding,
    WatermarkPlan,
};

pub(super) fn manifest(manifest: &Manifest) -> manifest::Manifest {
    let handle = manifest::Manifest::new(&manifest.name, &manifest.version);
    if let Some(schema) = &manifest.parameters {
        handle.set_parameters(schema);
    }
    for container in &manifest.containers {
        handle.add_container(container);
    }
    handle
}

pub(super) fn warnings<P>(from: &Job<P>, job: &host::Job) {
    for warning in from.take_warnings() {
        job.warn(warning.code, &warning.message);
    }
}

/// What the host takes at least in one call, in bytes.
const CALL_BYTES: usize = 1 << 20;

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
    handle
}

fn audio_encoding(encoding: &AudioEncoding) -> plans::AudioEncoding {
    let handle =
        plans::AudioEncoding::new(&encoding.codec, encoding.sample_rate, encoding.channels);
    if let Some(bits_per_second) = encoding.bit_rate {
        handle.set_bit_rate(bits_per_second);
    }
    handle
}

impl ToHost for WatermarkPlan {
    fn to_host(&self, _job: &host::Job) -> Result<plans::Plan, Fault> {
        let plan = plans::WatermarkPlan::new();
        for overlay in &self.overlays {
            let at = types::Point { x: overlay.at.x, y: overlay.at.y };
            plan.add_overlay(plans::Overlay::new(&image(&overlay.image), at));
        }
        Ok(plans::Plan::from_watermark(plan))
    }
}

fn image(image: &Image) -> plans::Image {
    let handle = plans::Image::new(size(image.size));
    for Band { top, height, rgba } in bands(image) {
        let origin = types::Point { x: 0, y: top };
        let size = types::Size { width: image.size.width, height };
        handle.write_rect(types::Rect { origin, size }, rgba);
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

/// The host's file as an [`Output`].
#[derive(Debug)]
pub(super) struct HostOutput(pub(super) output::Sink);

impl Output for HostOutput {
    type Spool = output::Spool;
    type Data = packets::Packet;

    fn write(&mut self, bytes: &[u8]) {
        bytes.chunks(CALL_BYTES).for_each(|part| self.0.write(part));
    }

    fn create_spool(&mut self) -> Self::Spool {
        self.0.create_spool()
    }

    fn append_packet(&mut self, spool: &mut Self::Spool, data: &Self::Data) {
        spool.append(data);
    }

    fn append_spool(&mut self, spool: Self::Spool) {
        self.0.append_spool(spool);
    }
}

#[cfg(test)]
mod tests;
