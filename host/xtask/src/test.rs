//! `cargo xtask test`: everything, on a machine that need not have more than
//! Rust and a C compiler.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::command;
use crate::wasm_toolchain::cargo;
use crate::{Outcome, packages, places, plugins, server};

/// Steps that take longer are named at the end.
const SLOW: Duration = Duration::from_secs(20);

/// Runs every check, in the order in which a mistake is found soonest.
pub(crate) fn run() -> Outcome {
    let root = places::root()?;
    let guests = root.join("plugins");
    let mut timed = Timed::default();
    packages::need_ffmpeg()?;
    packages::want_chromium()?;
    timed.step("format", || {
        for workspace in [&root, &guests, &root.join(places::REFERENCE)] {
            in_workspace(workspace, &["fmt", "--all", "--check"])?;
        }
        Ok(())
    })?;
    timed.step("build the plugins", plugins::build)?;
    timed.step("build the server", || server::build().map(drop))?;
    timed.step("lint the plugins", || {
        in_workspace(
            &guests,
            &["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"],
        )
    })?;
    timed.step("lint the host", || {
        in_workspace(
            &root,
            &["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"],
        )
    })?;
    timed.step("test the plugins natively", || {
        in_workspace(&guests, &["test", "--workspace", "--no-fail-fast"])
    })?;
    timed.step("test the host and the product", || {
        in_workspace(&root, &["test", "--workspace", "--no-fail-fast"])
    })?;
    timed.print();
    Ok(())
}

/// Runs cargo in one of the workspaces.
fn in_workspace(workspace: &Path, words: &[&str]) -> Outcome {
    command::run(Command::new(cargo()).args(words).current_dir(workspace))
}

/// How long each step took.
#[derive(Default)]
struct Timed {
    steps: Vec<(&'static str, Duration)>,
}

impl Timed {
    fn step(&mut self, name: &'static str, work: impl FnOnce() -> Outcome) -> Outcome {
        eprintln!("\n== {name}");
        let started = Instant::now();
        work().map_err(|error| format!("{name}: {error}"))?;
        self.steps.push((name, started.elapsed()));
        Ok(())
    }

    fn print(&self) {
        let all: Duration = self.steps.iter().map(|(_, took)| *took).sum();
        eprintln!("\nEverything passed in {:.0} s.", all.as_secs_f64());
        for (name, took) in self.steps.iter().filter(|(_, took)| *took >= SLOW) {
            eprintln!("  {:4.0} s  {name}", took.as_secs_f64());
        }
    }
}
