//! Watching the processes that the program starts.

use std::fs;
use std::time::{Duration, Instant};

/// How long something that must happen may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// The children of a process.
fn children(parent: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
    threads
        .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|list| {
            list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>()
        })
        .collect()
}

/// Waits until a process has an ffmpeg that encodes; returns its id.
#[track_caller]
pub fn wait_for_encoder(parent: u32) -> u32 {
    wait_for(|| {
        children(parent).into_iter().find(|child| {
            let words = fs::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
            let words = String::from_utf8_lossy(&words).into_owned();
            words.starts_with("/usr") && words.contains("ffmpeg") && words.contains("libx264")
        })
    })
}

/// Waits until a process is gone (a zombie is not gone); false if it stays.
pub fn is_gone(process: u32) -> bool {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(2) {
        if !fs::exists(format!("/proc/{process}")).unwrap_or(true) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Asks until there is an answer.
#[track_caller]
fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "it did not happen in {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
