//! The launcher of this crate's own tests: nothing but the jail.

use std::process::ExitCode;

fn main() -> ExitCode {
    let Err(error) = media::jail::enter(std::env::args_os().skip(1));
    error.report()
}
