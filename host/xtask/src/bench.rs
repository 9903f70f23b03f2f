//! `cargo xtask bench`.

use std::process::Command;

use crate::command::run as execute;
use crate::wasm_toolchain::cargo;
use crate::{Outcome, packages, places, plugins, server};

/// Builds what is measured and what measures, and hands the rest of the command line over: this
/// program is compiled before everything and knows nothing of engines.
pub(crate) fn run(words: &[&str]) -> Outcome {
    packages::need_ffmpeg()?;
    plugins::build()?;
    server::build()?;
    if !words.contains(&"--only") || words.contains(&"tasks") {
        reference()?;
    }
    execute(Command::new(places::binaries()?.join("bench")).args(words))
}

/// Builds the server that ours is measured against. It is a workspace of its own, so that nothing
/// of the product ever waits for the official SDK, and lies where `bench` looks for it.
fn reference() -> Outcome {
    let binaries = places::binaries()?;
    let target = binaries.parent().ok_or("this program lies in no target folder")?;
    execute(
        Command::new(cargo())
            .args(["build", "--target-dir"])
            .arg(target.join("reference"))
            .current_dir(places::root()?.join(places::REFERENCE)),
    )
}
