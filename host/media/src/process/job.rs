//! What is to be run, and the descriptors it is given.

use std::ffi::OsString;
use std::fmt;
use std::os::fd::{AsFd, OwnedFd, RawFd};
use std::process::Stdio;

use command_fds::{CommandFdExt, FdMapping};
use nix::fcntl::{FcntlArg, fcntl};
use tokio::net::unix::pipe;
use tokio::process::Command;

use crate::jail::{FIRST_DESCRIPTOR, Spec};
use crate::{Launcher, Limits, MediaError, Tools};

/// What a pipe holds, in bytes: the most an unprivileged process may ask for. A full pipe stops
/// ffmpeg, so a large one lets it encode while the host is busy.
const PIPE_BYTES: i32 = 1 << 20;

/// Which program to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// The transcoder.
    Ffmpeg,
    /// The analyser.
    Ffprobe,
}

impl Tool {
    /// The name of the program.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ffmpeg => "ffmpeg",
            Self::Ffprobe => "ffprobe",
        }
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One run of a tool, before it is started.
///
/// Descriptors are numbered from 3 in the order in which they are added, so the same calls
/// always give the same names. stdin is empty; stdout is discarded unless [`Job::stdout`] was
/// called.
#[derive(Debug)]
pub struct Job {
    tool: Tool,
    args: Vec<OsString>,
    descriptors: Vec<OwnedFd>,
    readable: Vec<RawFd>,
    stdout: Option<OwnedFd>,
}

impl Job {
    /// A run of `tool` without arguments and descriptors.
    pub fn new(tool: Tool) -> Self {
        Self { tool, args: Vec::new(), descriptors: Vec::new(), readable: Vec::new(), stdout: None }
    }

    /// Which tool it runs.
    pub fn tool(&self) -> Tool {
        self.tool
    }

    /// Appends arguments.
    pub fn args<A: Into<OsString>>(&mut self, args: impl IntoIterator<Item = A>) -> &mut Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Lets the tool read `file` (regular or memfd, opened for reading) and gives the name under
    /// which it opens it: `/proc/self/fd/N`. It opens it afresh: at the beginning, seekable, and
    /// as often as it likes.
    pub fn read(&mut self, file: impl AsFd) -> Result<String, MediaError> {
        let copy = file.as_fd().try_clone_to_owned();
        let copy = copy.map_err(|error| MediaError::host("duplicating a descriptor", error))?;
        let number = self.hand_over(copy)?;
        self.readable.push(number);
        Ok(format!("/proc/self/fd/{number}"))
    }

    /// Gives the tool a pipe to write to: its name for the tool, `pipe:N`, and our end of it.
    /// Somebody must read it until it ends, or the tool stops when it is full.
    ///
    /// Must be called within a tokio runtime.
    pub fn write(&mut self) -> Result<(String, pipe::Receiver), MediaError> {
        let (theirs, ours) = new_pipe()?;
        let number = self.hand_over(theirs)?;
        Ok((format!("pipe:{number}"), ours))
    }

    /// Gives the tool a pipe to read from: its name for the tool, `pipe:N`, and our end of it. The
    /// tool sees the end of it when ours is dropped.
    ///
    /// Must be called within a tokio runtime.
    pub fn feed(&mut self) -> Result<(String, pipe::Sender), MediaError> {
        let failed = |error| MediaError::host("making a pipe", error);
        let (ours, receiver) = pipe::pipe().map_err(failed)?;
        let theirs = receiver.into_blocking_fd().map_err(failed)?;
        widen(&theirs);
        let number = self.hand_over(theirs)?;
        Ok((format!("pipe:{number}"), ours))
    }

    /// Our end of a pipe that is the tool's stdout; the rules of [`Job::write`] hold.
    pub fn stdout(&mut self) -> Result<pipe::Receiver, MediaError> {
        let (theirs, ours) = new_pipe()?;
        self.stdout = Some(theirs);
        Ok(ours)
    }

    fn hand_over(&mut self, fd: OwnedFd) -> Result<RawFd, MediaError> {
        let number = number(self.descriptors.len())?;
        self.descriptors.push(fd);
        Ok(number)
    }

    /// The command that runs this job in a jail of this process.
    pub(super) fn into_command(
        self,
        tools: &Tools,
        launcher: &Launcher,
        limits: &Limits,
    ) -> Result<Command, MediaError> {
        let mut mappings = Vec::new();
        for (index, parent_fd) in self.descriptors.into_iter().enumerate() {
            mappings.push(FdMapping { parent_fd, child_fd: number(index)? });
        }
        let spec = Spec {
            parent: nix::unistd::getpid().as_raw(),
            limits: limits.jail,
            landlock: limits.landlock,
            descriptors: mappings.iter().map(|mapping| mapping.child_fd).collect(),
            readable: self.readable,
        };
        let spec = serde_json::to_string(&spec)
            .map_err(|error| MediaError::host("writing the jail's specification", error))?;
        let mut command = Command::new(&launcher.program);
        command
            .args(&launcher.args)
            .arg(spec)
            .arg(tools.path(self.tool))
            .args(self.args)
            .env_clear()
            .stdin(Stdio::null())
            .stdout(self.stdout.map_or_else(Stdio::null, Stdio::from))
            .stderr(Stdio::piped())
            .process_group(0)
            // For the case that the runtime ends before the child's supervisor could.
            .kill_on_drop(true)
            .fd_mappings(mappings)
            .map_err(|error| MediaError::host("assigning descriptors", error))?;
        Ok(command)
    }
}

/// The number that the descriptor at `index` has in the tool.
fn number(index: usize) -> Result<RawFd, MediaError> {
    RawFd::try_from(index)
        .ok()
        .and_then(|index| index.checked_add(FIRST_DESCRIPTOR))
        .ok_or_else(|| MediaError::host("assigning descriptors", "too many"))
}

/// A pipe: the blocking end for the tool, the other for us.
fn new_pipe() -> Result<(OwnedFd, pipe::Receiver), MediaError> {
    let failed = |error| MediaError::host("making a pipe", error);
    let (sender, receiver) = pipe::pipe().map_err(failed)?;
    let theirs = sender.into_blocking_fd().map_err(failed)?;
    widen(&theirs);
    Ok((theirs, receiver))
}

/// Makes a pipe hold more. A user with many pipes may get no more than the default; that is
/// slower, not wrong.
fn widen(end: impl AsFd) {
    if let Err(errno) = fcntl(end, FcntlArg::F_SETPIPE_SZ(PIPE_BYTES)) {
        tracing::debug!(%errno, "a pipe keeps its default size");
    }
}
