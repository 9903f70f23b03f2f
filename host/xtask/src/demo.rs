//! `cargo xtask demo`: the product at work, from nothing but the checkout.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, output};
use crate::{Outcome, packages, places, plugins, server};

/// Ten seconds of a moving picture with a clock in it, and a tone.
const CLIP: &[&str] = &[
    "-f",
    "lavfi",
    "-i",
    "testsrc2=size=1280x720:rate=30:duration=10",
    "-f",
    "lavfi",
    "-i",
    "sine=frequency=330:beep_factor=4:duration=10:sample_rate=48000",
    "-c:v",
    "libx264",
    "-preset",
    "veryfast",
    "-pix_fmt",
    "yuv420p",
    "-c:a",
    "aac",
    "-shortest",
];

/// Builds what is missing, makes a clip, renders it with a text watermark and
/// shows each step as it could be typed.
pub(crate) fn run() -> Outcome {
    packages::need_ffmpeg()?;
    plugins::build()?;
    let program = server::build()?;
    let folder = places::binaries()?.join("demo");
    std::fs::create_dir_all(&folder)?;
    let [source, film] = ["source.mp4", "film.mp4"].map(|name| folder.join(name));

    println!("\n1. A source: ten seconds of 720p with sound, made with ffmpeg.");
    let quiet = ["-nostdin", "-hide_banner", "-loglevel", "error", "-y"];
    command::run(Command::new("ffmpeg").args(quiet).args(CLIP).arg(&source))?;
    println!("   {}", source.display());

    println!("\n2. The stages: each a component in a sandbox of its own.");
    print!("{}", indented(&output(Command::new(&program).args(["plugin", "list"]))?));

    println!("\n3. Render with a watermark; the watermark stage asks, and the render waits.");
    let words =
        ["--resolution", "1080p", "--text", "CONFIDENTIAL", "--approve", "later", "--overwrite"];
    let mut render = Command::new(&program);
    render.arg("render").arg(&source).arg("-o").arg(&film).args(words);
    show(&render);
    let asked = render.output()?;
    // Exit code 7 says that the render waits for approval.
    if asked.status.code() != Some(7) {
        return Err(
            format!("the render did not wait: {}", String::from_utf8_lossy(&asked.stderr)).into()
        );
    }
    print!("{}", indented(&String::from_utf8_lossy(&asked.stdout)));
    let preview = keep_preview(&film)?;
    println!("   (a copy of the picture that is asked about stays in {})", preview.display());

    println!("\n4. Somebody looks at the preview and says yes, in another process.");
    let mut resume = Command::new(&program);
    resume.arg("resume").arg(suffixed(&film, ".suspended.json")).args(["--approve", "yes"]);
    show(&resume);
    print!("{}", indented(&output(&mut resume)?));

    println!("\n5. The checked film, by ffprobe:");
    let entries = "format=duration:stream=codec_name,width,height,r_frame_rate,nb_frames,channels";
    let mut probe = Command::new("ffprobe");
    probe.args(["-v", "error", "-of", "compact", "-show_entries", entries]).arg(&film);
    print!("{}", indented(&output(&mut probe)?));
    println!("\nFilm:    {}\nPreview: {}", film.display(), preview.display());
    Ok(())
}

/// Prints a command as it could be typed.
fn show(command: &Command) {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words: Vec<String> =
        command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
    println!("   $ {} {}", program.to_string_lossy(), words.join(" "));
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("   {line}\n")).collect()
}

/// The preview goes away with the question, so a copy is kept to be looked at.
fn keep_preview(film: &Path) -> Outcome<PathBuf> {
    let copy = film.with_file_name("preview.png");
    std::fs::copy(suffixed(film, ".preview.png"), &copy)?;
    Ok(copy)
}

fn suffixed(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
