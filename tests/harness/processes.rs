//! Watching the processes that the program starts.

use std::fs;
use std::process::Command;
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

/// How long a process may take to end on a busy machine.
const ENDING: Duration = Duration::from_secs(5);

/// Waits until a process has ended and was reaped; false if it stays.
pub fn is_reaped(process: u32) -> bool {
    within(ENDING, || !fs::exists(format!("/proc/{process}")).unwrap_or(true))
}

/// Waits until a process has ended; false if it stays. Where its parent was
/// killed, when it is reaped is up to the system.
pub fn has_ended(process: u32) -> bool {
    within(ENDING, || {
        // proc_pid_stat(5): the state follows the name, which is in brackets.
        let Ok(stat) = fs::read_to_string(format!("/proc/{process}/stat")) else { return true };
        stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
    })
}

fn within(limit: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let started = Instant::now();
    while started.elapsed() < limit {
        if holds() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Sends a signal (`INT`, `KILL`) to a process that the test started. The
/// shell has `kill` built in; the program of that name is not everywhere.
#[track_caller]
pub fn send(signal: &str, process: u32) {
    let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {process}")]).status();
    assert!(sent.unwrap().success(), "no signal could be sent");
}

/// Kills a process that the test started as the leader of a group, and all of its group; waits
/// until the others are gone.
pub fn kill_group(leader: u32) {
    let _ = Command::new("sh").args(["-c", &format!("kill -KILL -{leader}")]).status();
    within(ENDING, || !others_in_group(leader));
}

/// Whether a group has members that live, besides its leader.
fn others_in_group(leader: u32) -> bool {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(|process| *process != leader)
        .filter_map(|process| fs::read_to_string(format!("/proc/{process}/stat")).ok())
        .any(|stat| {
            // proc_pid_stat(5): after the name come the state, the parent and the group.
            let rest = stat.rsplit(')').next().unwrap_or_default();
            let words: Vec<&str> = rest.split_whitespace().take(3).collect();
            words.first() != Some(&"Z") && words.get(2) == Some(&leader.to_string().as_str())
        })
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

/// The ffmpegs of a process, in whatever it does.
pub fn ffmpegs(parent: u32) -> Vec<u32> {
    let is_ffmpeg = |child: &u32| {
        let words = fs::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
        let program = words.split(|byte| *byte == 0).next().unwrap_or_default();
        program.ends_with(b"/ffmpeg")
    };
    children(parent).into_iter().filter(is_ffmpeg).collect()
}

/// Waits until something holds.
#[track_caller]
pub fn wait_until(mut holds: impl FnMut() -> bool) {
    wait_for(|| holds().then_some(()));
}
