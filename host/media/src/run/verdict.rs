//! Whether a run delivered what the probe promised. That ffmpeg ended well says nothing: it does
//! so after half a file.

use crate::MediaError;
use crate::process::said::{self, Level, Said};
use crate::source::VideoStream;
use crate::track::Packet;

use super::Summary;

/// How much less sound than promised may come, in seconds. Lengths in headers are rounded and
/// the last packet may be incomplete; a file that was cut off lacks more.
const MISSING_SECONDS: u64 = 1;

/// What ffmpeg says of a file that ends too early.
const CUT_OFF: [&str; 2] = ["ended prematurely", "partial file"];

/// How many pictures of a source may be lost, and one more of so many that it has.
const LOST_FRAMES: u64 = 2;
const FRAMES_A_LOSS: u64 = 100;

/// How many damaged pictures can be shown, whatever the length; and of how many one more is. One
/// loss is seen until pictures begin anew, but when it is every other one there is nothing to see.
const DAMAGED_FRAMES: u64 = 10;
const FRAMES_A_DAMAGE: u64 = 2;

/// What ffmpeg says of a picture of which parts were made up.
const DAMAGED: &str = "corrupt decoded frame";

/// The longest complaint that is passed on, in characters.
const COMPLAINT_CHARS: usize = 200;

/// What was promised and has come of one track.
#[derive(Clone, Debug)]
pub(super) struct Delivered {
    promised_frames: Option<u64>,
    promised_ticks: u64,
    ticks_per_second: u32,
    /// The stream whose pictures are decoded for it, and how many of them there are.
    decoded: Option<(u32, u64)>,
    copied: bool,
    packets: u64,
    bytes: u64,
    /// Where the last packet ends, in ticks.
    end: i64,
}

impl Delivered {
    /// Nothing yet of `ticks`, and of so many frames if it is a video track.
    pub(super) fn promised(frames: Option<u64>, ticks: u64, ticks_per_second: u32) -> Self {
        Self {
            promised_frames: frames,
            promised_ticks: ticks,
            ticks_per_second,
            decoded: None,
            copied: false,
            packets: 0,
            bytes: 0,
            end: 0,
        }
    }

    /// The same track, made of the pictures of `video`.
    pub(super) fn decoded_from(self, video: &VideoStream) -> Self {
        Self { decoded: pictures(video).map(|count| (video.stream, count)), ..self }
    }

    /// The same track, copied.
    pub(super) fn copied(self) -> Self {
        Self { copied: true, decoded: None, ..self }
    }

    /// Counts a packet.
    pub(super) fn count(&mut self, packet: &Packet) {
        self.packets += 1;
        self.bytes = self.bytes.saturating_add(u64::try_from(packet.data.len()).unwrap_or(0));
        self.end = self.end.max(packet.pts.saturating_add(i64::from(packet.duration)));
    }

    fn check(&self) -> Result<(), MediaError> {
        self.check_length().map_err(|error| match error {
            // Decoding finds out what it is.
            error if self.copied => MediaError::CannotCopy { message: error.to_string() },
            error => error,
        })
    }

    fn check_length(&self) -> Result<(), MediaError> {
        if let Some(expected) = self.promised_frames {
            if self.packets.abs_diff(expected) > 1 {
                return Err(MediaError::FrameCount { expected, got: self.packets });
            }
            return Ok(());
        }
        let end = u64::try_from(self.end).unwrap_or(0);
        let second = u64::from(self.ticks_per_second.max(1));
        if self.promised_ticks.saturating_sub(end) > second * MISSING_SECONDS {
            let (got, promised) = (end / second, self.promised_ticks / second);
            return Err(MediaError::Unreadable {
                message: format!("its sound ends after {got} of {promised} seconds"),
            });
        }
        Ok(())
    }

    /// Whether the pictures were there to be decoded. The frame rate filter puts others in the
    /// place of those that were not, so that their number is right in a film that stands still.
    /// Pictures may be far apart in a source that is whole; `complaint` says that this one is not.
    fn check_decoded(&self, stderr: &str, complaint: &str) -> Result<(), MediaError> {
        let Some((stream, expected)) = self.decoded else { return Ok(()) };
        let Some(got) = frames_decoded(stderr, stream) else { return Ok(()) };
        if lost(expected, got) {
            return Err(MediaError::Unreadable {
                message: format!("{got} of {expected} pictures can be decoded ({complaint})"),
            });
        }
        Ok(())
    }
}

/// How many pictures a stream has, if that is known well enough to miss some.
fn pictures(video: &VideoStream) -> Option<u64> {
    // Two packets may make one picture.
    let fields = if video.interlaced { 2 } else { 1 };
    let constant = video.constant_frame_rate.then_some(video.frame_rate);
    // A gap is what is looked for.
    let steady = constant.or(video.coding.steady_rate);
    let lasting = video.frames_at(steady.unwrap_or(video.frame_rate)) / fields;
    match video.frames.map(|frames| frames / fields) {
        // An index also counts what an edit leaves out.
        Some(indexed) if indexed.abs_diff(lasting) <= LOST_FRAMES + lasting / FRAMES_A_LOSS => {
            Some(indexed.min(lasting))
        }
        _ => steady.map(|_| lasting),
    }
}

fn lost(expected: u64, got: u64) -> bool {
    expected.saturating_sub(got) > LOST_FRAMES.max(expected / FRAMES_A_LOSS)
}

/// What ffmpeg counted at its end: `Input stream #0:1 (video): 9 packets read (99 bytes); 9 frames
/// decoded;`.
fn frames_decoded(stderr: &str, stream: u32) -> Option<u64> {
    let begin = format!("Input stream #0:{stream} (video): ");
    let line = said::lines(stderr).filter_map(|said| said.text.strip_prefix(&begin)).last()?;
    let counted = line.split("; ").find_map(|part| part.split_once(" frames decoded"))?;
    counted.0.parse().ok()
}

/// What means that the source is not whole. Decoders and demuxers warn of much else.
fn is_complaint(said: &Said<'_>) -> bool {
    said.level == Level::Error || said.level == Level::Warning && said.text.contains("corrupt")
}

/// Judges a run that ended well by its own account: `frames` is what ffmpeg counted of its first
/// video track.
pub(super) fn judge(
    delivered: &[Delivered],
    frames: u64,
    stderr: &str,
) -> Result<Summary, MediaError> {
    for track in delivered {
        track.check()?;
    }
    let cut_off = |said: &Said<'_>| {
        said.level >= Level::Warning && CUT_OFF.iter().any(|text| said.text.contains(text))
    };
    if let Some(said) = said::lines(stderr).find(cut_off) {
        return Err(MediaError::Unreadable { message: format!("it is cut off ({said})") });
    }
    let video = delivered.iter().find(|track| track.promised_frames.is_some());
    let got = video.map_or(0, |track| track.packets);
    if got != frames {
        return Err(MediaError::FrameCount { expected: frames, got });
    }
    let first = said::lines(stderr).find(is_complaint);
    let damage: Option<String> =
        first.map(|said| said.to_string().chars().take(COMPLAINT_CHARS).collect());
    if let Some(complaint) = &damage {
        for track in delivered {
            track.check_decoded(stderr, complaint)?;
        }
        // Of other complaints there may be many about pictures that are fine to look at.
        let damaged = said::lines(stderr).filter(|said| is_complaint(said));
        let damaged = damaged.filter(|said| said.text.contains(DAMAGED));
        let count: u64 = damaged.map(|said| said.times).sum();
        if count > DAMAGED_FRAMES + frames / FRAMES_A_DAMAGE {
            return Err(MediaError::Unreadable {
                message: format!("much of it is damaged ({complaint})"),
            });
        }
    }
    Ok(Summary {
        damage,
        frames,
        packets: delivered.iter().map(|track| track.packets).collect(),
        bytes: delivered.iter().map(|track| track.bytes).sum(),
        copied: delivered.iter().map(|track| track.copied).collect(),
    })
}

#[cfg(test)]
mod tests;
