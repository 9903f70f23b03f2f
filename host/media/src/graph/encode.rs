//! Encoder and muxer options.

use crate::composition::{AudioCodec, Composition, RateControl, VideoCodec};
use crate::units::{Colour, Rational};

/// x264's presets from fast to slow: one for each effort.
const X264_PRESETS: [&str; 10] = [
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

/// libvpx's deadline and speed for each effort, by measurement: the middle is the slowest that
/// keeps up with a film in 1080p on two processors (27 to 33 frames a second). `good` takes three
/// times as long at once for files a tenth smaller, and its speed 5 makes none that are.
const VPX_SPEEDS: [(&str, &str); 10] = [
    ("realtime", "8"),
    ("realtime", "8"),
    ("realtime", "7"),
    ("realtime", "7"),
    ("realtime", "6"),
    ("realtime", "5"),
    ("good", "4"),
    ("good", "3"),
    ("good", "2"),
    ("good", "1"),
];

/// SVT-AV1's presets for each effort, by the same measure; it has none that is faster than the
/// middle one (27 to 61 frames a second).
const SVT_PRESETS: [&str; 10] = ["12", "12", "12", "12", "12", "12", "11", "10", "8", "6"];

/// x264's own constant rate factor.
const X264_QUALITY: f32 = 23.0;

/// What is as near to the source as x264's default, measured by structural similarity.
const VPX_QUALITY: f32 = 31.0;

/// The same for SVT-AV1.
const SVT_QUALITY: f32 = 30.0;

/// Below 1 x264 takes a rate factor for lossless, which is another profile, and SVT-AV1 for none.
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

/// Options for an encoder of pictures.
pub(super) fn video(
    composition: &Composition,
    codec: VideoCodec,
    rate: RateControl,
    effort: u8,
    keyframe_interval: u32,
) -> Vec<String> {
    let mut args = match codec {
        VideoCodec::H264 => h264(rate, effort),
        VideoCodec::Vp9 => vp9(rate, effort),
        VideoCodec::Av1 => av1(rate, effort),
    };
    args.extend(strings(["-pix_fmt", "yuv420p", "-g", &keyframe_interval.to_string()]));
    args.extend(tags(composition.colour));
    args.extend(strings(["-fps_mode", "passthrough"]));
    args.extend(clock(composition.frame_rate));
    args.extend(strings(["-flags:v", "+bitexact"]));
    args
}

/// Options for packets of pictures that are passed on.
pub(super) fn copied_video(rate: Rational) -> Vec<String> {
    let mut args = strings(["-c:v", "copy"]);
    args.extend(clock(rate));
    args
}

fn clock(rate: Rational) -> Vec<String> {
    strings(["-video_track_timescale", &timescale(rate).to_string()])
}

fn h264(rate: RateControl, effort: u8) -> Vec<String> {
    let preset = X264_PRESETS.get(usize::from(effort)).unwrap_or(&"medium");
    let mut args = strings(["-c:v", "libx264", "-preset", preset]);
    match quality(rate, X264_QUALITY) {
        Some(quality) => {
            let quality = quality.max(BEST_QUALITY).to_string();
            args.extend(strings(["-crf", &quality, "-profile:v", "high"]));
        }
        // Lossless is part of High 4:4:4 Predictive alone.
        None => args.extend(strings(["-qp", "0"])),
    }
    args
}

fn vp9(rate: RateControl, effort: u8) -> Vec<String> {
    let (deadline, speed) = VPX_SPEEDS.get(usize::from(effort)).unwrap_or(&("realtime", "5"));
    let mut args = strings(["-c:v", "libvpx-vp9", "-deadline", deadline, "-cpu-used", speed]);
    // Columns are as many as the width allows, up to four; all processors work on a row each.
    args.extend(strings(["-row-mt", "1", "-tile-columns", "2"]));
    match quality(rate, VPX_QUALITY) {
        // Without a bit rate of 0 the quality would only be a bound.
        Some(quality) => {
            args.extend(strings(["-crf", &quality.round().to_string(), "-b:v", "0"]));
        }
        None => args.extend(strings(["-lossless", "1"])),
    }
    args
}

fn av1(rate: RateControl, effort: u8) -> Vec<String> {
    let preset = SVT_PRESETS.get(usize::from(effort)).unwrap_or(&"12");
    // Lossless is refused before: this encoder has none.
    let quality = quality(rate, SVT_QUALITY).unwrap_or(BEST_QUALITY).max(BEST_QUALITY);
    strings(["-c:v", "libsvtav1", "-preset", preset, "-crf", &quality.round().to_string()])
}

/// The constant quality that is asked for; none for lossless.
fn quality(rate: RateControl, usual: f32) -> Option<f32> {
    match rate {
        RateControl::Default => Some(usual),
        RateControl::ConstantQuality(quality) => Some(quality),
        RateControl::Lossless => None,
    }
}

/// All four colour tags, by number: with fewer, players see none. Where the scaler puts colour
/// samples is said, too, because raw frames do not say it.
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
        "-chroma_sample_location",
        "left",
    ])
}

/// Options for an encoder of sound.
pub(super) fn audio(codec: AudioCodec, bit_rate: Option<u32>) -> Vec<String> {
    let encoder = match codec {
        AudioCodec::Aac => "aac",
        AudioCodec::Opus => "libopus",
    };
    let mut args = strings(["-c:a", encoder]);
    if let Some(bit_rate) = bit_rate {
        args.extend(strings(["-b:a", &bit_rate.to_string()]));
    }
    args.extend(strings(["-flags:a", "+bitexact"]));
    args
}

/// Options for packets of sound that are passed on.
pub(super) fn copied_audio() -> Vec<String> {
    strings(["-c:a", "copy"])
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
