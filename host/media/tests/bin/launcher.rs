//! The launcher of this crate's own tests, and two other programs that they need.
//!
//! - `media-test-launcher jail SPEC TOOL…` is the jail.
//! - `media-test-launcher host` is a host: it has a thread start an endless ffmpeg, prints the
//!   process id of that when the thread is gone, and waits to be killed.
//! - `media-test-launcher -version` is an ffmpeg that is too old.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use media::process::{Job, Tool};
use media::{Ffmpeg, Launcher, Limits, Tools};

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    match args.next().as_deref().and_then(std::ffi::OsStr::to_str) {
        Some("jail") => {
            let Err(error) = media::jail::enter(args);
            error.report()
        }
        Some("host") => match host() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        },
        _ => {
            println!("ffmpeg version 4.4.2-0ubuntu0.22.04.1 Copyright (c) 2000-2021");
            println!("libavcodec     58.134.100 / 58.134.100");
            ExitCode::SUCCESS
        }
    }
}

fn host() -> Result<(), Box<dyn Error>> {
    let launcher = Launcher { program: std::env::current_exe()?, args: vec!["jail".into()] };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    let engine = Ffmpeg::new(Tools::find(None, None)?, launcher, Limits::default())?;
    let asking = std::thread::spawn(move || {
        let mut job = Job::new(Tool::Ffmpeg);
        job.args(["-v", "error", "-f", "lavfi", "-i", "color", "-f", "null", "-"]);
        let child = handle.block_on(engine.spawn(job)).map_err(|error| error.to_string())?;
        let id = child.id().ok_or("the tool has ended")?;
        // Before that, the jail has not yet tied its life to that of a thread.
        while std::fs::read_to_string(format!("/proc/{id}/comm")).is_ok_and(|it| it != "ffmpeg\n") {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok::<_, String>((child, id))
    });
    let (_child, id) = asking.join().map_err(|_| "the asking thread panicked")??;
    println!("{id}");
    loop {
        std::thread::park();
    }
}
