//! How to start our own binary again as the jail.

use std::ffi::OsString;
use std::path::PathBuf;

/// The program that becomes the jail: it must hand the arguments after [`Launcher::args`] to
/// [`jail::enter`](crate::jail::enter) before it does anything else.
///
/// The whole command line is `program args… SPEC TOOL TOOL-ARGUMENTS…`.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// Absolute path of the binary, usually [`std::env::current_exe`].
    pub program: PathBuf,
    /// Arguments that lead the binary to `jail::enter`, for instance a hidden subcommand.
    pub args: Vec<OsString>,
}
