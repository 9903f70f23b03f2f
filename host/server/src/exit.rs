//! How the program ends: exit codes, and what is printed last.

use std::io::Write;
use std::process::ExitCode;

use render::catalogue::{Blame, Code};
use render::failure::Failure;
use serde_json::{Value, json};

/// The exit codes, for the help text.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
    0  done
    1  the host failed (try again, or report it)
    2  the command line is wrong
    3  the caller can mend it: source, arguments, output
    4  a plugin failed
    5  the operator can mend it: configuration, plugins, ffmpeg,
       data directory, address, disk
    6  the watermark was rejected, or nobody answered in time
    7  the render waits for approval (resume it)
  130  cancelled

`video-render-mcp explain CODE` explains an error code.";

/// The exit code of a render that was stored to wait.
const WAITING: u8 = 7;

/// How a command ended well.
pub(crate) enum Ending {
    /// Done; the value is printed with `--json`, the text without.
    Done { json: Value, text: String },
    /// The render waits for approval.
    Waiting { json: Value, text: String },
}

/// Prints how a command ended and says with which code to exit.
pub(crate) fn report(ending: Result<Ending, Failure>, json: bool) -> ExitCode {
    let (value, text, code) = match ending {
        Ok(Ending::Done { json, text }) => (json, text, 0),
        Ok(Ending::Waiting { json, text }) => (json, text, WAITING),
        Err(failure) => {
            eprintln!("error[{}]: {failure}", failure.code);
            eprintln!("  next: {}", failure.code.next_step());
            (json!({ "error": failure.to_json() }), String::new(), failed(failure.code))
        }
    };
    let mut out = std::io::stdout().lock();
    let written = if json { writeln!(out, "{value:#}") } else { out.write_all(text.as_bytes()) };
    match written.and_then(|()| out.flush()) {
        // A reader that has gone away (`| head`) is no failure of the render.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            eprintln!("error[internal]: The result could not be printed: {error}.");
            return ExitCode::from(failed(Code::Internal));
        }
        _ => {}
    }
    ExitCode::from(code)
}

/// The exit code for a failure.
fn failed(code: Code) -> u8 {
    match (code, code.blame()) {
        (Code::Cancelled, _) => 130,
        (Code::WatermarkRejected | Code::ApprovalExpired, _) => 6,
        (_, Blame::Host) => 1,
        (_, Blame::Caller) => 3,
        (_, Blame::Plugin) => 4,
        (_, Blame::Operator) => 5,
    }
}
