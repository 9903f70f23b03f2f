//! How a call of a plugin can fail.

mod classify;
mod stop;

use std::fmt;
use std::io;

pub(crate) use classify::{CALL_BYTES, Circumstances};
pub(crate) use stop::{Stop, ensure, within};

/// Why a call of a plugin gave no answer. Displayed as one sentence that names the plugin where it
/// is to blame.
#[derive(Debug, thiserror::Error)]
pub enum PluginFault {
    /// The plugin says that it cannot render this source.
    #[error("plugin {plugin} cannot render this source: {message}")]
    UnsupportedSource {
        /// The plugin's name.
        plugin: String,
        /// The plugin's sentence.
        message: String,
    },
    /// The plugin says that it cannot honour a field of the request.
    #[error("plugin {plugin} cannot honour {field}: {message}")]
    InvalidField {
        /// The plugin's name.
        plugin: String,
        /// The field's name in the caller's arguments, such as `watermark.text`.
        field: String,
        /// The plugin's sentence.
        message: String,
    },
    /// The person's answer ended the render.
    #[error("the answer to the question ended the render")]
    Declined,
    /// The plugin says that it failed.
    #[error("plugin {plugin} failed: {message}")]
    Failed {
        /// The plugin's name.
        plugin: String,
        /// The plugin's sentence.
        message: String,
    },
    /// A limit stopped the plugin.
    #[error("plugin {plugin} passed its {limit} limit: {}", Excess { allowed, used, unit })]
    Limit {
        /// The plugin's name.
        plugin: String,
        /// Which limit.
        limit: LimitKind,
        /// The limit.
        allowed: u64,
        /// What the plugin used or asked for; equal to `allowed` where it cannot be known by how
        /// much the limit was passed.
        used: u64,
        /// The unit of both numbers.
        unit: &'static str,
    },
    /// The plugin crashed.
    #[error("plugin {plugin} crashed: {message}")]
    Trap {
        /// The plugin's name.
        plugin: String,
        /// The kind of trap, and the last line that the plugin wrote to its standard error.
        message: String,
        /// The plugin's own functions from the innermost, one in a line; empty if not known.
        backtrace: String,
    },
    /// The plugin ended its process, which no call may do.
    #[error("plugin {plugin} exited with code {code} instead of answering")]
    Exit {
        /// The plugin's name.
        plugin: String,
        /// The exit code.
        code: i32,
    },
    /// The plugin broke a rule of the stage contract.
    #[error("plugin {plugin} broke the stage contract: {message}")]
    Contract {
        /// The plugin's name.
        plugin: String,
        /// Which rule and how.
        message: String,
    },
    /// The output could not be written.
    #[error("the output could not be written: {0}")]
    Storage(#[source] io::Error),
    /// The host itself failed.
    #[error("the plugin host failed: {message}")]
    Host {
        /// What happened.
        message: String,
    },
}

/// The limits that stop a plugin. The numbers are in [`Limits`](crate::Limits).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitKind {
    /// Time in which the plugin's own code ran.
    Time,
    /// Time from call to answer.
    WallTime,
    /// Memories and tables.
    Memory,
    /// The call stack, 512 KiB.
    Stack,
    /// Handles held at a time.
    Handles,
    /// The state of a suspension.
    State,
    /// Pictures.
    Images,
    /// Frames, and packets that the plugin made.
    Frames,
    /// The output file and its spools.
    Output,
    /// What is passed to the host in one call, 16 MiB.
    Call,
}

impl LimitKind {
    /// The limit's name in lower case with underscores.
    pub fn as_str(self) -> &'static str {
        match self {
            LimitKind::Time => "plugin_time",
            LimitKind::WallTime => "wall_time",
            LimitKind::Memory => "memory",
            LimitKind::Stack => "stack",
            LimitKind::Handles => "handles",
            LimitKind::State => "state",
            LimitKind::Images => "images",
            LimitKind::Frames => "frames",
            LimitKind::Output => "output",
            LimitKind::Call => "call",
        }
    }

    /// The unit in which the limit is counted.
    fn unit(self) -> &'static str {
        match self {
            LimitKind::Time | LimitKind::WallTime => "ms",
            LimitKind::Handles => "handles",
            _ => "bytes",
        }
    }
}

impl fmt::Display for LimitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

struct Excess<'a> {
    allowed: &'a u64,
    used: &'a u64,
    unit: &'a str,
}

impl fmt::Display for Excess<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { allowed, used, unit } = self;
        if used > allowed {
            write!(f, "{allowed} {unit} are allowed, it came to {used}")
        } else {
            write!(f, "{allowed} {unit} are allowed, it needed more")
        }
    }
}
