//! The sources: made once and kept, each under a name that says how.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::Outcome;
use crate::workshop::Workshop;

/// A moving picture in HD colour with a tone, `seconds` long, as most sources are: H.264 and AAC,
/// its index in front.
fn clip(workshop: &Workshop, size: &str, rate: u32, seconds: u32) -> Outcome<PathBuf> {
    let picture = format!("testsrc2=size={size}:rate={rate}:duration={seconds}");
    let sound = format!("sine=frequency=330:beep_factor=4:duration={seconds}:sample_rate=48000");
    let words = format!(
        "-f lavfi -i {picture} -f lavfi -i {sound} -c:v libx264 -preset veryfast -crf 20 -g 120 \
         -vf setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv \
         -pix_fmt yuv420p -colorspace bt709 -color_primaries bt709 -color_trc bt709 \
         -color_range tv -c:a aac -b:a 128k -ac 2 -movflags +faststart"
    );
    let name = format!("{size}-{rate}-{seconds}s.mp4");
    once(workshop, &name, words.split_whitespace().map(OsString::from).collect())
}

/// So many seconds of 1080p at 30 frames a second.
pub(crate) fn film(workshop: &Workshop, seconds: u32) -> Outcome<PathBuf> {
    clip(workshop, "1920x1080", 30, seconds)
}

/// Two seconds of few pixels, for what has nothing to do with pixels.
pub(crate) fn tiny(workshop: &Workshop) -> Outcome<PathBuf> {
    clip(workshop, "320x180", 25, 2)
}

/// Three minutes of the same, which can be copied: its sound is encoded in one piece, because the
/// end of a piece's sound is not the end of its picture.
pub(crate) fn three_minutes(workshop: &Workshop) -> Outcome<PathBuf> {
    let part = film(workshop, 10)?;
    let silent = vec!["-i".into(), part.into(), "-an".into(), "-c".into(), "copy".into()];
    let silent = once(workshop, "silent-10s.mp4", silent)?;
    let mut words: Vec<OsString> = vec!["-stream_loop".into(), "17".into(), "-i".into()];
    words.push(silent.into());
    let sound = "-f lavfi -i sine=frequency=330:beep_factor=4:duration=180:sample_rate=48000 \
                 -map 0:v -map 1:a -c:v copy -c:a aac -b:a 128k -ac 2 -movflags +faststart";
    words.extend(sound.split_whitespace().map(OsString::from));
    once(workshop, "three-minutes.mp4", words)
}

/// Three hours, of so few pixels that making them takes no time; what is long about it is the
/// index.
pub(crate) fn three_hours(workshop: &Workshop) -> Outcome<PathBuf> {
    let part = clip(workshop, "320x180", 25, 30)?;
    let mut words: Vec<OsString> = vec!["-stream_loop".into(), "359".into()];
    words.extend(["-i".into(), part.into()]);
    words.extend(["-c", "copy", "-movflags", "+faststart"].map(OsString::from));
    once(workshop, "three-hours.mp4", words)
}

/// Makes a file unless it is there.
fn once(workshop: &Workshop, name: &str, mut words: Vec<OsString>) -> Outcome<PathBuf> {
    let file = workshop.file(name);
    if !file.is_file() {
        eprintln!("Making {}.", file.display());
        let part = workshop.file(&format!("part-{name}"));
        words.push(part.clone().into());
        workshop.ffmpeg(words).once()?;
        std::fs::rename(&part, &file)?;
    }
    Ok(file)
}
