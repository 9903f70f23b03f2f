//! `cargo xtask`: builds and checks the project on a machine that has nothing
//! but Rust and a C compiler.

mod bench;
mod command;
mod demo;
mod packages;
mod places;
mod plugins;
mod server;
mod test;
mod wasm_toolchain;

use std::error::Error;
use std::process::ExitCode;

/// What a task ends with: nothing, or a sentence that says what to do.
type Outcome<T = ()> = Result<T, Box<dyn Error>>;

const USAGE: &str = "\
Usage: cargo xtask TASK

Tasks:
  demo      act as an agent towards a server and show the exchange; `--interactive` asks you
  test      build and test everything
  bench     measure renders against plain ffmpeg, and the server; `bench --help` says what
  plugins   build the plugins for the sandbox and put them beside the server
  setup     install what is missing: a compiler for the sandbox, ffmpeg, chromium
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["demo", words @ ..] => demo::run(words),
        ["test"] => test::run(),
        ["bench", words @ ..] => bench::run(words),
        ["plugins"] => plugins::build(),
        ["setup"] => setup(),
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        _ => Err(format!("unknown task `{}`\n\n{USAGE}", words.join(" ")).into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn setup() -> Outcome {
    wasm_toolchain::find_or_install()?;
    packages::need_ffmpeg()?;
    packages::want_chromium()
}
