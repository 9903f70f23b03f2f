//! `probe`: what a source holds.

use std::fmt::Write;

use media::{Input, Source};
use render::catalogue::Code;
use render::failure::Failure;
use render::media_error;

use crate::blame;
use crate::cli::ProbeArgs;
use crate::exit::Ending;
use crate::setup::Setup;

pub(crate) async fn run(args: ProbeArgs) -> Result<Ending, Failure> {
    let setup = Setup::new(args.config.file.as_deref())?;
    let input = Input::open(&args.input).map_err(media_error)?;
    let ffmpeg = setup.ffmpeg()?;
    let source = ffmpeg.probe(&input).await.map_err(media_error);
    let source = blame::find(&ffmpeg, source).await?;
    let json = serde_json::to_value(&source).map_err(|error| {
        Failure::new(Code::Internal, format!("The result cannot be printed: {error}."))
    })?;
    Ok(Ending::Done { json, text: describe(&source) })
}

fn describe(source: &Source) -> String {
    let mut text = format!("{}, {:.3} s\n", source.container, source.duration_seconds);
    for video in &source.video {
        let _ = writeln!(
            text,
            "video {}: {} {}×{} shown as {}×{}, {}/{} fps{}, {}, colour {}/{}/{} {}",
            video.stream,
            video.codec_name,
            video.coded_size.width,
            video.coded_size.height,
            video.display_size.width,
            video.display_size.height,
            video.frame_rate.numerator,
            video.frame_rate.denominator,
            if video.constant_frame_rate { "" } else { " on average" },
            video.pixel_format,
            video.colour.primaries,
            video.colour.transfer,
            video.colour.matrix,
            if video.colour.full_range { "full" } else { "limited" },
        );
    }
    for audio in &source.audio {
        let _ = writeln!(
            text,
            "audio {}: {} {} Hz, {} channel(s), begins at {:.3} s",
            audio.stream,
            audio.codec_name,
            audio.sample_rate,
            audio.channels,
            audio.begin.seconds(),
        );
    }
    for other in &source.ignored {
        let _ =
            writeln!(text, "left out {}: {:?} ({})", other.stream, other.kind, other.codec_name);
    }
    text
}
