//! The two commands of a framed run, which together are that of a fused one.

use super::encode;
use super::filters;
use super::{Args, Inputs, Name, Shown};
use crate::composition::{Composition, TrackPlan};
use crate::source::Source;
use crate::units::{Colour, Rational, Size};

/// The arguments of the first: the frames of the raster as they are, and everything else as in
/// [`run`](super::run), each to the pipe of the same place in `outputs`.
pub(crate) fn decode_frames(
    source: &Source,
    composition: &Composition,
    copies: &[bool],
    inputs: &Inputs<'_>,
    outputs: &[Name],
) -> Vec<String> {
    let mut args = Args::default();
    // As in a fused run, for what it counts at its end.
    args.globals("level+verbose");
    args.source(inputs);
    args.overlays(inputs);
    let tracks = composition.tracks.iter().zip(copies).zip(outputs);
    for (number, ((track, copied), output)) in tracks.enumerate() {
        match track {
            TrackPlan::Video { stream, .. } => {
                let Some(video) = source.video_stream(*stream) else { continue };
                let graph = filters::video(video, composition, inputs.overlays, None);
                args.all(["-filter_complex", &format!("{graph}[t{number}]")]);
                args.all(["-map", &format!("[t{number}]")]);
                args.raw_frames();
            }
            TrackPlan::Audio { .. } => {
                args.track(source, composition, inputs, number, track, *copied);
                args.all(encode::fragments());
            }
        }
        args.all([output]);
    }
    args.0
}

/// The arguments of the second: the frames that it reads from `frames` as the track `plan`.
pub(crate) fn encode_frames(
    composition: &Composition,
    plan: &TrackPlan,
    frames: &Name,
    progress: &Name,
    output: &Name,
) -> Vec<String> {
    let mut args = Args::default();
    args.globals("level+error");
    args.all(["-progress", progress, "-stats_period", "0.2"]);
    args.frames(composition.size, composition.frame_rate, frames);
    // Raw frames do not say that their pixels are square.
    args.all(["-filter_complex", "[0:v]setsar=1[t0]", "-map", "[t0]"]);
    if let TrackPlan::Video { codec, rate, effort, keyframe_interval, .. } = plan {
        let (rate, effort) = (*rate, *effort);
        args.all(encode::video(composition, *codec, rate, effort, *keyframe_interval));
    }
    args.all(encode::fragments());
    args.all([output]);
    args.0
}

/// The arguments for `count` frames of the raster to stdout, beginning where
/// [`preview`](super::preview) shows one.
pub(crate) fn preview_frames(
    source: &Source,
    composition: &Composition,
    inputs: &Inputs<'_>,
    shown: &Shown,
    count: u32,
) -> Vec<String> {
    let mut args = Args::default();
    args.globals("level+info");
    args.sought(inputs, shown);
    if let Some(video) = source.video_stream(shown.stream) {
        let graph = filters::video(video, composition, inputs.overlays, Some(shown.at));
        args.all(["-filter_complex", &format!("{graph}[t0]"), "-map", "[t0]"]);
    }
    args.all(["-frames:v", &count.to_string()]);
    args.raw_frames();
    args.all(["pipe:1"]);
    args.0
}

/// The arguments that make the picture file of a frame which is read from `frames`.
pub(crate) fn picture(size: Size, colour: Colour, frames: &Name) -> Vec<String> {
    let mut args = Args::default();
    args.globals("level+error");
    args.frames(size, Rational::ONE, frames);
    args.all(["-filter_complex", &format!("[0:v]{}[t0]", filters::to_rgb(colour))]);
    args.all(["-map", "[t0]"]);
    args.picture();
    args.0
}

impl Args {
    /// Raw frames of the raster as an output, without its name.
    fn raw_frames(&mut self) {
        self.all(["-fps_mode", "passthrough", "-c:v", "rawvideo", "-pix_fmt", "yuv420p"]);
        self.all(["-f", "rawvideo"]);
    }

    /// Raw frames of the raster as an input.
    fn frames(&mut self, size: Size, rate: Rational, name: &Name) {
        let Size { width, height } = size;
        let Rational { numerator, denominator } = rate;
        self.all(["-protocol_whitelist", "file,pipe", "-f", "rawvideo"]);
        self.all(["-pixel_format", "yuv420p", "-video_size", &format!("{width}x{height}")]);
        self.all(["-framerate", &format!("{numerator}/{denominator}"), "-i", name]);
    }
}
