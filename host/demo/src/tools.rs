//! The programs that the demo runs beside the server.

use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Outcome;

/// How long one of them may take.
const PATIENCE: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(20);
/// How much of what it says is read.
const OUTPUT_BYTES: u64 = 1 << 20;
/// Ten seconds of a moving picture with a clock in it, and a tone.
const PICTURE: &str = "testsrc2=size=1280x720:rate=30:duration=10";
const TONE: &str = "sine=frequency=330:beep_factor=4:duration=10:sample_rate=48000";

/// Makes the clip that is rendered.
pub(crate) fn make_clip(clip: &Path) -> Outcome {
    let mut ffmpeg = Command::new("ffmpeg");
    ffmpeg
        .args(["-nostdin", "-hide_banner", "-loglevel", "error", "-y"])
        .args(["-f", "lavfi", "-i", PICTURE, "-f", "lavfi", "-i", TONE])
        .args(["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p"])
        .args(["-c:a", "aac", "-shortest"])
        .arg(clip);
    output(&mut ffmpeg).map(drop)
}

/// Brings the clip beside the running server; returns the asset's id.
pub(crate) fn add_asset(program: &Path, data: &Path, clip: &Path) -> Outcome<String> {
    let mut add = Command::new(program);
    add.args(["asset", "add", "--json", "--data"]).arg(data).arg(clip);
    let asset: Value = serde_json::from_str(&output(&mut add)?)?;
    let id = asset.get("asset_id").and_then(Value::as_str);
    Ok(id.ok_or("`asset add` named no asset")?.to_owned())
}

/// What ffprobe says of the film, on one line for each stream.
pub(crate) fn probe(film: &Path) -> Outcome<String> {
    let entries = "stream=codec_name,width,height,r_frame_rate,nb_frames,channels";
    let mut ffprobe = Command::new("ffprobe");
    ffprobe.args(["-v", "error", "-of", "compact=p=0", "-show_entries", entries]).arg(film);
    Ok(output(&mut ffprobe)?.trim().replace('\n', "\n   "))
}

/// Runs to the end, or for as long as it may take: a child that hangs is killed and reaped.
fn output(command: &mut Command) -> Outcome<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let (mut said, mut complaints) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(said.try_clone()?)
        .stderr(complaints.try_clone()?)
        .spawn()
        .map_err(|error| format!("cannot run {name}: {error}"))?;
    let limit = Instant::now() + PATIENCE;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() > limit {
            let _ = child.kill();
            child.wait()?;
            return Err(format!("{name} took longer than {} s", PATIENCE.as_secs()).into());
        }
        sleep(PAUSE);
    };
    if status.success() {
        return text(&mut said);
    }
    Err(format!("{name} failed ({status}): {}", text(&mut complaints)?.trim()).into())
}

fn text(file: &mut File) -> Outcome<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(OUTPUT_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
