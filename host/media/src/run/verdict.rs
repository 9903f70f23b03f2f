//! Whether a run delivered what the probe promised. That ffmpeg ended well says nothing: it does
//! so after half a file.

use crate::MediaError;
use crate::track::Packet;

use super::Summary;

/// How much less sound than promised may come, in seconds. Lengths in headers are rounded and
/// the last packet may be incomplete; a file that was cut off lacks more.
const MISSING_SECONDS: u64 = 1;

/// What ffmpeg says of a file that ends too early.
const CUT_OFF: [&str; 2] = ["ended prematurely", "partial file"];

/// How many complaints of ffmpeg are damage that can be shown, whatever the length; and of how
/// many frames one more is. Decoders fill what is missing from what is there, so that the count
/// of frames is right in a film that stands still for seconds.
const TOLERATED_COMPLAINTS: u64 = 10;
const FRAMES_A_COMPLAINT: u64 = 100;

/// The longest complaint that is passed on, in characters.
const COMPLAINT_CHARS: usize = 200;

/// What was promised and has come of one track.
#[derive(Clone, Debug)]
pub(super) struct Delivered {
    promised_frames: Option<u64>,
    promised_ticks: u64,
    ticks_per_second: u32,
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
            packets: 0,
            bytes: 0,
            end: 0,
        }
    }

    /// Counts a packet.
    pub(super) fn count(&mut self, packet: &Packet) {
        self.packets += 1;
        self.bytes = self.bytes.saturating_add(u64::try_from(packet.data.len()).unwrap_or(0));
        self.end = self.end.max(packet.pts.saturating_add(i64::from(packet.duration)));
    }

    fn check(&self) -> Result<(), MediaError> {
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
    if let Some(line) = stderr.lines().find(|line| CUT_OFF.iter().any(|said| line.contains(said))) {
        return Err(MediaError::Unreadable { message: format!("it is cut off ({line})") });
    }
    let video = delivered.iter().find(|track| track.promised_frames.is_some());
    let got = video.map_or(0, |track| track.packets);
    if got != frames {
        return Err(MediaError::FrameCount { expected: frames, got });
    }
    let complaints = || stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let first: Option<String> =
        complaints().next().map(|line| line.chars().take(COMPLAINT_CHARS).collect());
    let count: u64 = complaints().map(repeated).sum();
    let damage = match first {
        Some(line) if count > TOLERATED_COMPLAINTS + frames / FRAMES_A_COMPLAINT => {
            return Err(MediaError::Unreadable {
                message: format!("much of it is damaged ({line})"),
            });
        }
        first => first,
    };
    Ok(Summary {
        damage,
        frames,
        packets: delivered.iter().map(|track| track.packets).collect(),
        bytes: delivered.iter().map(|track| track.bytes).sum(),
    })
}

/// How many complaints a line stands for: ffmpeg says only once what it says again and again.
fn repeated(line: &str) -> u64 {
    let times = line.strip_prefix("Last message repeated ").and_then(|rest| rest.split(' ').next());
    times.and_then(|times| times.parse::<u32>().ok()).map_or(1, u64::from)
}

#[cfg(test)]
mod tests;
