//! Building the host's programs.

use std::path::PathBuf;
use std::process::Command;

use crate::command::run;
use crate::wasm_toolchain::cargo;
use crate::{Outcome, places};

/// Builds every program of the host beside this one, with the same profile, and says where the
/// server is. Always all of them: cargo gives a dependency the features that the chosen packages
/// ask for together, so another choice would compile wasmtime again.
pub(crate) fn build() -> Outcome<PathBuf> {
    run(Command::new(cargo())
        .args(["build", "--workspace", "--bins"])
        .current_dir(places::root()?))?;
    Ok(places::binaries()?.join("video-render-mcp"))
}
