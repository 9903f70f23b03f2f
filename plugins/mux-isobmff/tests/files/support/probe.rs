//! What ffprobe and ffmpeg say about a file.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Whether ffmpeg and ffprobe can be run; says so if not.
pub(crate) fn available() -> bool {
    let found = ["ffmpeg", "ffprobe"]
        .iter()
        .all(|tool| Command::new(tool).arg("-version").output().is_ok_and(|o| o.status.success()));
    if !found {
        eprintln!("skipped: this test needs ffmpeg and ffprobe in PATH");
    }
    found
}

/// Streams, format and packets as ffprobe sees them.
pub(crate) fn probe(path: &Path) -> Value {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-show_streams", "-show_format", "-show_packets", "-of", "json"])
        .arg(path)
        .output()
        .unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && complaints.is_empty(), "ffprobe: {complaints}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Decodes the whole file and demands that ffmpeg has nothing to complain about.
pub(crate) fn decodes_cleanly(path: &Path) {
    let output = Command::new("ffmpeg")
        .args(["-v", "warning", "-xerror", "-i"])
        .arg(path)
        .args(["-map", "0", "-f", "null", "-"])
        .output()
        .unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && complaints.is_empty(), "ffmpeg: {complaints}");
}

/// The decoded samples' checksum of one stream as it is presented, edit list applied.
pub(crate) fn checksum(path: &Path, stream: &str) -> String {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(path)
        .args(["-map", stream, "-f", "md5", "-"])
        .output()
        .unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// Packets of one stream: pts, dts, duration, flags. Times are in ticks of the stream.
pub(crate) fn packets(probe: &Value, stream: usize) -> Vec<(i64, i64, i64, String)> {
    let packets = probe["packets"].as_array().unwrap();
    let of_stream = packets.iter().filter(|packet| packet["stream_index"] == stream);
    of_stream
        .map(|packet| {
            let time = |name: &str| packet[name].as_i64().unwrap();
            let flags = packet["flags"].as_str().unwrap().to_owned();
            (time("pts"), time("dts"), time("duration"), flags)
        })
        .collect()
}
