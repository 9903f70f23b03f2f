//! What a person at a terminal sees: a progress bar and a question.

use std::io::{BufRead, IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use render::watch::{Encoding, Step, Watcher};

/// Whether a question can be asked and answered here.
pub(crate) fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// A progress bar on standard error with the step, frames per second and the
/// remaining time; nothing where standard error is no terminal.
pub(crate) struct Bar {
    bar: ProgressBar,
}

impl Bar {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::new(0);
        bar.enable_steady_tick(Duration::from_millis(200));
        bar.set_style(spinner());
        Self { bar }
    }

    /// Takes the bar off the screen while something else is written.
    pub(crate) fn suspended<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn spinner() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_spinner())
}

fn frames() -> ProgressStyle {
    ProgressStyle::with_template("{msg} [{wide_bar}] {pos}/{len} frames, {prefix} fps, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Watcher for Bar {
    fn step(&self, step: Step) {
        match step {
            Step::Encode => self.bar.set_style(frames()),
            _ => self.bar.set_style(spinner()),
        }
        self.bar.set_message(match step {
            Step::Admit => "reading the source".to_owned(),
            Step::Plan(stage) => format!("planning: {stage}"),
            Step::Preview => "rendering the preview".to_owned(),
            Step::Encode => "encoding".to_owned(),
            Step::Commit => "checking the output".to_owned(),
        });
    }

    fn encoding(&self, progress: Encoding) {
        self.bar.set_length(progress.frames);
        self.bar.set_position(progress.frame);
        self.bar.set_prefix(format!("{:.0}", progress.fps));
    }
}

/// Asks on the terminal until yes or no is typed. None if the input ends.
pub(crate) fn ask(question: &str) -> Option<bool> {
    let mut line = String::new();
    loop {
        let mut out = std::io::stderr();
        let _ = write!(out, "{question} [y/n] ");
        let _ = out.flush();
        line.clear();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => return None,
            Ok(_) => {}
        }
        match line.trim().to_lowercase().as_str() {
            "y" | "yes" => return Some(true),
            "n" | "no" => return Some(false),
            _ => {}
        }
    }
}
