//! The filter chains.

use super::OverlayInput;
use super::colour::{Conversion, matrix_name, range_name};
use crate::composition::{AudioCodec, Composition};
use crate::source::{AudioStream, VideoStream};
use crate::units::{Colour, Rational, Size, Time};

/// How the scaler computes: the default rounds chroma of RGB off by 3 and more.
const SCALER: &str = "flags=bicubic+accurate_rnd+full_chroma_int";

/// The chain from a video stream to the frames of the raster, without its final label.
///
/// The stream begins at 0; fields become frames; one `fps` filter puts these on the raster's grid
/// of times; overlays lie on the finished raster. With `from`, frames before that time are dropped first, and how the others
/// were coded is told; they land on the same places of the grid as without.
pub(super) fn video(
    video: &VideoStream,
    composition: &Composition,
    overlays: &[OverlayInput],
    from: Option<Time>,
) -> String {
    let mut chain = format!("[0:{}]setpts={}", video.stream, minus(video.begin.ticks));
    // This filter halves the tick, and looks at the frames before and after each.
    let ticks = if video.interlaced { 2 } else { 1 };
    if video.interlaced {
        chain += ",bwdif=mode=send_frame:deint=interlaced";
    }
    if let Some(from) = from {
        let start = from.ticks.saturating_sub(video.begin.ticks).saturating_mul(ticks);
        chain += &format!(",trim=start_pts={start},showinfo=checksum=0");
    }
    if video.last_frame_open {
        // Or the grid would end where the last frame begins.
        chain += ",tpad=stop=1:stop_mode=clone";
    }
    let Size { width, height } = composition.size;
    let conversion = Conversion::between(video, composition.colour).options();
    let Rational { numerator, denominator } = composition.frame_rate;
    chain += &format!(
        ",scale={width}:{height}:{SCALER}:{conversion},setsar=1,format=yuv420p,\
         fps={numerator}/{denominator}:round=near"
    );
    for (number, overlay) in overlays.iter().enumerate() {
        chain = format!(
            "{chain}[m{number}];[m{number}][{}:v]\
             overlay=x={}:y={}:format=yuv420:eof_action=repeat",
            number + 1,
            overlay.at.x,
            overlay.at.y,
        );
    }
    chain
}

/// From the raster to RGB, for a picture file.
pub(super) fn to_rgb(colour: Colour) -> String {
    format!(
        "scale={SCALER}:in_color_matrix={}:in_range={},format=rgb24",
        matrix_name(colour.matrix),
        range_name(colour.full_range),
    )
}

/// The chain from an audio stream to the samples of a track, without its final label. The stream
/// begins at 0; gaps are filled with silence.
pub(super) fn audio(
    audio: &AudioStream,
    codec: AudioCodec,
    sample_rate: u32,
    channels: u32,
) -> String {
    // The clock of sound in a graph ticks once a sample.
    let clock = Rational { numerator: audio.sample_rate, denominator: 1 };
    let zero = Time { ticks: 0, time_base: Rational::ONE };
    let begin = minus(audio.begin.steps_since(zero, clock));
    let layout = layout(codec, channels);
    let format = match codec {
        AudioCodec::Aac => "fltp",
        AudioCodec::Opus => "flt",
    };
    format!(
        "[0:{}]asetpts={begin},aresample={sample_rate}:async=1:first_pts=0,\
         aformat=sample_fmts={format}:sample_rates={sample_rate}:channel_layouts={layout}",
        audio.stream
    )
}

/// A frame's time, minus `ticks`.
fn minus(ticks: i64) -> String {
    if ticks < 0 { format!("PTS+{}", ticks.unsigned_abs()) } else { format!("PTS-{ticks}") }
}

/// The loudspeakers of so many channels. Opus (RFC 7845, 5.1.1.2) knows the same as AAC but for
/// four.
fn layout(codec: AudioCodec, channels: u32) -> &'static str {
    match channels {
        1 => "mono",
        4 if codec == AudioCodec::Opus => "quad",
        2 => "stereo",
        3 => "3.0",
        4 => "4.0",
        5 => "5.0",
        7 => "6.1",
        8 => "7.1",
        _ => "5.1",
    }
}
