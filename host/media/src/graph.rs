//! From a composition to ffmpeg's arguments: pure functions of typed facts. Nothing that a caller
//! or a file wrote can become an argument, because only numbers and closed choices go in.

mod colour;
mod encode;
mod filters;
mod framed;

use crate::composition::{Composition, TrackPlan};
use crate::source::{Source, VideoStream};
use crate::units::{Colour, Point, Size, Time};

use colour::Conversion;

pub(crate) use encode::timescale;
pub(crate) use framed::{decode_frames, encode_frames, picture, preview_frames};

/// A file or pipe by the name under which ffmpeg opens it (`pipe:7`).
pub(crate) type Name = String;

/// The picture of an overlay as ffmpeg reads it: raw samples of the raster's colour, and alpha.
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
        args.track(source, composition, inputs, number, track, *copied);
        args.all(encode::fragments());
        args.all([output]);
    }
    args.0
}

/// Where a preview lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// The number of the video stream.
    pub(crate) stream: u32,
    /// A time on the source's clock at which a frame begins.
    pub(crate) at: Time,
    /// Where ffmpeg begins to read, in seconds. That only saves time: the graph itself drops what
    /// lies before `at`.
    pub(crate) seek: Option<f64>,
}

/// The arguments for one frame: the picture that stands on the raster at the place `shown`, as a
/// PNG to stdout.
pub(crate) fn preview(
    source: &Source,
    composition: &Composition,
    inputs: &Inputs<'_>,
    shown: &Shown,
) -> Vec<String> {
    let mut args = Args::default();
    // How the picture was coded is told at this level.
    args.globals("level+info");
    args.sought(inputs, shown);
    if let Some(video) = source.video_stream(shown.stream) {
        let graph = filters::video(video, composition, inputs.overlays, Some(shown.at));
        let picture = filters::to_rgb(composition.colour);
        args.all(["-filter_complex", &format!("{graph},{picture}[t0]"), "-map", "[t0]"]);
    }
    args.picture();
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

    /// A track as an output, without the options of its container.
    fn track(
        &mut self,
        source: &Source,
        composition: &Composition,
        inputs: &Inputs<'_>,
        number: usize,
        track: &TrackPlan,
        copied: bool,
    ) {
        match track {
            TrackPlan::Video { stream, .. } if copied => {
                self.all(["-map", &format!("0:{stream}")]);
                self.all(encode::copied_video(composition.frame_rate));
            }
            TrackPlan::Audio { stream, .. } if copied => {
                self.all(["-map", &format!("0:{stream}")]);
                self.all(encode::copied_audio());
            }
            TrackPlan::Video { stream, codec, rate, effort, keyframe_interval, .. } => {
                let Some(video) = source.video_stream(*stream) else { return };
                let graph = filters::video(video, composition, inputs.overlays, None);
                self.all(["-filter_complex", &format!("{graph}[t{number}]")]);
                self.all(["-map", &format!("[t{number}]")]);
                let (rate, effort) = (*rate, *effort);
                self.all(encode::video(composition, *codec, rate, effort, *keyframe_interval));
            }
            TrackPlan::Audio { stream, codec, sample_rate, channels, bit_rate, .. } => {
                let Some(audio) = source.audio_stream(*stream) else { return };
                let graph = filters::audio(audio, *codec, *sample_rate, *channels);
                self.all(["-filter_complex", &format!("{graph}[t{number}]")]);
                self.all(["-map", &format!("[t{number}]")]);
                self.all(encode::audio(*codec, *bit_rate));
            }
        }
    }

    /// The source from a place on, and the overlays.
    fn sought(&mut self, inputs: &Inputs<'_>, shown: &Shown) {
        if let Some(seconds) = shown.seek {
            self.all(["-seek_timestamp", "1", "-noaccurate_seek", "-ss", &seek_to(seconds)]);
        }
        self.source(inputs);
        self.overlays(inputs);
    }

    /// One frame as a picture file on stdout.
    fn picture(&mut self) {
        self.all(["-frames:v", "1", "-fps_mode", "passthrough", "-c:v", "png"]);
        self.all(["-map_metadata", "-1", "-flags:v", "+bitexact", "-f", "image2pipe", "pipe:1"]);
    }

    fn overlays(&mut self, inputs: &Inputs<'_>) {
        for overlay in inputs.overlays {
            let Size { width, height } = overlay.size;
            self.all(["-protocol_whitelist", "file,pipe", "-f", "rawvideo"]);
            self.all(["-pixel_format", "yuva420p", "-video_size", &format!("{width}x{height}")]);
            self.all(["-framerate", "1", "-i", &overlay.name]);
        }
    }
}

#[cfg(test)]
mod tests;
