//! The program as a server, and the program beside it.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::client::Client;

/// How long something that must happen may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder with a data directory in it.
pub(crate) struct Place {
    pub(crate) dir: TempDir,
}

/// The program with these arguments, its caches shared between tests.
pub(crate) fn program(place: &Place, args: &[&str]) -> Command {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_video-render-mcp"));
    let mut command = Command::new(&program);
    command
        .args(args)
        .current_dir(place.dir.path())
        .stdin(Stdio::null())
        .env("XDG_CACHE_HOME", program.with_file_name("test-cache"))
        .env("XDG_DATA_HOME", place.dir.path());
    command
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    /// The data directory where none is named.
    pub(crate) fn data(&self) -> PathBuf {
        self.dir.path().join("video-render-mcp")
    }

    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, contents).unwrap();
        path
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Output {
        program(self, args).output().unwrap()
    }

    /// Runs a command that must succeed, with `--json`, and gives what it printed.
    #[track_caller]
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let ran = self.run(&[args, &["--json"]].concat());
        let stderr = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{args:?}: {stderr}");
        serde_json::from_slice(&ran.stdout).unwrap()
    }

    /// Runs a command that must fail, and gives its exit code and standard error.
    #[track_caller]
    pub(crate) fn fails(&self, args: &[&str]) -> (i32, String) {
        let ran = self.run(args);
        assert!(!ran.status.success(), "{args:?}");
        (ran.status.code().unwrap(), String::from_utf8(ran.stderr).unwrap())
    }

    /// Starts a server on a free port.
    pub(crate) fn serve(&self, args: &[&str]) -> Server {
        let args = [&["serve", "--listen", "127.0.0.1:0"], args].concat();
        let log = self.dir.path().join("log");
        let mut child = program(self, &args)
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log).unwrap())
            .spawn()
            .unwrap();
        let mut greeting = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        while !greeting.contains("curl ") {
            let read = out.read_line(&mut greeting).unwrap();
            assert!(read > 0, "{}", fs::read_to_string(&log).unwrap());
        }
        let address = greeting.lines().find_map(|line| line.strip_prefix("listening on: "));
        let address = address.unwrap().parse().unwrap();
        let client = Client { address, token: None };
        Server { child, client, greeting, log }
    }
}

/// A server that runs; it is killed at the end of its test.
pub(crate) struct Server {
    child: Child,
    pub(crate) client: Client,
    /// What it said when it began.
    pub(crate) greeting: String,
    log: PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// A client with a token.
    pub(crate) fn with_token(&self, token: &str) -> Client {
        Client { token: Some(token.to_owned()), ..self.client.clone() }
    }

    pub(crate) fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    }

    /// Waits for its end.
    #[track_caller]
    pub(crate) fn ended(&mut self) -> ExitStatus {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(began.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn log(&self) -> String {
        let mut log = String::new();
        fs::File::open(&self.log).unwrap().read_to_string(&mut log).unwrap();
        log
    }
}

/// A second of a small film.
pub(crate) fn film(place: &Path) -> Vec<u8> {
    let file = place.join("film.mp4");
    let made = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-y", "-f", "lavfi"])
        .args(["-i", "testsrc2=size=64x48:rate=25:duration=1", "-c:v", "libx264"])
        .args(["-preset", "ultrafast", "-pix_fmt", "yuv420p"])
        .arg(&file)
        .status();
    assert!(made.unwrap().success());
    fs::read(file).unwrap()
}

/// Bytes that begin as a picture does, and differ by `seed`.
pub(crate) fn picture(bytes: usize, seed: u8) -> Vec<u8> {
    let mut picture = b"\x89PNG\r\n\x1a\n".to_vec();
    picture.extend((0..bytes.saturating_sub(8)).map(|at| (at as u8).wrapping_mul(31) ^ seed));
    picture
}
