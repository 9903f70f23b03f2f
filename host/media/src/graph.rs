//! From a composition to ffmpeg's arguments: pure functions of typed facts. Nothing that a caller
//! or a file wrote can become an argument, because only numbers and closed choices go in.

mod colour;
mod encode;
mod filters;

use crate::composition::{Composition, TrackPlan};
use crate::source::{Source, VideoStream};
use crate::units::{Colour, Point, Size, Time};

use colour::Conversion;

pub(crate) use encode::timescale;

/// A file or pipe by the name under which ffmpeg opens it (`pipe:7`).
pub(crate) type Name = String;

/// The picture of an overlay as ffmpeg reads it: raw RGBA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OverlayInput {
    pub(crate) name: Name,
    pub(crate) size: Size,
    pub(crate) at: Point,
}

/// What ffmpeg reads.
#[derive(Clone, Debug)]
pub(crate) struct Inputs<'a> {
    /// The source.
    pub(crate) source: Name,
    /// Its demuxer, one of a closed list.
    pub(crate) demuxer: &'static str,
    /// The most pixels that it may decode to.
    pub(crate) max_pixels: u64,
    /// One for every overlay of the composition.
    pub(crate) overlays: &'a [OverlayInput],
}

/// Whether the samples of `video` already are those of a raster of `colour`, read as a run reads
/// them: what is not tagged is taken for what it usually is.
pub(crate) fn is_in_colour(video: &VideoStream, colour: Colour) -> bool {
    let own = video.colour;
    let tags = [own.primaries, own.transfer, own.matrix];
    let asked = [colour.primaries, colour.transfer, colour.matrix];
    let mut pairs = tags.into_iter().zip(asked);
    own.full_range == colour.full_range
        && pairs.all(|(own, asked)| own == asked || own == Colour::UNSPECIFIED.matrix)
        && Conversion::between(video, colour).is_none()
}

/// The arguments of a whole run: every track of `composition` to the pipe of the same place in
/// `outputs`, as a fragmented MP4 of its own; copied where `copies` says so.
pub(crate) fn run(
    source: &Source,
    composition: &Composition,
    copies: &[bool],
    inputs: &Inputs<'_>,
    progress: &Name,
    outputs: &[Name],
) -> Vec<String> {
    let mut args = Args::default();
    // What it counts at its end is told at this level.
    args.globals("level+verbose");
    args.all(["-progress", progress, "-stats_period", "0.2"]);
    args.source(inputs);
    args.overlays(inputs);
    let tracks = composition.tracks.iter().zip(copies).zip(outputs);
    for (number, ((track, copied), output)) in tracks.enumerate() {
        match track {
            TrackPlan::Video { stream, .. } if *copied => {
                args.all(["-map", &format!("0:{stream}")]);
                args.all(encode::copied_video(composition.frame_rate));
            }
            TrackPlan::Audio { stream, .. } if *copied => {
                args.all(["-map", &format!("0:{stream}")]);
                args.all(encode::copied_audio());
            }
            TrackPlan::Video { stream, codec, rate, effort, keyframe_interval, .. } => {
                let Some(video) = source.video_stream(*stream) else { continue };
                let graph = filters::video(video, composition, inputs.overlays, None);
                args.all(["-filter_complex", &format!("{graph}[t{number}]")]);
                args.all(["-map", &format!("[t{number}]")]);
                let (rate, effort) = (*rate, *effort);
                args.all(encode::video(composition, *codec, rate, effort, *keyframe_interval));
            }
            TrackPlan::Audio { stream, codec, sample_rate, channels, bit_rate, .. } => {
                let Some(audio) = source.audio_stream(*stream) else { continue };
                let graph = filters::audio(audio, *codec, *sample_rate, *channels);
                args.all(["-filter_complex", &format!("{graph}[t{number}]")]);
                args.all(["-map", &format!("[t{number}]")]);
                args.all(encode::audio(*codec, *bit_rate));
            }
        }
        args.all(encode::fragments());
        args.all([output]);
    }
    args.0
}

/// The arguments for one frame of the video stream `stream`: the picture that stands on the
/// raster at `at`, a time on the source's clock at which a frame begins. ffmpeg begins to read
/// at `seek` seconds, which only saves time: the graph itself drops what lies before `at`. A PNG
/// goes to stdout.
pub(crate) fn preview(
    source: &Source,
    composition: &Composition,
    inputs: &Inputs<'_>,
    stream: u32,
    at: Time,
    seek: Option<f64>,
) -> Vec<String> {
    let mut args = Args::default();
    args.globals("level+error");
    if let Some(seconds) = seek {
        args.all(["-seek_timestamp", "1", "-noaccurate_seek", "-ss", &seek_to(seconds)]);
    }
    args.source(inputs);
    args.overlays(inputs);
    if let Some(video) = source.video_stream(stream) {
        let graph = filters::video(video, composition, inputs.overlays, Some(at));
        let picture = filters::to_rgb(composition.colour);
        args.all(["-filter_complex", &format!("{graph},{picture}[t0]"), "-map", "[t0]"]);
    }
    args.all(["-frames:v", "1", "-fps_mode", "passthrough", "-c:v", "png"]);
    args.all(["-map_metadata", "-1", "-flags:v", "+bitexact", "-f", "image2pipe", "pipe:1"]);
    args.0
}

/// Seconds with microseconds, rounded up, so that a demuxer looking for the last sync sample at
/// or before it does not take the one before.
fn seek_to(seconds: f64) -> String {
    let micros = (seconds * 1e6).ceil() + 1.0;
    format!("{:.6}", micros / 1e6)
}

/// Arguments in the making.
#[derive(Debug, Default)]
struct Args(Vec<String>);

impl Args {
    fn all<A: Into<String>>(&mut self, args: impl IntoIterator<Item = A>) {
        self.0.extend(args.into_iter().map(Into::into));
    }

    fn globals(&mut self, level: &str) {
        self.all(["-nostdin", "-hide_banner", "-nostats", "-loglevel", level, "-copyts"]);
    }

    fn source(&mut self, inputs: &Inputs<'_>) {
        self.all([
            "-protocol_whitelist",
            "file,pipe",
            "-max_pixels",
            &inputs.max_pixels.to_string(),
        ]);
        self.all(["-f", inputs.demuxer, "-i", &inputs.source]);
    }

    fn overlays(&mut self, inputs: &Inputs<'_>) {
        for overlay in inputs.overlays {
            let Size { width, height } = overlay.size;
            self.all(["-protocol_whitelist", "file,pipe", "-f", "rawvideo"]);
            self.all(["-pixel_format", "rgba", "-video_size", &format!("{width}x{height}")]);
            self.all(["-framerate", "1", "-i", &overlay.name]);
        }
    }
}

#[cfg(test)]
mod tests;
