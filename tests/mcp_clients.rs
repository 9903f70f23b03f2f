//! Real clients against the real server, each in every scene that an agent may come into.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use product_tests::mcp::{Server, registry, text};
use serde_json::Value;

/// Where clients are installed.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients")
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(name)
}

/// Plays every scene: `client` with the endpoint, the scene and an asset as its last arguments.
fn plays_every_scene(client: impl Fn() -> Command) {
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

/// Node with a script of ours beside these packages.
fn with_npm(name: &str, packages: &[&str], file: &str) {
    let Some(npm) = registry::npm(&folder(), name, packages) else { return };
    let copy = npm.folder.join(file);
    fs::copy(script(file), &copy).unwrap();
    plays_every_scene(|| {
        let mut command = Command::new(&npm.node);
        command.arg(&copy);
        command
    });
}

#[test]
fn the_typescript_sdk() {
    with_npm("typescript", &["@modelcontextprotocol/sdk@1.32.2"], "typescript.mjs");
}

#[test]
fn the_tasks_extension_in_legacy_mode() {
    let packages = ["@modelcontextprotocol/ext-tasks@0.2.2", "@modelcontextprotocol/client@2.4.0"];
    with_npm("ext-tasks", &packages, "ext_tasks.mjs");
}

#[test]
fn the_python_sdk() {
    let Some(packages) = registry::pip(&folder(), "python", &["mcp==1.30.0"]) else { return };
    plays_every_scene(|| {
        let mut command = Command::new("python3");
        command.arg(script("python.py")).env("PYTHONPATH", &packages);
        command
    });
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
