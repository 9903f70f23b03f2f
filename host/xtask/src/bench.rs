//! `cargo xtask bench`.

use std::process::Command;

use crate::command::run as execute;
use crate::{Outcome, packages, places, plugins, server};

/// Builds what is measured and what measures, and hands the rest of the command line over: this
/// program is compiled before everything and knows nothing of engines.
pub(crate) fn run(words: &[&str]) -> Outcome {
    packages::need_ffmpeg()?;
    plugins::build()?;
    server::build()?;
    execute(Command::new(places::binaries()?.join("bench")).args(words))
}
