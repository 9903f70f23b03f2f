//! Whether a run delivered what the probe promised. That ffmpeg ended well says nothing: it does
//! so after half a file.

use crate::MediaError;
use crate::process::said::{self, Level, Said};
use crate::source::{AudioStream, VideoStream};
use crate::track::Packet;
use crate::units::Time;

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

/// How much of the sound may be lost, in seconds, and of how many seconds one more.
const LOST_SECONDS: f64 = 1.0;
const SECONDS_A_LOSS: f64 = 10.0;

/// How many more pictures than there is time for may be decoded, and one more of so many.
const SURPLUS_FRAMES: u64 = 25;
const FRAMES_A_SURPLUS: u64 = 10;

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
    /// The stream whose sound is decoded for it, its samples a second, and how long it is.
    heard: Option<(u32, u32, f64)>,
    /// The stream whose times may begin anew, and how many pictures its time has room for.
    room: Option<(u32, u64)>,
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
            heard: None,
            room: None,
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

    /// The same track, made of the sound of `audio`.
    pub(super) fn heard_from(self, audio: &AudioStream) -> Self {
        // Sound whose first packets are broken begins later, as far as a decoder can tell.
        let first = Time { ticks: audio.coding.first_packet.unwrap_or(i64::MAX), ..audio.begin };
        let begin = if first < audio.begin { first } else { audio.begin };
        let seconds = audio.end.seconds() - begin.seconds();
        Self { heard: Some((audio.stream, audio.sample_rate, seconds)), ..self }
    }

    /// The same track, made of `video` in a container whose clock may begin anew.
    pub(super) fn of_restarting_clock(self, video: &VideoStream) -> Self {
        Self { room: Some((video.stream, video.frames_at(video.frame_rate))), ..self }
    }

    /// The same track, copied.
    pub(super) fn copied(self) -> Self {
        Self { copied: true, decoded: None, heard: None, room: None, ..self }
    }

    /// Whether it is copied.
    pub(super) fn is_copied(&self) -> bool {
        self.copied
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
        let Some(got) = counted(stderr, stream, "video", " frames decoded") else { return Ok(()) };
        if lost(expected, got) {
            return Err(MediaError::Unreadable {
                message: format!("{got} of {expected} pictures can be decoded ({complaint})"),
            });
        }
        Ok(())
    }

    /// Whether the sound was there to be decoded; what was not has become silence.
    fn check_heard(&self, stderr: &str, complaint: &str) -> Result<(), MediaError> {
        let Some((stream, rate, promised)) = self.heard else { return Ok(()) };
        let Some(samples) = counted(stderr, stream, "audio", " samples") else { return Ok(()) };
        #[expect(clippy::cast_precision_loss, reason = "a film has far fewer than 2^52 samples")]
        let got = samples as f64 / f64::from(rate.max(1));
        if promised - got > LOST_SECONDS.max(promised / SECONDS_A_LOSS) {
            let message = format!(
                "{got:.1} of {promised:.1} seconds of its sound can be decoded ({complaint})"
            );
            return Err(MediaError::Unreadable { message });
        }
        Ok(())
    }

    /// Whether there was a time for every picture. Where times begin anew in the middle, pictures
    /// come that have their places taken already.
    fn check_room(&self, stderr: &str) -> Result<(), MediaError> {
        let Some((stream, room)) = self.room else { return Ok(()) };
        let Some(got) = counted(stderr, stream, "video", " frames decoded") else { return Ok(()) };
        if got.saturating_sub(room) > SURPLUS_FRAMES + room / FRAMES_A_SURPLUS {
            return Err(MediaError::UnsupportedSource {
                message: format!(
                    "its times begin anew within the file ({got} pictures have times for {room}), \
                     as if files had been joined; remux it with times that go on"
                ),
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

/// What ffmpeg counted at its end of a stream: `Input stream #0:1 (audio): 9 packets read (99
/// bytes); 9 frames decoded (9216 samples);`. `what` stands behind the number.
fn counted(stderr: &str, stream: u32, kind: &str, what: &str) -> Option<u64> {
    let begin = format!("Input stream #0:{stream} ({kind}): ");
    let line = said::lines(stderr).filter_map(|said| said.text.strip_prefix(&begin)).last()?;
    let (before, _) = line.rsplit_once(what)?;
    before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
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
    for track in delivered {
        track.check_room(stderr)?;
    }
    if let Some(complaint) = &damage {
        if delivered.iter().any(Delivered::is_copied) {
            // How bad it is shows when it is decoded, and only then.
            return Err(MediaError::CannotCopy { message: format!("it is damaged ({complaint})") });
        }
        for track in delivered {
            track.check_decoded(stderr, complaint)?;
            track.check_heard(stderr, complaint)?;
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
