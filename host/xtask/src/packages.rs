//! What is installed with the system's package manager, always announced.

use crate::Outcome;
use crate::command::{on_path, output, run};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::process::Command;

/// Whether packages can be installed: as root, on Debian or what descends
/// from it.
pub(crate) fn can_install() -> bool {
    let root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    root && is_debian() && on_path("apt-get").is_some()
}

fn is_debian() -> bool {
    fs::read_to_string("/etc/os-release").is_ok_and(|text| descends_from_debian(&text))
}

/// Reads `ID` and `ID_LIKE` of os-release(5).
fn descends_from_debian(os_release: &str) -> bool {
    os_release
        .lines()
        .filter_map(|line| line.strip_prefix("ID=").or_else(|| line.strip_prefix("ID_LIKE=")))
        .flat_map(|value| value.trim_matches('"').split_whitespace())
        .any(|name| matches!(name, "debian" | "ubuntu"))
}

/// Brings the list of what is on offer up to date.
pub(crate) fn update() -> Outcome {
    eprintln!("Updating the package list (apt-get update).");
    run(apt_get().args(["update", "-qq"]))
}

/// Says what it installs, then does.
pub(crate) fn install(packages: &[&str]) -> Outcome {
    eprintln!("Installing with apt-get: {}.", packages.join(" "));
    run(apt_get().args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages))
}

/// The newest `lld-N` on offer.
pub(crate) fn newest_lld() -> Outcome<String> {
    let names = output(Command::new("apt-cache").args(["search", "--names-only", "^lld-[0-9]+$"]))?;
    newest_numbered("lld-", names.split_whitespace())
        .ok_or_else(|| "the package lists offer no lld-N".into())
}

/// Of the names that are `prefix` and a number, the one with the highest.
pub(crate) fn newest_numbered<'a>(
    prefix: &str,
    names: impl Iterator<Item = &'a str>,
) -> Option<String> {
    names
        .filter_map(|name| name.strip_prefix(prefix)?.parse::<u32>().ok())
        .max()
        .map(|version| format!("{prefix}{version}"))
}

fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}

/// Makes sure that ffmpeg and ffprobe are on the search path.
///
/// # Errors
/// The command to run where they cannot be installed from here.
pub(crate) fn need_ffmpeg() -> Outcome {
    let is_there = || ["ffmpeg", "ffprobe"].iter().all(|name| on_path(name).is_some());
    if is_there() {
        return Ok(());
    }
    if !can_install() {
        return Err(format!("ffmpeg is missing; {}", ffmpeg_advice()).into());
    }
    update()?;
    install(&["ffmpeg"])?;
    if is_there() { Ok(()) } else { Err("ffmpeg was installed but is not on PATH".into()) }
}

fn ffmpeg_advice() -> &'static str {
    if is_debian() {
        "install it with: sudo apt-get install ffmpeg"
    } else if cfg!(target_os = "macos") {
        "install it with: brew install ffmpeg"
    } else {
        "install ffmpeg 5.1 or newer with your system's package manager"
    }
}

/// The names that a browser which shows films by the same code has in distributions; the tests
/// look for the same ones.
const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Makes sure that there is a browser to watch films in, where it can be installed. It is needed
/// by tests only, which leave out what needs it where it is missing.
///
/// # Errors
/// It could be installed and was not.
pub(crate) fn want_chromium() -> Outcome {
    let is_there = || BROWSERS.iter().any(|name| on_path(name).is_some());
    if is_there() {
        return Ok(());
    }
    // Elsewhere the package of this name is missing, or brings its own package manager.
    let debian = fs::read_to_string("/etc/os-release").is_ok_and(|text| is_debian_itself(&text));
    if !(debian && can_install()) {
        eprintln!(
            "Chromium is missing: films are not watched in a browser. Install it with your \
             system's package manager to have that tested too."
        );
        return Ok(());
    }
    update()?;
    install(&["chromium"])?;
    if is_there() { Ok(()) } else { Err("chromium was installed but is not on PATH".into()) }
}

fn is_debian_itself(os_release: &str) -> bool {
    os_release
        .lines()
        .any(|line| line.strip_prefix("ID=").is_some_and(|id| id.trim_matches('"') == "debian"))
}

#[cfg(test)]
mod tests;
