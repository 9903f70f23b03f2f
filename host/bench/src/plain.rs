//! What somebody who knows ffmpeg would type for the same film: one process, the same scaler, the
//! same colours, the same encoders with the same settings, the index in front.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::Outcome;
use crate::child::Run;
use crate::workshop::Workshop;

/// The default rounds chroma of RGB off by 3 and more.
const SCALER: &str = "flags=bicubic+accurate_rnd+full_chroma_int";
/// HD colour, which the clips are in.
const TO_HD: &str = "out_color_matrix=bt709:out_range=tv";
/// x264's presets by effort.
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

/// The words of a render with a mark.
pub(crate) const MARKED: [&str; 4] = ["--resolution", "1080p", "--text", "CONFIDENTIAL"];

/// What the product decided about a render, as it stored it with the question.
pub(crate) struct Decided {
    encode: Value,
    /// The picture that was shown, and its place.
    pub(crate) mark: Mark,
}

/// A picture on the raster.
#[derive(Clone)]
pub(crate) struct Mark {
    /// A PNG.
    pub(crate) file: PathBuf,
    /// Where it lies: numbers, or expressions of the frame's number.
    pub(crate) x: String,
    pub(crate) y: String,
}

impl Decided {
    /// Has a render ask, and takes its plans out of what it leaves. The chain must have ffmpeg
    /// draw the mark.
    pub(crate) fn ask(workshop: &Workshop, source: &Path, chain: &Path) -> Outcome<Self> {
        let mut ask = workshop.render(source, Some(chain), &MARKED);
        ask.words.extend(["--approve", "later"].map(OsString::from));
        ask.exits_with = 7;
        ask.once()?;
        let stored = std::fs::read(workshop.output("ours.mp4.suspended.json"))?;
        let stored: Value = serde_json::from_slice(&stored)?;
        let encode = stored.pointer("/plans/encode").cloned();
        let overlay = stored.pointer("/suspension/confirms/watermark/overlays/0");
        let overlay = overlay.ok_or("the stored render has no overlay")?;
        let image =
            overlay.get("image").and_then(Value::as_str).ok_or("the overlay has no picture")?;
        let name = chain.with_extension("png");
        let file = workshop.file(&name.file_name().unwrap_or_default().to_string_lossy());
        std::fs::write(&file, STANDARD.decode(image)?)?;
        let at = |side: &str| overlay.pointer(&format!("/at/{side}")).and_then(Value::as_u64);
        let place = at("x").zip(at("y")).ok_or("the overlay has no place")?;
        let mark = Mark { file, x: place.0.to_string(), y: place.1.to_string() };
        Ok(Self { encode: encode.ok_or("the stored render has no encode plan")?, mark })
    }

    /// The same film by plain ffmpeg.
    pub(crate) fn plain(
        &self,
        workshop: &Workshop,
        source: &Path,
        mark: Option<&Mark>,
    ) -> Outcome<Run> {
        let number = |path: &str| {
            let value = self.encode.pointer(path).filter(|value| value.is_number());
            value.map(Value::to_string).ok_or_else(|| format!("the encode plan has no {path}"))
        };
        let (width, height) = (number("/raster/size/width")?, number("/raster/size/height")?);
        let rate =
            [number("/raster/frame_rate/numerator")?, number("/raster/frame_rate/denominator")?];
        let effort: usize = number("/tracks/0/video/encoding/effort")?.parse()?;
        let quality = number("/tracks/0/video/encoding/rate_control/constant_quality")?;
        let interval = number("/tracks/0/video/encoding/keyframe_interval")?;
        let sound_rate = number("/tracks/1/audio/encoding/sample_rate")?;
        let sound_bits = number("/tracks/1/audio/encoding/bit_rate")?;

        let mut graph = format!(
            "[0:v]scale={width}:{height}:{SCALER}:in_color_matrix=bt709:in_range=tv:{TO_HD},\
             setsar=1,format=yuv420p,fps={}:round=near",
            rate.join("/")
        );
        let mut words: Vec<OsString> = vec!["-i".into(), source.into()];
        if let Some(Mark { file, x, y }) = mark {
            words.extend(["-i".into(), file.into()]);
            graph = format!(
                "[1:v]scale={SCALER}:{TO_HD},format=yuva420p[m];{graph}[f];\
                 [f][m]overlay=x={x}:y={y}:format=yuv420:eof_action=repeat"
            );
        }
        graph += &format!(
            "[v];[0:a]aresample={sound_rate}:async=1:first_pts=0,\
             aformat=sample_fmts=fltp:channel_layouts=stereo[a]"
        );
        let preset = PRESETS.get(effort).ok_or("an effort that x264 has no preset for")?;
        let options = format!(
            "-map [v] -map [a] -c:v libx264 -preset {preset} -crf {quality} -profile:v high \
             -pix_fmt yuv420p -g {interval} -color_primaries bt709 -color_trc bt709 \
             -colorspace bt709 -color_range tv -fps_mode passthrough -c:a aac -b:a {sound_bits} \
             -map_metadata -1 -movflags +faststart"
        );
        words.extend(["-filter_complex".into(), graph.into()]);
        words.extend(options.split_whitespace().map(OsString::from));
        words.push(workshop.output("plain.mp4").into());
        Ok(workshop.ffmpeg(words))
    }
}
