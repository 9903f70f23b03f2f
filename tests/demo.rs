//! `cargo xtask demo` tells the whole story to its end, judged by what it leaves in its folder.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use product_tests::product;
use serde_json::Value;

/// Runs the demo with these words and this input, in this folder or where it is by itself.
fn demo(folder: Option<&Path>, words: &[&str], input: &str) -> Output {
    let program = product::demo();
    assert!(program.is_file(), "{} is missing: use `cargo xtask test`", program.display());
    let mut child = Command::new(program)
        .args(words)
        .envs(folder.map(|folder| ("VIDEO_RENDER_DEMO", folder)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn exchange(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("exchange.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The one request of this method from this side, and the answer to it from the other.
#[track_caller]
fn pair<'a>(exchange: &'a [Value], from: &str, method: &str) -> (&'a Value, &'a Value) {
    let mut asked =
        exchange.iter().filter(|line| line["from"] == from && line["message"]["method"] == method);
    let request = &asked.next().unwrap_or_else(|| panic!("no {method}"))["message"];
    assert!(asked.next().is_none(), "{method} twice");
    let answer = exchange.iter().find(|line| {
        let message = &line["message"];
        line["from"] != from && message["id"] == request["id"] && message.get("method").is_none()
    });
    (request, &answer.unwrap_or_else(|| panic!("no answer to {method}"))["message"]["result"])
}

/// What both endings have in common; returns the held result.
#[track_caller]
fn told(exchange: &[Value], approved: bool) -> &Value {
    let (_, session) = pair(exchange, "agent", "initialize");
    assert_eq!(session["protocolVersion"], "2025-11-25");
    let (call, created) = pair(exchange, "agent", "tools/call");
    assert_eq!(call["params"]["name"], "video_render");
    let (question, answer) = pair(exchange, "server", "elicitation/create");
    let related = &question["params"]["_meta"]["io.modelcontextprotocol/related-task"];
    assert_eq!(related["taskId"], created["task"]["taskId"]);
    assert_eq!(answer["content"]["approved"], approved);
    let (held, result) = pair(exchange, "agent", "tasks/result");
    assert_eq!(held["params"]["taskId"], created["task"]["taskId"]);
    result
}

/// No process has this folder among its words.
#[track_caller]
fn nobody_is_left(folder: &Path) {
    let folder = folder.to_str().unwrap();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let words = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let words = String::from_utf8_lossy(&words);
        assert!(!words.contains(folder), "still there: {words}");
    }
}

#[test]
fn the_story_ends_with_a_film() {
    // As the README says it.
    let folder = product::demo().with_file_name("demo-files");
    demo(None, &[], "");
    nobody_is_left(&folder);
    let exchange = exchange(&folder);
    assert_ne!(told(&exchange, true)["isError"], true);
    assert!(exchange.iter().any(|line| line["message"]["status"] == 206));
    let entries = "stream=width,height,nb_read_frames";
    let probe = Command::new("ffprobe")
        .args(["-v", "error", "-count_frames", "-select_streams", "v", "-of", "csv=p=0"])
        .args(["-show_entries", entries])
        .arg(folder.join("film.mp4"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&probe.stdout).trim(), "1920,1080,300");
    let preview = fs::read(folder.join("preview.png")).unwrap();
    assert!(preview.starts_with(b"\x89PNG"));
}

#[test]
fn a_person_may_say_no() {
    let folder = tempfile::tempdir().unwrap();
    let output = demo(Some(folder.path()), &["--interactive"], "no\n");
    nobody_is_left(folder.path());
    let exchange = exchange(folder.path());
    assert_eq!(told(&exchange, false)["structuredContent"]["code"], "watermark_rejected");
    assert!(String::from_utf8_lossy(&output.stdout).contains("Approve? [yes/no]"));
    assert!(!folder.path().join("film.mp4").exists());
}
