//! Measures what renders cost: the product against plain ffmpeg that does the same, its server
//! against a minimal one on the official SDK, and the plugin engine by itself. `cargo xtask bench`
//! builds what is needed and starts this.

mod agent;
mod cases;
mod child;
mod clips;
mod contest;
mod footprint;
mod held;
mod inside;
mod plain;
mod report;
mod serving;
mod stats;
mod stopwatch;
mod tasks;
mod workshop;

use std::error::Error;
use std::process::ExitCode;

use report::Report;
use workshop::Workshop;

/// What a step ends with: a value, or a sentence that says what is wrong.
type Outcome<T = ()> = Result<T, Box<dyn Error>>;

const USAGE: &str = "\
Usage: cargo xtask bench [--quick] [--only NAME]...

Measures, prints a table and writes bench.json. Names:
  fused    a mark drawn by ffmpeg, as a plugin declared it
  framed   a mark drawn into every frame for a plugin, and none
  tile     a mark all over every frame, drawn by a plugin
  copy     nothing to change, against ffmpeg -c copy
  preview  from the command to the question, for 3 minutes and 3 hours
  cold     plugin list, with nothing and everything compiled before
  inside   the plugin engine: an instance, a rectangle, a plane, a packet
  tasks    tasks/get while two renders run, against a minimal server on the official SDK
  held     memory of waiting renders whose results are held on to
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.split_first() {
        // This program started again, to have one child whose costs are its own.
        Some((word, command)) if word == child::WORD => child::measure(command),
        _ => Options::parse(&arguments).and_then(|options| run(&options)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// How much is measured.
pub(crate) struct Options {
    /// Fewer runs.
    quick: bool,
    /// The names of what is measured; empty for everything.
    only: Vec<String>,
}

impl Options {
    fn parse(arguments: &[String]) -> Outcome<Self> {
        let mut options = Self { quick: false, only: Vec::new() };
        let mut words = arguments.iter().map(String::as_str);
        while let Some(word) = words.next() {
            match word {
                "--quick" => options.quick = true,
                "--only" => {
                    let name = words.next().filter(|name| cases::NAMES.contains(name));
                    options.only.push(name.ok_or(USAGE)?.to_owned());
                }
                _ => return Err(USAGE.into()),
            }
        }
        Ok(options)
    }

    pub(crate) fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|wanted| wanted == name)
    }

    /// How long the films are that are encoded: long enough that what a start costs matters as
    /// little as it does to people.
    pub(crate) fn seconds(&self) -> u32 {
        if self.quick { 10 } else { 30 }
    }

    /// How often each side of a comparison runs.
    pub(crate) fn runs(&self) -> usize {
        if self.quick { 3 } else { 9 }
    }
}

fn run(options: &Options) -> Outcome {
    let workshop = Workshop::open()?;
    let mut report = Report::default();
    cases::run(options, &workshop, &mut report)?;
    let file = workshop.file("bench.json");
    report.write(&file)?;
    println!("{report}\nWritten to {}.", file.display());
    Ok(())
}
