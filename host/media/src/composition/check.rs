//! What can be rendered, decided before anything is started.

use super::{AudioCodec, Composition, Overlay, RateControl, TrackPlan, VideoCodec, VideoEncoder};
use crate::source::{Source, VideoStream};
use crate::units::{Colour, Rational, Size};
use crate::{Limits, MediaError};

/// The longest side of a raster, as in the stage contract.
const SIDE: u32 = 16384;

/// The largest part of a frame rate: track clocks are multiples of it and have 31 bits.
const RATE_PART: u32 = 1 << 26;

/// The sample rates that AAC has an index for (ISO/IEC 14496-3, table 1.18).
const AAC_RATES: [u32; 13] =
    [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];

/// The most bits per second and channel that libopus takes.
const OPUS_BIT_RATE: u32 = 256_000;

/// Transfer characteristics of high dynamic range: PQ and HLG.
const HDR: [u8; 2] = [16, 18];

/// Primaries so wide that only a gamut mapping would show them right: BT.2020, P3.
const WIDE: [u8; 3] = [9, 11, 12];

/// The matrices that the scaler converts from, and unspecified.
const MATRICES: [u8; 8] = [1, 2, 4, 5, 6, 7, 9, 10];

/// The matrices that the scaler converts to.
const RASTER_MATRICES: [u8; 6] = [1, 4, 5, 6, 7, 9];

/// Primaries near enough to those of BT.709 to be shown as they are.
const PRIMARIES: [u8; 5] = [1, 4, 5, 6, 7];

/// Transfer characteristics of standard dynamic range, near enough to that of BT.709 to be shown
/// as they are.
const TRANSFERS: [u8; 8] = [1, 4, 5, 6, 7, 13, 14, 15];

impl Composition {
    /// Checks that this can be made of `source` within `limits`.
    ///
    /// Fails with [`MediaError::UnsupportedPlan`], [`MediaError::UnsupportedSource`] or
    /// [`MediaError::Budget`].
    pub fn check(&self, source: &Source, limits: &Limits) -> Result<(), MediaError> {
        self.check_raster(limits)?;
        let mut has_video = false;
        for track in &self.tracks {
            match track {
                TrackPlan::Video {
                    stream,
                    codec,
                    rate,
                    effort,
                    keyframe_interval,
                    copy,
                    encoder,
                } => {
                    has_video = true;
                    let video = source.video_stream(*stream);
                    let video =
                        video.ok_or_else(|| plan("it names a video stream that is not there"))?;
                    check_video(video, self.colour, limits)?;
                    // Those that are decoded cost, too, even if most are then left out.
                    let decoded = video.frames.unwrap_or(0).max(video.frames_at(video.frame_rate));
                    let frames = video.frames_at(self.frame_rate).max(decoded);
                    check_budget("frames", limits.max_frames, frames)?;
                    // How somebody else counts quality is not known here.
                    if *encoder == VideoEncoder::Host {
                        check_quality(*codec, *rate)?;
                    }
                    if *copy && *rate == RateControl::Lossless {
                        return Err(plan("what is copied is not of the asked quality, lossless"));
                    }
                    if *effort > 9 || *keyframe_interval == 0 {
                        return Err(plan("an effort is at most 9, a keyframe interval at least 1"));
                    }
                }
                TrackPlan::Audio { stream, codec, sample_rate, channels, bit_rate, .. } => {
                    if source.audio_stream(*stream).is_none() {
                        return Err(plan("it names an audio stream that is not there"));
                    }
                    check_sound(*codec, *sample_rate, *channels, *bit_rate)?;
                }
            }
        }
        if has_video { Ok(()) } else { Err(plan("it has no video track")) }
    }

    fn check_raster(&self, limits: &Limits) -> Result<(), MediaError> {
        let Size { width, height } = self.size;
        let even = |side: u32| side.is_multiple_of(2) && (2..=SIDE).contains(&side);
        if !even(width) || !even(height) {
            return Err(plan("the sides of the raster must be even and at most 16384 pixels"));
        }
        check_budget("pixels of a frame", limits.max_pixels, self.size.pixels())?;
        let Rational { numerator, denominator } = self.frame_rate;
        if !(1..=RATE_PART).contains(&numerator) || !(1..=RATE_PART).contains(&denominator) {
            return Err(plan("the frame rate cannot be written as a track's clock"));
        }
        if !RASTER_MATRICES.contains(&self.colour.matrix) {
            return Err(plan("the raster's colour matrix cannot be converted to"));
        }
        // Only matrix and range are converted. Whether a wide gamut is the source's own, and so
        // passes, is seen with the source.
        let Colour { primaries, transfer, .. } = self.colour;
        if !PRIMARIES.contains(&primaries) && !WIDE.contains(&primaries) {
            return Err(plan("the raster's colour primaries cannot be converted to"));
        }
        if !TRANSFERS.contains(&transfer) {
            return Err(plan("the raster's transfer characteristics cannot be converted to"));
        }
        if self.overlays.iter().any(|overlay| !overlay.fits(self.size)) {
            return Err(plan("an overlay leaves the raster or has another size than its pixels"));
        }
        Ok(())
    }
}

impl Overlay {
    /// Whether it lies within a raster of `size` and has the bytes that it needs.
    fn fits(&self, size: Size) -> bool {
        let within = |at: u32, length: u32, side| {
            length > 0 && at.checked_add(length).is_some_and(|end| end <= side)
        };
        within(self.at.x, self.size.width, size.width)
            && within(self.at.y, self.size.height, size.height)
            && u64::try_from(self.rgba.len()).ok() == self.size.pixels().checked_mul(4)
    }
}

fn check_quality(codec: VideoCodec, rate: RateControl) -> Result<(), MediaError> {
    let (worst, message) = match codec {
        VideoCodec::H264 => (51.0, "a constant quality of H.264 lies between 0 and 51"),
        VideoCodec::Vp9 => (63.0, "a constant quality of VP9 lies between 0 and 63"),
        VideoCodec::Av1 => (63.0, "a constant quality of AV1 lies between 0 and 63"),
    };
    match rate {
        RateControl::Lossless if codec == VideoCodec::Av1 => {
            Err(plan("AV1 cannot be encoded without loss"))
        }
        RateControl::ConstantQuality(quality) if !(0.0..=worst).contains(&quality) => {
            Err(plan(message))
        }
        _ => Ok(()),
    }
}

fn check_sound(
    codec: AudioCodec,
    sample_rate: u32,
    channels: u32,
    bit_rate: Option<u32>,
) -> Result<(), MediaError> {
    let (rates, message): (&[u32], _) = match codec {
        AudioCodec::Aac => (&AAC_RATES, "AAC has no such sample rate or number of channels"),
        AudioCodec::Opus => (&[48000], "Opus is delivered at 48000 Hz and with 1 to 8 channels"),
    };
    if !rates.contains(&sample_rate) || !(1..=8).contains(&channels) {
        return Err(plan(message));
    }
    let most = channels.saturating_mul(OPUS_BIT_RATE);
    if codec == AudioCodec::Opus && bit_rate.is_some_and(|rate| rate > most) {
        return Err(plan("Opus takes at most 256000 bits per second for each channel"));
    }
    Ok(())
}

/// What a picture has that this engine would get wrong.
fn check_video(video: &VideoStream, raster: Colour, limits: &Limits) -> Result<(), MediaError> {
    check_budget("pixels of a frame", limits.max_pixels, video.coded_size.pixels())?;
    let colour = video.colour;
    let unsupported =
        |message: &str| Err(MediaError::UnsupportedSource { message: message.into() });
    if HDR.contains(&colour.transfer) {
        return unsupported("its picture has a high dynamic range (PQ or HLG)");
    }
    if WIDE.contains(&colour.primaries) && colour.primaries != raster.primaries {
        return unsupported("its picture has wide-gamut colours (BT.2020 or P3)");
    }
    if WIDE.contains(&raster.primaries) && colour.primaries != raster.primaries {
        return Err(plan("the source's colours cannot be converted to the raster's wider gamut"));
    }
    // 0 is RGB, which has no matrix to undo.
    if colour.matrix != 0 && !MATRICES.contains(&colour.matrix) {
        return unsupported("its colour matrix is not one that can be converted");
    }
    if video.has_alpha {
        return unsupported("its picture is transparent in places");
    }
    Ok(())
}

fn check_budget(what: &'static str, allowed: u64, asked: u64) -> Result<(), MediaError> {
    if asked > allowed { Err(MediaError::Budget { what, allowed, asked }) } else { Ok(()) }
}

fn plan(message: &str) -> MediaError {
    MediaError::UnsupportedPlan { message: message.into() }
}

#[cfg(test)]
mod tests;
