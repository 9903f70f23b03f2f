//! What the tests of the jail share.

use std::time::{Duration, Instant};

use media::process::{Exit, Job, Tool, Watchdog};
use media::{Ffmpeg, Launcher, Limits, Tools};

pub(crate) fn launcher() -> Launcher {
    let program = env!("CARGO_BIN_EXE_media-test-launcher").into();
    Launcher { program, args: vec!["jail".into()] }
}

pub(crate) fn tools() -> Tools {
    Tools::find(None, None).expect("the tests need ffmpeg and ffprobe")
}

pub(crate) async fn engine_with(limits: Limits) -> Ffmpeg {
    Ffmpeg::new(tools(), launcher(), limits).unwrap()
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

/// Runs `job` in the jail to its end, which must come within a minute.
pub(crate) async fn run(engine: &Ffmpeg, job: Job) -> Exit {
    let dog = Watchdog::new(None, Some(Duration::from_secs(60)));
    engine.spawn(job).await.unwrap().wait_watched(dog, || 0).await.unwrap()
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
