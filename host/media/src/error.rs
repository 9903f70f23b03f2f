//! What can go wrong with media, one sentence each.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// An error of the media engine. `Display` is one sentence that a user can act on;
/// [`MediaError::code`] is stable.
#[derive(Debug, thiserror::Error)]
pub enum MediaError {
    /// The input does not exist.
    #[error("{} does not exist", path.display())]
    NotFound {
        /// The path as given.
        path: PathBuf,
    },
    /// The input is a directory, a device, a pipe or a socket.
    #[error("{} is {kind}, not a file", path.display())]
    NotAFile {
        /// The path as given.
        path: PathBuf,
        /// What it is, with its article.
        kind: &'static str,
    },
    /// The input has no bytes.
    #[error("{} is empty", path.display())]
    Empty {
        /// The path as given.
        path: PathBuf,
    },
    /// The first bytes are not those of a media container that the host opens.
    #[error("{} is not a media file: it looks like {looks_like}", path.display())]
    NotMedia {
        /// The path as given.
        path: PathBuf,
        /// What it looks like instead, with its article.
        looks_like: &'static str,
    },
    /// The file has no picture track.
    #[error("the input has no video track")]
    NoVideo,
    /// The input cannot be read, or its contents are damaged.
    #[error("the input cannot be read: {message}")]
    Unreadable {
        /// Why, in the words of the system or of ffmpeg.
        message: String,
    },
    /// The input is sound, but has something that the host does not handle.
    #[error("the input is not supported: {message}")]
    UnsupportedSource {
        /// What it has.
        message: String,
    },
    /// The composition asks for something that this engine cannot make.
    #[error("the plan cannot be carried out: {message}")]
    UnsupportedPlan {
        /// What it asks for.
        message: String,
    },
    /// ffmpeg or ffprobe is not installed.
    #[error("{tool} was not found{}: install ffmpeg 5.1 or later, or configure its path", at.as_ref().map(|path| format!(" at {}", path.display())).unwrap_or_default())]
    ToolMissing {
        /// `ffmpeg` or `ffprobe`.
        tool: &'static str,
        /// The configured path; none when `PATH` was searched.
        at: Option<PathBuf>,
    },
    /// ffmpeg or ffprobe is older than the host needs.
    #[error("{tool} is version {found}, but 5.1 or later is needed: install a newer ffmpeg")]
    ToolTooOld {
        /// `ffmpeg` or `ffprobe`.
        tool: &'static str,
        /// What it calls its version.
        found: String,
    },
    /// ffmpeg or ffprobe did not answer when it was asked for its version.
    #[error("{tool} did not say its version within {} s: the machine may be busy, so try again, or look at what {tool} waits for", limit.as_secs_f32())]
    ToolSilent {
        /// `ffmpeg` or `ffprobe`.
        tool: &'static str,
        /// The time it had.
        limit: Duration,
    },
    /// The jail could not be set up, so the tool was not started.
    #[error("the jail for ffmpeg is not available: {message}")]
    JailUnavailable {
        /// What is missing.
        message: String,
    },
    /// The tool ran longer than it may.
    #[error("ffmpeg took longer than {} s and was stopped", limit.as_secs_f32())]
    TimedOut {
        /// The time it had.
        limit: Duration,
    },
    /// The tool made no progress for too long.
    #[error("ffmpeg made no progress for {} s and was stopped", limit.as_secs_f32())]
    Stalled {
        /// The time without progress that is allowed.
        limit: Duration,
    },
    /// The number of frames differs from what the probe promised.
    #[error("{got} frames came out where {expected} were expected")]
    FrameCount {
        /// Frames that the probe promised.
        expected: u64,
        /// Frames that came.
        got: u64,
    },
    /// The source's own packets turned out not to be fit to be passed on; a run of
    /// [`Composition::without_copying`](crate::Composition::without_copying) will do.
    #[error("the source cannot be copied: {message}")]
    CannotCopy {
        /// What is wrong with them.
        message: String,
    },
    /// The tool failed.
    #[error("ffmpeg failed: {message}")]
    Encoder {
        /// The last line it printed, without control characters.
        message: String,
    },
    /// Reading or writing the host's own files failed.
    #[error("storage failed: {0}")]
    Storage(#[source] io::Error),
    /// Something needs more than it may have.
    #[error("{what}: {asked} needed, {allowed} allowed")]
    Budget {
        /// What ran out, with its unit.
        what: &'static str,
        /// The limit.
        allowed: u64,
        /// What was asked for, or a lower bound of it.
        asked: u64,
    },
    /// The host's own machinery failed.
    #[error("the media engine failed: {message}")]
    Host {
        /// What failed.
        message: String,
    },
}

impl MediaError {
    /// The same error for somebody else who has to know how a tool ended.
    pub(crate) fn again(&self) -> Self {
        match self {
            Self::JailUnavailable { message } => Self::JailUnavailable { message: message.clone() },
            Self::TimedOut { limit } => Self::TimedOut { limit: *limit },
            Self::Stalled { limit } => Self::Stalled { limit: *limit },
            Self::Host { message } => Self::Host { message: message.clone() },
            other => Self::host("waiting for a process", other),
        }
    }

    /// A [`MediaError::Host`] of what was attempted and why it failed.
    pub(crate) fn host(doing: &str, error: impl std::fmt::Display) -> Self {
        Self::Host { message: format!("{doing}: {error}") }
    }
}
