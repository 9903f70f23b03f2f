//! Real clients against the real server, each in every scene that an agent may come into.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use product_tests::mcp::{Server, registry, text, until};
use product_tests::processes;
use serde_json::Value;

/// Where clients are installed.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients")
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(name)
}

/// Plays every scene: `client` with the endpoint, the scene and an asset as its last arguments.
fn plays_every_scene(client: Start) {
    let server = Server::default();
    let (short, long) = (server.short(), server.long());
    let broken = {
        let mut bytes = fs::read(server.product.path("short.mp4")).unwrap();
        let (from, to) = (bytes.len() / 3, bytes.len() / 2);
        bytes[from..to].fill(0);
        server.asset(&server.product.write("broken.mp4", bytes))
    };
    let play = |scene: &str, asset: &str| -> Value {
        let url = format!("http://{}/mcp", server.address);
        let played = client().args([&url, scene, asset]).stdin(Stdio::null()).output().unwrap();
        let (out, err) = (
            String::from_utf8_lossy(&played.stdout).into_owned(),
            String::from_utf8_lossy(&played.stderr).into_owned(),
        );
        assert!(played.status.success(), "{scene}: {out}{err}");
        serde_json::from_str(out.trim()).unwrap_or_else(|error| panic!("{scene}: {error}: {out}"))
    };

    let met = play("approved", &short);
    assert_eq!(met["asked"], 1, "{met:#}");
    assert_eq!(met["status"], "completed", "{met:#}");
    assert_eq!(met["result"]["watermark_applied"], true, "{met:#}");

    let met = play("rejected", &short);
    assert_eq!(met["asked"], 1, "{met:#}");
    assert_eq!(met["status"], "failed", "{met:#}");
    assert!(met.to_string().contains("watermark_rejected"), "{met:#}");

    let met = play("cancelled", &long);
    assert_eq!(met["status"], "cancelled", "{met:#}");

    let met = play("failed", &broken);
    assert_eq!(met["status"], "failed", "{met:#}");
    assert!(met.to_string().contains("unsupported_source"), "{met:#}");

    let met = play("plain", &short);
    assert_eq!(text(&met, "/result/state"), "completed", "{met:#}");

    let met = play("plain-elicitation", &short);
    assert_eq!(met["asked"], 1, "{met:#}");
    assert_eq!(text(&met, "/result/state"), "completed", "{met:#}");
}

/// How a client is started; its arguments follow.
type Start = Box<dyn Fn() -> Command>;

/// Node with a script of ours beside these packages; none where they cannot be had.
fn with_npm(name: &str, packages: &[&str], file: &str) -> Option<Start> {
    let npm = registry::npm(&folder(), name, packages)?;
    let copy = npm.folder.join(file);
    fs::copy(script(file), &copy).unwrap();
    Some(Box::new(move || {
        let mut command = Command::new(&npm.node);
        command.arg(&copy);
        command
    }))
}

fn typescript() -> Option<Start> {
    with_npm("typescript", &["@modelcontextprotocol/sdk@1.32.2"], "typescript.mjs")
}

fn ext_tasks() -> Option<Start> {
    let packages = ["@modelcontextprotocol/ext-tasks@0.2.2", "@modelcontextprotocol/client@2.4.0"];
    with_npm("ext-tasks", &packages, "ext_tasks.mjs")
}

fn python() -> Option<Start> {
    let packages = registry::pip(&folder(), "python", &["mcp==1.30.0"])?;
    Some(Box::new(move || {
        let mut command = Command::new("python3");
        command.arg(script("python.py")).env("PYTHONPATH", &packages);
        command
    }))
}

#[test]
fn the_typescript_sdk() {
    if let Some(client) = typescript() {
        plays_every_scene(client);
    }
}

#[test]
fn the_tasks_extension_in_legacy_mode() {
    if let Some(client) = ext_tasks() {
        plays_every_scene(client);
    }
}

#[test]
fn the_python_sdk() {
    if let Some(client) = python() {
        plays_every_scene(client);
    }
}

#[test]
fn a_render_of_more_than_a_minute_reaches_every_client() {
    let clients: Vec<Start> = [typescript(), ext_tasks(), python()].into_iter().flatten().collect();
    if clients.is_empty() {
        return;
    }
    let server = Server::new("[renders]\nconcurrency = 3\n[media]\nstall_seconds = 300\n");
    let asset = server.short();
    let url = format!("http://{}/mcp", server.address);
    let playing: Vec<Child> = clients
        .iter()
        .map(|client| {
            client()
                .args([&url, "approved", &asset])
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    // The encoders, which begin after the approval, are held for longer than clients wait.
    let mut held = BTreeSet::new();
    until("every render is encoded", || {
        for tool in processes::ffmpegs(server.process()) {
            let words = fs::read(format!("/proc/{tool}/cmdline")).unwrap_or_default();
            if String::from_utf8_lossy(&words).contains("libx264") && held.insert(tool) {
                processes::send("STOP", tool);
            }
        }
        (held.len() == playing.len()).then_some(())
    });
    thread::sleep(Duration::from_secs(65));
    held.iter().for_each(|tool| processes::send("CONT", *tool));
    for client in playing {
        let played = client.wait_with_output().unwrap();
        let met: Value = serde_json::from_slice(&played.stdout).unwrap();
        assert_eq!(met["status"], "completed", "{met:#}");
        assert_eq!(met["result"]["watermark_applied"], true, "{met:#}");
    }
}

#[test]
fn the_inspector_finds_the_tools_portable() {
    let packages = ["@modelcontextprotocol/inspector@2.12.0"];
    let Some(npm) = registry::npm(&folder(), "inspector", &packages) else { return };
    let server = Server::default();
    let url = format!("http://{}/mcp", server.address);
    // It starts itself by its bare name.
    let own = npm.node.parent().map(Path::to_owned).unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([own].into_iter().chain(std::env::split_paths(&path))).unwrap();
    let program = npm.folder.join("node_modules/.bin/mcp-inspector");
    let listed = Command::new(&npm.node)
        .arg(fs::canonicalize(program).unwrap())
        .args(["--cli", &url, "--transport", "http", "--method", "tools/list"])
        .args(["--strict", "--format", "json"])
        .env("HOME", server.product.dir())
        .env("PATH", path)
        .env("MCP_INSPECTOR_SECRET_STORE", "file")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let (out, err) = (
        String::from_utf8_lossy(&listed.stdout).into_owned(),
        String::from_utf8_lossy(&listed.stderr).into_owned(),
    );
    assert!(listed.status.success(), "{:?} {out}{err}", listed.status);
    assert!(out.contains("video_render"), "{out}{err}");
}
