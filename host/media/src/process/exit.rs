//! How a tool ended, and what that means.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use nix::sys::signal::Signal;

use super::{Tool, said};
use crate::MediaError;
use crate::jail::{JailLimits, REFUSED, REFUSED_MARK};

/// The longest message that is passed on, in characters.
const MESSAGE: usize = 400;

/// ffmpeg's exit code after more packets that cannot be decoded than it puts up with.
const UNDECODABLE: i32 = 69;

/// What it says of a stream that cannot be decoded.
const UNDECODABLE_WORDS: [&str; 3] = [
    "Error while decoding stream",
    "Error submitting packet to decoder",
    "Cannot determine format of input stream",
];

/// How a tool ended.
#[derive(Clone, Debug)]
pub struct Exit {
    /// What ended.
    pub tool: Tool,
    /// Exit code or signal.
    pub status: ExitStatus,
    /// The last 64 KiB it wrote to stderr, without control characters except line feeds.
    pub stderr_tail: String,
}

impl Exit {
    /// The error that this end stands for: a limit of `limits` that the tool ran into
    /// ([`MediaError::Budget`]), a source that cannot be decoded ([`MediaError::Unreadable`]), or
    /// [`MediaError::Encoder`] with the last thing it said.
    ///
    /// `Ok` is not success: ffmpeg exits with 0 after decoding half a file, too. Count what
    /// came out. For a tool that was told to end ([`Child::kill`](super::Child::kill)) the
    /// answer has no meaning.
    pub fn check(&self, limits: &JailLimits) -> Result<(), MediaError> {
        let over = |what, allowed: u64| MediaError::Budget {
            what,
            allowed,
            asked: allowed.saturating_add(1),
        };
        // Before the exit code: a filter that gets no memory ends the run early, and with 0.
        if self.stderr_tail.contains("Cannot allocate memory") {
            return Err(over("bytes of memory for ffmpeg", limits.memory_bytes));
        }
        if self.status.success() {
            return Ok(());
        }
        if self.out_of_time() {
            return Err(over("seconds of processor time for ffmpeg", limits.cpu_seconds));
        }
        if self.cannot_decode() {
            let message = format!("most of it cannot be decoded ({})", self.message());
            return Err(MediaError::Unreadable { message });
        }
        Err(MediaError::Encoder { message: self.message() })
    }

    /// Whether it gave up because of what it was to decode. ffmpeg has an exit code of its own for
    /// too many packets that cannot be; where nothing came of a stream at all it fails like any
    /// other, and its last word tells.
    fn cannot_decode(&self) -> bool {
        let last = self.message();
        self.status.code() == Some(UNDECODABLE)
            || UNDECODABLE_WORDS.iter().any(|words| last.starts_with(words))
    }

    /// Whether the kernel said that its processor time is over. ffmpeg catches that signal, ends
    /// as if it had been asked to and exits with 255, which it uses for nothing else; ffprobe
    /// dies of it.
    fn out_of_time(&self) -> bool {
        self.status.signal() == Some(Signal::SIGXCPU as i32) || self.status.code() == Some(255)
    }

    /// The last of the gravest lines that the tool wrote, or else how it ended.
    pub fn message(&self) -> String {
        // Of those with a level, only an error says why.
        let graver = |said: &said::Said<'_>, other: &said::Said<'_>| said.level.cmp(&other.level);
        let said = said::lines(&self.stderr_tail).max_by(graver);
        said.map_or_else(
            || format!("{} ended with {}", self.tool, self.status),
            |said| said.text.chars().take(MESSAGE).collect(),
        )
    }

    /// The error of a jail that did not start the tool, if this is one.
    pub(super) fn refusal(&self) -> Option<MediaError> {
        if self.status.code() != Some(i32::from(REFUSED)) {
            return None;
        }
        let reason = self.stderr_tail.lines().find_map(|line| line.strip_prefix(REFUSED_MARK))?;
        Some(MediaError::JailUnavailable { message: reason.into() })
    }
}

#[cfg(test)]
mod tests;
