//! Encoder and muxer options.

use crate::composition::{Composition, RateControl};
use crate::units::{Colour, Rational};

/// x264's presets from fast to slow: one for each effort.
const PRESETS: [&str; 10] = [
    "ultrafast",
    "superfast",
    "veryfast",
    "faster",
    "fast",
    "medium",
    "slow",
    "slower",
    "veryslow",
    "placebo",
];

/// x264's own constant rate factor.
const DEFAULT_QUALITY: f32 = 23.0;

/// Below 1 x264 takes a rate factor for lossless, which is another profile.
const BEST_QUALITY: f32 = 1.0;

/// The coarsest clock of a video track, in ticks a second: as fine as ffmpeg itself takes.
const TICKS: u32 = 10_000;

/// The length of a fragment in microseconds: short enough that packets of both tracks arrive
/// together, long enough that headers cost nothing.
const FRAGMENT: &str = "500000";

/// The clock of a video track: a multiple of the rate's numerator, so that every frame lasts a
/// whole number of ticks.
pub(crate) fn timescale(rate: Rational) -> u32 {
    let mut ticks = rate.numerator.max(1);
    while ticks < TICKS {
        ticks = ticks.saturating_mul(2);
    }
    ticks
}

/// Options for x264.
pub(super) fn h264(
    composition: &Composition,
    rate: RateControl,
    effort: u8,
    keyframe_interval: u32,
) -> Vec<String> {
    let preset = PRESETS.get(usize::from(effort)).unwrap_or(&"medium");
    let mut args = strings(["-c:v", "libx264", "-preset", preset, "-pix_fmt", "yuv420p"]);
    let quality = match rate {
        RateControl::Default => Some(DEFAULT_QUALITY),
        RateControl::ConstantQuality(quality) => Some(quality.max(BEST_QUALITY)),
        RateControl::Lossless => None,
    };
    match quality {
        Some(quality) => args.extend(strings(["-crf", &quality.to_string(), "-profile:v", "high"])),
        // Lossless is part of High 4:4:4 Predictive alone.
        None => args.extend(strings(["-qp", "0"])),
    }
    args.extend(strings(["-g", &keyframe_interval.to_string()]));
    args.extend(tags(composition.colour));
    let timescale = timescale(composition.frame_rate).to_string();
    args.extend(strings(["-fps_mode", "passthrough", "-video_track_timescale", &timescale]));
    args.extend(strings(["-flags:v", "+bitexact"]));
    args
}

/// All four colour tags, by number: with fewer, players see none.
fn tags(colour: Colour) -> Vec<String> {
    let range = if colour.full_range { "2" } else { "1" };
    strings([
        "-color_primaries",
        &colour.primaries.to_string(),
        "-color_trc",
        &colour.transfer.to_string(),
        "-colorspace",
        &colour.matrix.to_string(),
        "-color_range",
        range,
    ])
}

/// Options for ffmpeg's AAC encoder.
pub(super) fn aac(bit_rate: Option<u32>) -> Vec<String> {
    let mut args = strings(["-c:a", "aac"]);
    if let Some(bit_rate) = bit_rate {
        args.extend(strings(["-b:a", &bit_rate.to_string()]));
    }
    args.extend(strings(["-flags:a", "+bitexact"]));
    args
}

/// Options for a fragmented MP4 that tells its track before the first packet.
pub(super) fn fragments() -> Vec<String> {
    strings([
        "-map_metadata",
        "-1",
        "-map_chapters",
        "-1",
        "-fflags",
        "+bitexact",
        "-f",
        "mp4",
        "-movflags",
        "+empty_moov+default_base_moof",
        "-frag_duration",
        FRAGMENT,
    ])
}

fn strings<const N: usize>(args: [&str; N]) -> Vec<String> {
    args.map(str::to_owned).into()
}
