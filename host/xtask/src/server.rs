//! Building the program itself.

use std::path::PathBuf;
use std::process::Command;

use crate::command::run;
use crate::wasm_toolchain::cargo;
use crate::{Outcome, places};

/// Builds the server beside this program, with the same profile, and says
/// where it is.
pub(crate) fn build() -> Outcome<PathBuf> {
    run(Command::new(cargo())
        .args(["build", "--package", "video-render-mcp"])
        .current_dir(places::root()?))?;
    Ok(places::binaries()?.join("video-render-mcp"))
}
