//! `cargo xtask demo`: the product as an agent meets it, from nothing but the checkout.

use std::process::Command;

use crate::{Outcome, command, packages, places, plugins, server};

/// Builds what is missing and runs the program `demo`, which takes the words.
pub(crate) fn run(words: &[&str]) -> Outcome {
    if !matches!(words, [] | ["--interactive"]) {
        return Err("usage: cargo xtask demo [--interactive]".into());
    }
    packages::need_ffmpeg()?;
    plugins::build()?;
    server::build()?;
    command::run(Command::new(places::binaries()?.join("demo")).args(words))
}
