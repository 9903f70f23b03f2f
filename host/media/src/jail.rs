//! The jail in which every ffmpeg and ffprobe runs.
//!
//! A media file is the input of an attacker, and ffmpeg is the largest attack surface that the
//! product has. So the host never starts ffmpeg itself: it starts its own binary again with a
//! [`Launcher`](crate::Launcher), and that process calls [`enter`], which gives up every right
//! that decoding and encoding does not need and only then becomes ffmpeg. Doing it in a process
//! of its own, and not between fork and exec, is what keeps it free of `unsafe`.
//!
//! Inside, ffmpeg can read its own program, the system's libraries and the inputs whose
//! descriptors it was given; it can write to the pipes it was given. It can open no other file,
//! make no TCP connection, outlive neither its limits nor its host.

mod confinement;
mod descriptors;
mod limits;
mod spec;

use std::convert::Infallible;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::unistd::getppid;

pub use confinement::Landlock;
pub use limits::JailLimits;
pub(crate) use spec::{FIRST_DESCRIPTOR, Spec};

/// The exit code with which the jail says that it did not start the tool. ffmpeg uses 0, 1,
/// 123 and 255.
pub(crate) const REFUSED: u8 = 125;

/// What the line on stderr that explains [`REFUSED`] begins with.
pub(crate) const REFUSED_MARK: &str = "media-jail: ";

/// The whole environment of the tool. Nothing of the host's is passed on: `FFREPORT` alone
/// would have ffmpeg write a file.
const ENVIRONMENT: [(&str, &str); 2] = [("LC_ALL", "C"), ("AV_LOG_FORCE_NOCOLOR", "1")];

/// Why the jail did not start the tool.
#[derive(Debug, thiserror::Error)]
pub enum JailError {
    /// The command line is not one that the host makes.
    #[error("wrong command line: {0}")]
    Usage(String),
    /// The host ended before the parent-death signal was set.
    #[error("the host that asked for it is gone")]
    Orphaned,
    /// The kernel does not confine as required.
    #[error("{0}")]
    Confinement(String),
    /// Another step failed.
    #[error("cannot {step}: {error}")]
    Step {
        /// What was attempted.
        step: &'static str,
        /// What the system said.
        error: io::Error,
    },
    /// The tool cannot be executed.
    #[error("cannot execute {} (a script does not do): {error}", tool.display())]
    Exec {
        /// Path of the tool.
        tool: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl JailError {
    fn step(step: &'static str) -> impl FnOnce(nix::errno::Errno) -> Self {
        move |errno| Self::Step { step, error: errno.into() }
    }

    /// Says on stderr why the tool was not started, in the form that the host recognises, and
    /// gives the exit code that goes with it.
    pub fn report(&self) -> ExitCode {
        eprintln!("{REFUSED_MARK}{self}");
        ExitCode::from(REFUSED)
    }
}

/// Turns this process into the tool that `args` names (`SPEC TOOL TOOL-ARGUMENTS…`), after
/// giving up every right that it does not need.
///
/// Must be called first thing in the process, while it has one thread: limits and confinement
/// hold for the calling thread, and descriptors that are not part of the job are closed.
/// It returns only if something failed; nothing was executed then, and the process should end
/// with [`JailError::report`].
pub fn enter(args: impl IntoIterator<Item = OsString>) -> Result<Infallible, JailError> {
    let mut args = args.into_iter();
    let spec = Spec::parse(args.next().as_deref())?;
    let tool = PathBuf::from(args.next().ok_or_else(|| JailError::Usage("no tool".into()))?);
    let mut command = Command::new(&tool);
    command.args(args).env_clear().envs(ENVIRONMENT);

    die_with_parent(spec.parent)?;
    descriptors::close_all_but(&spec.descriptors)?;
    std::env::set_current_dir("/")
        .map_err(|error| JailError::Step { step: "leave the working directory", error })?;
    prctl::set_no_new_privs().map_err(JailError::step("give up new privileges"))?;
    confinement::confine(&tool, &spec.readable, spec.landlock)?;
    // A seccomp filter belongs here: after landlock, whose system calls it would refuse.
    spec.limits.apply()?;
    Err(JailError::Exec { error: command.exec(), tool })
}

/// Has the kernel kill this process when the host's spawning thread ends.
fn die_with_parent(parent: i32) -> Result<(), JailError> {
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(JailError::step("tie its life to the host"))?;
    // A host that died before the call above sends no signal any more.
    if getppid().as_raw() == parent { Ok(()) } else { Err(JailError::Orphaned) }
}

#[cfg(test)]
mod tests;
