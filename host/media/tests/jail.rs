//! What ffmpeg can reach from inside the jail, shown by the jail itself. Wherever something is
//! refused, the same command without the jail shows that it is the jail that refuses it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod common;

use std::fs::File;
use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use common::{engine, engine_with, ffmpeg, run, tools};
use media::jail::{JailLimits, Landlock};
use media::process::{Exit, Job, Tool};
use media::{Input, Limits, MediaError};

const CLIP: &str = "-f lavfi -i testsrc=d=1:s=64x64:r=10";

/// Runs ffmpeg with the arguments in `line` without any jail.
fn unjailed(line: &str) -> Output {
    let mut command = Command::new(tools().ffmpeg);
    command.args(["-nostdin", "-v", "warning"]).args(line.split(' ')).output().unwrap()
}

/// Has ffmpeg make a file with the arguments in `line`.
fn make(line: &str, file: &Path) {
    let made = unjailed(&format!("{line} {}", file.display()));
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

/// That the tool failed, and said `why`.
fn assert_refused(exit: &Exit, why: &str) {
    assert!(!exit.status.success(), "nothing was refused");
    assert!(exit.stderr_tail.contains(why), "{}", exit.stderr_tail);
}

const DENIED: &str = "Permission denied";

/// A playlist of `directory` that names `segment`, as the file `name`.
fn playlist(directory: &Path, name: &str, text: &str) -> File {
    let path = directory.join(name);
    write!(File::create(&path).unwrap(), "{text}").unwrap();
    File::open(path).unwrap()
}

#[tokio::test]
async fn a_playlist_opens_no_other_file() {
    let directory = tempfile::tempdir().unwrap();
    let segment = directory.path().join("segment.ts");
    make(&format!("{CLIP} -f mpegts"), &segment);
    let segment = segment.display();
    let hls = format!("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{segment}\n#EXT-X-ENDLIST\n");
    let concat = format!("ffconcat version 1.0\nfile '{segment}'\n");
    let engine = engine().await;
    // Everything that ffmpeg itself has against it is switched off.
    let (hls_options, hls_refusal) =
        ("-protocol_whitelist file -allowed_extensions ALL -f hls", "Failed to open segment 0");
    let (concat_options, concat_refusal) = ("-protocol_whitelist file -safe 0 -f concat", DENIED);
    for (name, text, options, refusal) in [
        ("hls.mp4", hls, hls_options, hls_refusal),
        ("concat.mp4", concat, concat_options, concat_refusal),
    ] {
        let file = playlist(directory.path(), name, &text);
        let path = directory.path().join(name);
        let line = |input: &str| format!("{options} -i {input} -f null -");
        let control = unjailed(&line(&path.display().to_string()));
        assert!(control.status.success(), "{name} does not work outside either");

        let mut names = Job::new(Tool::Ffmpeg);
        let input = names.read(&file).unwrap();
        let mut job = ffmpeg(&line(&input));
        job.read(&file).unwrap();
        assert_refused(&run(&engine, job).await, refusal);
        // And the host does not even ask ffmpeg.
        assert!(matches!(Input::open(&path), Err(MediaError::NotMedia { .. })), "{name}");
    }
}

#[tokio::test]
async fn no_file_is_opened_by_its_name() {
    let line = "-f data -i /etc/passwd -map 0 -c copy -f null -";
    assert!(unjailed(line).status.success());
    for landlock in [Landlock::Required, Landlock::IfAvailable] {
        let engine = engine_with(Limits { landlock, ..Limits::default() }).await;
        assert_refused(&run(&engine, ffmpeg(line)).await, DENIED);
    }
}

#[tokio::test]
async fn a_pattern_is_no_pattern() {
    let directory = tempfile::tempdir().unwrap();
    let pattern = directory.path().join("clip%03d.mp4");
    make(&format!("{CLIP} -frames:v 3 -f image2"), &directory.path().join("clip%03d.png"));
    make(CLIP, &pattern.with_file_name("plain.mp4"));
    std::fs::rename(pattern.with_file_name("plain.mp4"), &pattern).unwrap();
    let engine = engine().await;

    let images = format!("-f image2 -i {}/clip%03d.png -f null -", directory.path().display());
    assert!(unjailed(&images).status.success());
    assert!(!run(&engine, ffmpeg(&images)).await.status.success());

    let input = Input::open(&pattern).unwrap();
    let mut job = Job::new(Tool::Ffmpeg);
    let name = job.read(input.file()).unwrap();
    job.args(["-v", "error", "-f", input.format().demuxer(), "-i", &name, "-f", "null", "-"]);
    let exit = run(&engine, job).await;
    assert!(exit.status.success(), "{}", exit.stderr_tail);
}

#[tokio::test]
async fn no_connection_leaves() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let line = format!("-i tcp://{} -f null -", listener.local_addr().unwrap());
    assert_refused(&run(&engine().await, ffmpeg(&line)).await, DENIED);
    assert_eq!(listener.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);

    let answering = std::thread::spawn(move || {
        listener.set_nonblocking(false).unwrap();
        drop(listener.accept().unwrap());
    });
    unjailed(&line);
    answering.join().unwrap();
}

#[tokio::test]
async fn nothing_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let new = directory.path().join("new.ts");
    let line = |path: &Path| format!("-y {CLIP} -f mpegts {}", path.display());
    let engine = engine().await;
    assert_refused(&run(&engine, ffmpeg(&line(&new))).await, DENIED);
    assert!(!new.exists());
    assert!(unjailed(&line(&new)).status.success());

    // Nor the input itself, although its descriptor was given.
    let before = std::fs::read(&new).unwrap();
    let mut job = ffmpeg(&line(Path::new("/proc/self/fd/3")));
    job.read(File::options().read(true).write(true).open(&new).unwrap()).unwrap();
    assert_refused(&run(&engine, job).await, DENIED);
    assert_eq!(std::fs::read(&new).unwrap(), before);
}

#[tokio::test]
async fn inputs_without_a_name_can_be_read() {
    let picture = vec![0x80; 64 * 64 * 4];
    let mut unlinked = tempfile::tempfile().unwrap();
    unlinked.write_all(&picture).unwrap();
    let flags = nix::sys::memfd::MFdFlags::MFD_CLOEXEC;
    let mut anonymous = File::from(nix::sys::memfd::memfd_create("picture", flags).unwrap());
    anonymous.write_all(&picture).unwrap();
    let engine = engine().await;
    for file in [unlinked, anonymous] {
        let line = "-f rawvideo -pix_fmt rgba -s 64x64 -i /proc/self/fd/3 -f null -";
        let mut job = ffmpeg(line);
        job.read(&file).unwrap();
        let exit = run(&engine, job).await;
        assert!(exit.status.success(), "{}", exit.stderr_tail);
    }
}

/// The error of `line` under `jail`.
async fn error_under(jail: JailLimits, line: &str) -> MediaError {
    let engine = engine_with(Limits { jail, ..Limits::default() }).await;
    run(&engine, ffmpeg(line)).await.check(&jail).unwrap_err()
}

#[tokio::test]
async fn memory_ends() {
    let jail = JailLimits { memory_bytes: 1 << 30, ..JailLimits::default() };
    // Keeps every frame: 6 MB each.
    let bomb = "-f lavfi -i testsrc=s=1920x1080:d=60 -vf reverse -f null -";
    let error = error_under(jail, bomb).await;
    assert!(matches!(error, MediaError::Budget { allowed: 0x4000_0000, .. }), "{error}");
}

#[tokio::test]
async fn processor_time_ends() {
    let jail = JailLimits { cpu_seconds: 1, ..JailLimits::default() };
    let error = error_under(jail, "-f lavfi -i testsrc=s=1280x720 -f null -").await;
    assert!(matches!(error, MediaError::Budget { allowed: 1, .. }), "{error}");
}

#[tokio::test]
async fn the_tool_has_only_what_it_needs() {
    // Without close-on-exec, as if inherited from a careless parent.
    let _leaked = nix::unistd::dup(File::open("/dev/zero").unwrap()).unwrap();
    let mut job = ffmpeg("-re -f lavfi -i color -f null -");
    job.read(File::open("/dev/zero").unwrap()).unwrap();
    let (_, _reader) = job.write().unwrap();
    let child = engine().await.spawn(job).await.unwrap();
    let of = |file: &str| format!("/proc/{}/{file}", child.id().unwrap());
    let read = |file: &str| std::fs::read_to_string(of(file)).unwrap();
    let open = || {
        let open = std::fs::read_dir(of("fd")).unwrap();
        let mut open: Vec<_> = open.map(|entry| entry.unwrap().file_name()).collect();
        open.sort();
        open
    };
    // The dynamic loader opens libraries at first.
    let has_settled = || read("comm").trim() == "ffmpeg" && open() == ["0", "1", "2", "3", "4"];
    assert!(common::within(10 * Duration::from_secs(1), has_settled), "{:?}", open());
    assert_eq!(read("environ"), "AV_LOG_FORCE_NOCOLOR=1\0LC_ALL=C\0");
    assert_eq!(std::fs::read_link(of("cwd")).unwrap(), Path::new("/"));
    assert!(read("status").contains("NoNewPrivs:\t1"));
    let limit = |name: &str| {
        let limits = read("limits");
        let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap().to_owned();
        line.split_whitespace().next().unwrap().to_owned()
    };
    assert_eq!(limit("Max core file size"), "0");
    assert_eq!(limit("Max file size"), "0");
    assert_eq!(limit("Max address space"), JailLimits::default().memory_bytes.to_string());
}
