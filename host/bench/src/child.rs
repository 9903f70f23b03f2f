//! What one run of a command costs, with everything that it starts.
//!
//! The system adds up the costs of all children that a process ever had. So this program starts
//! itself for each run: that process has one child, and its sum is the run's.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;
use serde_json::{Value, json};

use crate::Outcome;

/// The word that makes this program measure the command that follows.
pub(crate) const WORD: &str = "measure";

/// How often the memory of the command is looked at; the system keeps the peak.
const LOOK: Duration = Duration::from_millis(10);

/// A command to be measured.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    /// The program and its arguments.
    pub(crate) words: Vec<OsString>,
    /// The exit code that says that all went well.
    pub(crate) exits_with: i32,
    /// Set for it.
    pub(crate) environment: Vec<(&'static str, OsString)>,
    /// Folders that are emptied before each run.
    pub(crate) fresh: Vec<PathBuf>,
}

/// What a run cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// Seconds from start to end.
    pub(crate) wall: f64,
    /// Seconds of processors, in user and system code, of all processes.
    pub(crate) cpu: f64,
    /// The most memory of the command's own process, in MiB.
    pub(crate) own_peak: f64,
    /// The most memory of any one of its processes, in MiB.
    pub(crate) largest_peak: f64,
}

impl Run {
    /// Runs the command once.
    pub(crate) fn once(&self) -> Outcome<Cost> {
        for folder in &self.fresh {
            if folder.exists() {
                std::fs::remove_dir_all(folder)?;
            }
            std::fs::create_dir_all(folder)?;
        }
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(WORD).arg(self.exits_with.to_string()).args(&self.words);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        let output = command.stdin(Stdio::null()).output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}\n{}", self.line(), said.trim()).into());
        }
        let cost: Value = serde_json::from_slice(&output.stdout)?;
        let number = |name: &str| cost.get(name).and_then(Value::as_f64).unwrap_or(0.0);
        Ok(Cost {
            wall: number("wall"),
            cpu: number("cpu"),
            own_peak: number("own_peak"),
            largest_peak: number("largest_peak"),
        })
    }

    /// The command as it could be typed.
    pub(crate) fn line(&self) -> String {
        let words = self.words.iter().map(|word| quoted(&word.to_string_lossy()));
        words.collect::<Vec<_>>().join(" ")
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=+,%".contains(letter);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{word}'") }
}

/// The process in between: runs the command and prints its costs as JSON.
pub(crate) fn measure(words: &[String]) -> Outcome {
    let [exits_with, program, arguments @ ..] = words else {
        return Err("a command to measure is missing".into());
    };
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdout(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot run {program}: {error}"))?;
    let peak = Peak::watch(child.id());
    let status = child.wait()?;
    let wall = started.elapsed().as_secs_f64();
    let own_peak = peak.end();
    if status.code().map(|code| code.to_string()).as_ref() != Some(exits_with) {
        return Err(format!("{program} ended with {status}, not with {exits_with}").into());
    }
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    let cost = json!({
        "wall": wall,
        "cpu": cpu as f64 / 1e6,
        "own_peak": own_peak,
        // In KiB, of the process that had most.
        "largest_peak": usage.max_rss() as f64 / 1024.0,
    });
    println!("{cost}");
    Ok(())
}

/// Looks at the peak that the system keeps for a process, for as long as that is there.
struct Peak {
    ended: Arc<AtomicBool>,
    thread: thread::JoinHandle<f64>,
}

impl Peak {
    fn watch(process: u32) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&ended);
        let thread = thread::spawn(move || {
            let mut peak = 0.0_f64;
            while !flag.load(Ordering::Relaxed) {
                peak = peak.max(high_water_mark(process).unwrap_or(0.0));
                thread::sleep(LOOK);
            }
            peak
        });
        Self { ended, thread }
    }

    fn end(self) -> f64 {
        self.ended.store(true, Ordering::Relaxed);
        self.thread.join().unwrap_or(0.0)
    }
}

/// The most memory that a process has had, in MiB.
fn high_water_mark(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024.0)
}
