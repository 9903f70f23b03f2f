//! The browser's process: started with nothing of the user's, and gone when it is dropped.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::processes;

/// The names that distributions give it.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A running browser.
pub(super) struct Browser {
    child: Child,
    /// Its home and profile, and what it says.
    dir: TempDir,
}

/// Where the browser is; none, with a notice, if it is missing and nothing could install it.
#[track_caller]
pub(super) fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .flat_map(|folder| NAMES.map(|name| folder.join(name)))
        .find(|file| file.is_file());
    if found.is_none() {
        let system = fs::read_to_string("/etc/os-release").unwrap_or_default();
        let debian = system.lines().any(|line| line == "ID=debian");
        assert!(!(debian && is_root()), "chromium is missing: run `cargo xtask setup`");
        eprintln!("skipped: chromium is missing (`cargo xtask setup` installs it where it can)");
    }
    found
}

fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

impl Browser {
    /// Opens a page.
    pub(super) fn start(program: &Path, page: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let said = File::create(dir.path().join("said")).unwrap();
        let mut command = Command::new(program);
        command.args([
            "--headless=new",
            "--mute-audio",
            "--autoplay-policy=no-user-gesture-required",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            // It must stay on this machine, and be as it was installed.
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            "--no-proxy-server",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-extensions",
            "--disable-sync",
            "--disable-breakpad",
            "--no-first-run",
            "--no-default-browser-check",
        ]);
        if is_root() {
            command.arg("--no-sandbox");
        }
        let mut profile = std::ffi::OsString::from("--user-data-dir=");
        profile.push(dir.path().join("profile"));
        command.arg(profile).arg(page);
        command.env("HOME", dir.path());
        for name in [
            "XDG_CONFIG_HOME",
            "XDG_CACHE_HOME",
            "XDG_RUNTIME_DIR",
            "DBUS_SESSION_BUS_ADDRESS",
            "CHROMIUM_FLAGS",
        ] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said).process_group(0);
        let child = command.spawn().unwrap();
        Self { child, dir }
    }

    /// The last of what it said, and whether it still runs.
    pub(super) fn said(&self) -> String {
        let said = fs::read(self.dir.path().join("said")).unwrap_or_default();
        let said = String::from_utf8_lossy(&said).into_owned();
        let lines: Vec<&str> = said.lines().collect();
        lines[lines.len().saturating_sub(10)..].join("\n")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser is many processes, all in its group.
        processes::kill_group(self.child.id());
        let _ = self.child.wait();
    }
}
