//! That a tool starts, ends and is gone when it should be.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod common;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{engine, ffmpeg, launcher, run, tools, within};
use media::jail::{JailLimits, Landlock};
use media::process::{Job, ProgressParser, Tool, Watchdog};
use media::{Ffmpeg, Launcher, Limits, MediaError, Tools};
use tokio::io::AsyncReadExt;

const SECOND: Duration = Duration::from_secs(1);
const ENDLESS: &str = "-f lavfi -i color -f null -";

/// The letter for the state of a process (`R`, `S`, `Z`…); none if there is no such process.
fn state(id: u32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

fn gone(id: u32) -> bool {
    within(SECOND, || state(id).is_none())
}

#[tokio::test]
async fn a_killed_tool_is_reaped() {
    let engine = engine().await;
    let mut child = engine.spawn(ffmpeg(ENDLESS)).await.unwrap();
    let id = child.id().unwrap();
    assert!(state(id).is_some());
    child.kill().await;
    assert_eq!(state(id), None);
    child.kill().await;
    child.wait().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_tool_is_killed_and_reaped() {
    let engine = engine().await;
    let child = engine.spawn(ffmpeg(ENDLESS)).await.unwrap();
    let id = child.id().unwrap();
    drop(child);
    assert!(gone(id));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_wait_kills_when_its_owner_goes() {
    let engine = engine().await;
    let mut child = engine.spawn(ffmpeg(ENDLESS)).await.unwrap();
    let id = child.id().unwrap();
    let owner = tokio::spawn(async move { child.wait().await });
    tokio::time::sleep(SECOND / 10).await;
    owner.abort();
    assert!(gone(id));
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_end_with_the_runtime() {
    let id = tokio::task::spawn_blocking(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let engine = runtime.block_on(engine());
        let child = runtime.block_on(engine.spawn(ffmpeg(ENDLESS))).unwrap();
        let id = child.id().unwrap();
        drop(runtime);
        drop(child);
        id
    });
    let id = id.await.unwrap();
    assert!(within(SECOND, || matches!(state(id), None | Some('Z'))));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_that_nobody_waits_for_leaves_nothing() {
    let engine = engine().await;
    let marked = "color=s=126x94";
    for patience in 0..20 {
        let start = engine.spawn(ffmpeg(&format!("-f lavfi -i {marked} -f null -")));
        drop(tokio::time::timeout(Duration::from_micros(patience * 100), start).await);
    }
    // The spawning thread takes orders in turn: all of the above have been started now.
    engine.spawn(ffmpeg(ENDLESS)).await.unwrap().kill().await;
    let runs = || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let mut lines = processes.map(|it| std::fs::read(it.path().join("cmdline")));
        lines.any(|line| line.is_ok_and(|line| String::from_utf8_lossy(&line).contains(marked)))
    };
    assert!(within(SECOND, || !runs()));
}

/// SIGTERM does not reach a tool that is stuck in a write: ffmpeg only notes it.
#[tokio::test]
async fn a_tool_that_nobody_reads_is_killed() {
    let engine = engine().await;
    let mut job = Job::new(Tool::Ffmpeg);
    let (name, _unread) = job.write().unwrap();
    job.args(["-v", "error", "-f", "lavfi", "-i", "testsrc", "-f", "rawvideo", &name]);
    let mut child = engine.spawn(job).await.unwrap();
    let id = child.id().unwrap();
    assert!(within(10 * SECOND, || state(id) == Some('S')), "it never filled the pipe");
    let begin = Instant::now();
    child.kill().await;
    assert!(begin.elapsed() < 2 * SECOND);
    assert_eq!(state(id), None);
}

#[tokio::test]
async fn what_is_written_arrives_and_ends() {
    let engine = engine().await;
    let mut job = Job::new(Tool::Ffmpeg);
    let (video, mut pictures) = job.write().unwrap();
    let (report, mut reports) = job.write().unwrap();
    job.args(["-v", "error", "-progress", &report, "-f", "lavfi", "-i", "testsrc=s=640x480:d=4"]);
    job.args(["-pix_fmt", "gray", "-f", "rawvideo", &video]);
    let mut child = engine.spawn(job).await.unwrap();
    let (mut bytes, mut report) = (Vec::new(), Vec::new());
    let (pictures, reports, exit) = tokio::join!(
        pictures.read_to_end(&mut bytes),
        reports.read_to_end(&mut report),
        child.wait()
    );
    assert_eq!(pictures.unwrap(), 640 * 480 * 100);
    assert!(reports.unwrap() > 0);
    exit.unwrap().check(&JailLimits::default()).unwrap();
    let last = ProgressParser::default().push(&report).unwrap();
    assert_eq!((last.frame, last.done), (100, true));
}

#[tokio::test]
async fn much_on_stderr_stops_nothing() {
    let engine = engine().await;
    let mut job = Job::new(Tool::Ffmpeg);
    job.args("-v trace -debug_ts -f lavfi -i testsrc=s=64x64:d=200 -f null -".split(' '));
    let exit = run(&engine, job).await;
    assert!(exit.status.success());
    assert_eq!(exit.stderr_tail.len(), 64 << 10);
}

#[tokio::test]
async fn the_watchdog_bites() {
    let engine = engine().await;
    let limit = SECOND / 2;
    for (dog, stalled) in
        [(Watchdog::new(Some(limit), None), true), (Watchdog::new(None, Some(limit)), false)]
    {
        let mut child = engine.spawn(ffmpeg(ENDLESS)).await.unwrap();
        let id = child.id().unwrap();
        let error = child.wait_watched(dog, || 7).await.unwrap_err();
        match error {
            MediaError::Stalled { .. } => assert!(stalled),
            MediaError::TimedOut { .. } => assert!(!stalled),
            other => panic!("{other}"),
        }
        assert_eq!(state(id), None);
    }
}

#[tokio::test]
async fn an_answer_is_bounded_in_time_and_size() {
    let engine = engine().await;
    let endless = || ffmpeg("-f lavfi -i testsrc -f rawvideo -");
    let error = engine.capture(endless(), 1 << 20, 30 * SECOND).await.unwrap_err();
    assert!(matches!(error, MediaError::Budget { allowed: 0x10_0000, .. }), "{error}");
    let error = engine.capture(endless(), u64::MAX, SECOND / 2).await.unwrap_err();
    assert!(matches!(error, MediaError::TimedOut { .. }), "{error}");
    let error = engine.capture(ffmpeg("-i none"), 1 << 20, SECOND * 9).await.unwrap_err();
    assert!(matches!(error, MediaError::Encoder { .. }), "{error}");
}

/// A host of its own, and the endless tool that it runs.
struct Host {
    process: std::process::Child,
    tool: u32,
}

impl Host {
    fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_media-test-launcher"))
            .arg("host")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { process, tool: line.trim().parse().expect("the host prints a process id") }
    }

    /// The hardest way, which leaves it no time to clean up.
    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.kill();
    }
}

#[test]
fn no_tool_outlives_its_host() {
    let mut host = Host::start();
    // The thread that asked for the tool has ended before the host said so.
    std::thread::sleep(SECOND);
    assert!(matches!(state(host.tool), Some('R' | 'S')), "that thread took it with it");
    host.kill();
    // Whoever inherits it may leave it unreaped; it must not run.
    assert!(within(SECOND, || matches!(state(host.tool), None | Some('Z'))));
}

async fn engine_error(tools: Tools, launcher: Launcher) -> MediaError {
    Ffmpeg::new(tools, launcher, Limits::default()).unwrap().check().await.unwrap_err()
}

#[tokio::test]
async fn a_tool_that_will_not_do_is_named() {
    let with = |ffmpeg: &str| Tools { ffmpeg: PathBuf::from(ffmpeg), ..tools() };
    let old = engine_error(with(env!("CARGO_BIN_EXE_media-test-launcher")), launcher()).await;
    assert_eq!(
        old.to_string(),
        "ffmpeg is version 4.4.2-0ubuntu0.22.04.1, but 5.1 or later is needed: install a newer \
         ffmpeg"
    );
    let other = Path::new("/bin/echo").canonicalize().unwrap();
    let other = engine_error(with(other.to_str().unwrap()), launcher()).await;
    assert!(matches!(other, MediaError::ToolMissing { .. }), "{other}");
}

#[tokio::test]
async fn a_jail_that_does_not_work_is_an_error_of_its_own() {
    let unavailable = |error: MediaError| match error {
        MediaError::JailUnavailable { message } => message,
        other => panic!("{other}"),
    };
    let missing = Launcher { program: "/nonexistent/launcher".into(), args: Vec::new() };
    let message = unavailable(engine_error(tools(), missing).await);
    assert!(message.contains("launcher"), "{message}");

    let gone = Tools { ffmpeg: "/nonexistent/ffmpeg".into(), ..tools() };
    let message = unavailable(engine_error(gone, launcher()).await);
    assert!(message.contains("cannot execute /nonexistent/ffmpeg"), "{message}");
}

/// A jail whose host died before it could notice must not start the tool.
#[test]
fn an_orphaned_jail_refuses() {
    let limits = serde_json::to_value(JailLimits::default()).unwrap();
    let spec = serde_json::json!({
        "parent": 1, "limits": limits, "landlock": Landlock::Required,
        "descriptors": [], "readable": [],
    });
    let output = Command::new(env!("CARGO_BIN_EXE_media-test-launcher"))
        .args(["jail", &spec.to_string()])
        .arg(tools().ffmpeg)
        .arg("-version")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(125));
    assert!(output.stdout.is_empty());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "media-jail: the host that asked for it is gone\n");
}
