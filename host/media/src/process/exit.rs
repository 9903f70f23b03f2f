//! How a tool ended, and what that means.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use nix::sys::signal::Signal;

use super::Tool;
use crate::MediaError;
use crate::jail::{JailLimits, REFUSED, REFUSED_MARK};

/// The longest message that is passed on, in characters.
const MESSAGE: usize = 400;

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
    /// `Ok` for exit code 0, otherwise the error that it stands for: a limit of `limits` that
    /// it ran into ([`MediaError::Budget`]), or [`MediaError::Encoder`] with the last thing the
    /// tool said.
    ///
    /// Exit code 0 is not success: ffmpeg uses it after decoding half a file, too. Count what
    /// came out.
    pub fn check(&self, limits: &JailLimits) -> Result<(), MediaError> {
        if self.status.success() {
            return Ok(());
        }
        let over = |what, allowed: u64| MediaError::Budget {
            what,
            allowed,
            asked: allowed.saturating_add(1),
        };
        if self.out_of_time() {
            return Err(over("processor seconds for ffmpeg", limits.cpu_seconds));
        }
        if self.stderr_tail.contains("Cannot allocate memory") {
            return Err(over("bytes of memory for ffmpeg", limits.memory_bytes));
        }
        Err(MediaError::Encoder { message: self.message() })
    }

    /// Whether the kernel said that its processor time is over. ffmpeg catches that signal and
    /// ends as if it had been asked to, with a file that is too short.
    fn out_of_time(&self) -> bool {
        let caught = format!("received signal {}", Signal::SIGXCPU as i32);
        self.status.signal() == Some(Signal::SIGXCPU as i32)
            || self.status.code() == Some(255) && self.stderr_tail.contains(&caught)
    }

    /// The last line that the tool wrote, or else how it ended.
    pub fn message(&self) -> String {
        let line = self.stderr_tail.lines().map(str::trim).rfind(|line| !line.is_empty());
        line.map_or_else(
            || format!("{} ended with {}", self.tool, self.status),
            |line| line.chars().take(MESSAGE).collect(),
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
