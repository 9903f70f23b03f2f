//! Sources: real clips from the samples folder, the rest made with ffmpeg.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A real clip by name; none, with a notice, where the samples are missing.
/// They are looked for in `$VIDEO_RENDER_SAMPLES`, by default in `../shared`
/// beside the checkout.
pub fn sample(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("VIDEO_RENDER_SAMPLES")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from);
    let file = folder.join("media").join(name);
    if !file.is_file() {
        eprintln!("skipped: the sample {name} is missing (VIDEO_RENDER_SAMPLES)");
        return None;
    }
    Some(file.canonicalize().unwrap())
}

/// Runs ffmpeg with these words and demands success.
#[track_caller]
pub fn ffmpeg(args: &[&str]) -> Vec<u8> {
    let output = Command::new("ffmpeg")
        .args(["-nostdin", "-hide_banner", "-loglevel", "error", "-y"])
        .args(args)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "ffmpeg {args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

/// Makes a file with ffmpeg from words that are separated by spaces; the file
/// is the last word.
#[track_caller]
pub fn make(file: PathBuf, words: &str) -> PathBuf {
    let mut args: Vec<&str> = words.split_whitespace().collect();
    args.push(file.to_str().unwrap());
    ffmpeg(&args);
    file
}

/// Two seconds of a moving picture at 25 frames a second with a beep every
/// second, 320×180, H.264 and AAC.
#[track_caller]
pub fn plain(file: PathBuf) -> PathBuf {
    make(
        file,
        "-f lavfi -i testsrc2=size=320x180:rate=25:duration=2 -f lavfi -i sine=frequency=440:beep_factor=4:duration=2:sample_rate=48000 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -ac 2",
    )
}

/// A minute of 720p, so that rendering it takes long enough to be disturbed.
#[track_caller]
pub fn long(file: PathBuf) -> PathBuf {
    make(
        file,
        "-f lavfi -i testsrc2=size=1280x720:rate=30:duration=60 -c:v libx264 -preset ultrafast -pix_fmt yuv420p",
    )
}
