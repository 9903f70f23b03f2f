//! What the tests of the jail share.

use std::time::{Duration, Instant};

use media::process::{Exit, Job, Tool};
use media::{Ffmpeg, Launcher, Limits, Tools};

pub(crate) fn launcher() -> Launcher {
    let program = env!("CARGO_BIN_EXE_media-test-launcher").into();
    Launcher { program, args: vec!["jail".into()] }
}

pub(crate) fn tools() -> Tools {
    Tools::find(None, None).expect("the tests need ffmpeg and ffprobe")
}

pub(crate) async fn engine_with(limits: Limits) -> Ffmpeg {
    Ffmpeg::new(tools(), launcher(), limits).await.unwrap()
}

pub(crate) async fn engine() -> Ffmpeg {
    engine_with(Limits::default()).await
}

/// A job of ffmpeg with the arguments in `line`, separated by spaces.
pub(crate) fn ffmpeg(line: &str) -> Job {
    let mut job = Job::new(Tool::Ffmpeg);
    job.args(["-nostdin", "-v", "warning"]).args(line.split(' '));
    job
}

/// Runs `job` in the jail to its end.
pub(crate) async fn run(engine: &Ffmpeg, job: Job) -> Exit {
    engine.spawn(job).await.unwrap().wait().await.unwrap()
}

/// Waits until `condition` holds, for `limit` at most; whether it holds.
pub(crate) fn within(limit: Duration, condition: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !condition() {
        if start.elapsed() > limit {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}

/// The letter for the state of a process (`R`, `S`, `Z`…); none if there is no such process.
pub(crate) fn state(id: u32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}
