//! Which ffmpeg and ffprobe.

mod version;

use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::unistd::{AccessFlags, access};

use crate::process::{Job, Tool};
use crate::{Ffmpeg, MediaError};

use version::Version;

/// The libavcodec of ffmpeg 5.1, the oldest that the graphs and options are written for.
const OLDEST_LIBAVCODEC: (u32, u32) = (59, 37);

/// How long a tool may take to say its version; loading its libraries from a cold disk counts.
const PATIENCE: Duration = Duration::from_secs(30);

/// How much it may say.
const ANSWER_BYTES: u64 = 64 << 10;

/// Where ffmpeg and ffprobe are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tools {
    /// Absolute path of ffmpeg.
    pub ffmpeg: PathBuf,
    /// Absolute path of ffprobe.
    pub ffprobe: PathBuf,
}

impl Tools {
    /// Takes the programs at the given paths, and looks for those that are not given in `PATH`.
    ///
    /// Fails with [`MediaError::ToolMissing`]. Whether a program is new enough is found out by
    /// [`Ffmpeg::check`].
    pub fn find(ffmpeg: Option<&Path>, ffprobe: Option<&Path>) -> Result<Self, MediaError> {
        Ok(Self { ffmpeg: find(Tool::Ffmpeg, ffmpeg)?, ffprobe: find(Tool::Ffprobe, ffprobe)? })
    }

    /// The path of `tool`.
    pub fn path(&self, tool: Tool) -> &Path {
        match tool {
            Tool::Ffmpeg => &self.ffmpeg,
            Tool::Ffprobe => &self.ffprobe,
        }
    }
}

fn find(tool: Tool, configured: Option<&Path>) -> Result<PathBuf, MediaError> {
    let found = match configured {
        Some(path) => executable(path),
        None => std::env::var_os("PATH").and_then(|path| {
            std::env::split_paths(&path)
                .find_map(|directory| executable(&directory.join(tool.name())))
        }),
    };
    found.ok_or_else(|| MediaError::ToolMissing {
        tool: tool.name(),
        at: configured.map(Path::to_path_buf),
    })
}

/// The real path of a file that may be executed. Links are followed here, because the jail
/// grants the file itself.
fn executable(path: &Path) -> Option<PathBuf> {
    let path = path.canonicalize().ok().filter(|path| path.is_file())?;
    access(&path, AccessFlags::X_OK).ok()?;
    Some(path)
}

impl Ffmpeg {
    /// Asks both tools for their versions, through the jail: an engine that passes works.
    ///
    /// Fails with [`MediaError::ToolTooOld`], [`MediaError::ToolMissing`] if a program is not
    /// the tool that it should be, [`MediaError::ToolSilent`] if it does not answer, or
    /// [`MediaError::JailUnavailable`].
    pub async fn check(&self) -> Result<(), MediaError> {
        tokio::try_join!(self.check_tool(Tool::Ffmpeg), self.check_tool(Tool::Ffprobe)).map(drop)
    }

    async fn check_tool(&self, tool: Tool) -> Result<(), MediaError> {
        let mut job = Job::new(tool);
        job.args(["-version"]);
        let answer =
            self.capture(job, ANSWER_BYTES, PATIENCE).await.map_err(|error| match error {
                MediaError::TimedOut { limit } => {
                    MediaError::ToolSilent { tool: tool.name(), limit }
                }
                error => error,
            })?;
        judge(tool, &String::from_utf8_lossy(&answer), self.tools().path(tool))
    }
}

/// Whether `answer` is that of a `tool` which is new enough.
fn judge(tool: Tool, answer: &str, path: &Path) -> Result<(), MediaError> {
    let missing = || MediaError::ToolMissing { tool: tool.name(), at: Some(path.into()) };
    let version = Version::parse(tool, answer).ok_or_else(missing)?;
    if version.libavcodec >= OLDEST_LIBAVCODEC {
        return Ok(());
    }
    Err(MediaError::ToolTooOld { tool: tool.name(), found: version.name })
}

#[cfg(test)]
mod tests;
