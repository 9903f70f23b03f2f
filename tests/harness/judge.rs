//! Judging outputs with ffprobe and decoded frames.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::sources::ffmpeg;

/// What ffprobe says of a file's streams and format.
#[track_caller]
pub fn probe(file: &Path) -> Value {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-of", "json", "-show_streams", "-show_format", "-count_packets"])
        .arg(file)
        .output()
        .unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The first stream of a kind (`video`, `audio`); null if there is none.
pub fn stream(probed: &Value, kind: &str) -> Value {
    let streams = probed["streams"].as_array().unwrap();
    streams.iter().find(|stream| stream["codec_type"] == kind).cloned().unwrap_or_default()
}

/// A number that ffprobe printed as a text.
pub fn number(value: &Value) -> f64 {
    value.as_str().and_then(|text| text.parse().ok()).or(value.as_f64()).unwrap_or(f64::NAN)
}

/// A ratio that ffprobe printed.
pub fn ratio(value: &Value) -> f64 {
    let text = value.as_str().unwrap();
    let (above, below) = text.split_once('/').unwrap();
    above.parse::<f64>().unwrap() / below.parse::<f64>().unwrap()
}

/// The decoded frames of a file as planar 4:2:0, one after the other.
#[track_caller]
pub fn yuv_frames(file: &Path, width: usize, height: usize) -> Vec<Vec<u8>> {
    let raw = ffmpeg(&[
        "-i",
        file.to_str().unwrap(),
        "-map",
        "0:v:0",
        "-vsync",
        "passthrough",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "yuv420p",
        "-",
    ]);
    let size = width * height * 3 / 2;
    assert_eq!(raw.len() % size, 0, "whole frames");
    raw.chunks(size).map(<[u8]>::to_vec).collect()
}

/// The sound of a file on its own time line, mono at 48 kHz: silence before a
/// late beginning is part of it.
#[track_caller]
pub fn sound(file: &Path) -> Vec<i16> {
    let raw = ffmpeg(&[
        "-i",
        file.to_str().unwrap(),
        "-map",
        "0:a:0",
        "-af",
        "aresample=48000:async=1:first_pts=0",
        "-ac",
        "1",
        "-f",
        "s16le",
        "-",
    ]);
    raw.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
}

/// The first sample that is clearly not silence, in seconds.
pub fn onset(sound: &[i16]) -> f64 {
    let at = sound.iter().position(|sample| sample.unsigned_abs() > 1000).expect("there is sound");
    at as f64 / 48_000.0
}

/// The names of the boxes on the top level of an ISO base media file.
pub fn boxes(file: &Path) -> Vec<String> {
    let bytes = std::fs::read(file).unwrap();
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(header) = bytes.get(at..at + 8) {
        let mut size = u64::from(u32::from_be_bytes(header[..4].try_into().unwrap()));
        names.push(String::from_utf8_lossy(&header[4..]).into_owned());
        if size == 1 {
            size = u64::from_be_bytes(bytes[at + 8..at + 16].try_into().unwrap());
        }
        at += usize::try_from(size).unwrap();
    }
    assert_eq!(at, bytes.len(), "the boxes fill the file");
    names
}
