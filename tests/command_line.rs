//! The command line beyond rendering: probing, plugins, help, questions.

use std::io::Write;
use std::process::{Command, Stdio};

use product_tests::sources::{long, plain};
use product_tests::{Product, judge, product};

#[test]
fn probe_says_what_a_source_holds() {
    let product = Product::new();
    let source = plain(product.path("in.mp4"));
    let found = product.run(&["probe", source.to_str().unwrap()]).ok();
    assert_eq!(found["video"][0]["codec_name"], "h264");
    assert_eq!(found["video"][0]["display_size"]["width"], 320);
    assert_eq!(found["audio"][0]["channels"], 2);
    let text = product.command(&["probe", source.to_str().unwrap()]).output().unwrap();
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(
        text.contains("320×180") && text.contains("25/1 fps") && text.contains("aac"),
        "{text}"
    );
}

#[test]
fn plugins_are_listed_and_inspected() {
    let product = Product::new();
    let listed = product.run(&["plugin", "list"]).ok();
    let names: Vec<&str> = listed["plugins"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "encode-mjpeg",
            "encode-standard",
            "mux-isobmff",
            "mux-webm",
            "watermark-overlay",
            "watermark-tile"
        ]
    );
    let active = |name: &str| {
        let rows = listed["plugins"].as_array().unwrap();
        rows.iter().find(|row| row["name"] == name).unwrap()["active"].clone()
    };
    let all = serde_json::json!(["mp4", "webm", "mov"]);
    assert_eq!(active("encode-standard"), serde_json::json!({ "encode": all }));
    assert_eq!(active("mux-isobmff"), serde_json::json!({ "mux": ["mp4", "mov"] }));
    assert_eq!(active("mux-webm"), serde_json::json!({ "mux": ["webm"] }));
    assert_eq!(active("watermark-tile"), serde_json::json!({}));
    for container in ["mp4", "mov", "webm"] {
        assert!(listed["chains"][container]["plugins"].is_array(), "{}", listed["chains"]);
    }

    let file = product::plugins().join("encode-standard.wasm");
    let found = product.run(&["plugin", "inspect", file.to_str().unwrap()]).ok();
    assert_eq!(found["stages"], serde_json::json!(["encode"]));
    assert_eq!(found["worlds"], serde_json::json!(["video-render:stage/encode-plugin"]));
    assert!(found["digest"].as_str().unwrap().starts_with("sha256:"));
    assert!(found["parameters"]["properties"]["quality"]["default"].is_number(), "{found}");
    let imports = found["imports"].as_array().unwrap();
    assert!(
        imports.iter().any(|import| import.as_str().unwrap().starts_with("video-render:stage/"))
    );
    assert!(!imports.iter().any(|import| import.as_str().unwrap().contains("sockets")));
    product.run(&["plugin", "inspect", "missing.wasm"]).failed(5, "plugin_unusable");
}

#[test]
fn every_error_code_is_explained() {
    let product = Product::new();
    let text = |args: &[&str]| {
        let output = product.command(args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, all) = text(&["explain"]);
    assert_eq!(code, Some(0));
    for line in all.lines() {
        let name = line.split_whitespace().next().unwrap();
        let (code, page) = text(&["explain", name]);
        assert_eq!(code, Some(0));
        assert!(page.starts_with(&format!("# {name}")), "{page}");
    }
    assert_eq!(text(&["explain", "no_such_code"]).0, Some(3));
    assert!(text(&["config"]).1.contains("plugin_time_ms"));
}

#[test]
fn a_wrong_command_line_is_a_usage_error() {
    let product = Product::new();
    for args in [
        &["render"][..],
        &["render", "in.mp4"],
        &["render", "in.mp4", "-o", "x", "--format", "avi"],
        &["dance"],
    ] {
        assert_eq!(product.command(args).output().unwrap().status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn the_format_follows_the_name_of_the_output() {
    let product = Product::new();
    let source = plain(product.path("in.mp4"));
    let source = source.to_str().unwrap();
    product.run(&["render", source, "-o", "out.mov", "--resolution", "720p"]).ok();
    let found = judge::probe(&product.path("out.mov"));
    assert_eq!(found["format"]["tags"]["major_brand"], "qt  ");
    product.run(&["render", source, "-o", "b.mov", "--format", "mp4"]).failed(3, "invalid_field");
}

#[test]
fn a_cache_that_cannot_be_made_only_costs_time() {
    let product = Product::new();
    let source = plain(product.path("in.mp4"));
    let args = ["render", source.to_str().unwrap(), "-o", "out.mp4", "--resolution", "720p"];
    let output = product.command(&args).env("XDG_CACHE_HOME", &source).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn without_a_terminal_approval_must_be_said() {
    let product = Product::new();
    let source = plain(product.path("in.mp4"));
    product.render(&source, &["--text", "X"]).failed(3, "invalid_field");
    product.render(&source, &["--text", "X", "--approve", "ask"]).failed(3, "invalid_field");
    assert_eq!(product.names(), ["in.mp4"]);
}

/// Runs a render on a pseudo-terminal (util-linux's `script`) and types an
/// answer.
fn on_a_terminal(product: &Product, typed: &str) -> (Option<i32>, String) {
    let source = plain(product.path("in.mp4"));
    let program = product::program();
    let command = format!(
        "{} render {} -o out.mp4 --resolution 720p --text CONFIDENTIAL",
        program.display(),
        source.display()
    );
    let mut child = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .current_dir(product.dir())
        .env("XDG_CACHE_HOME", program.with_file_name("test-cache"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn on_a_terminal_the_question_is_asked_there() {
    let product = Product::new();
    let (code, screen) = on_a_terminal(&product, "maybe\nyes\n");
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("out.mp4.preview.png"), "the preview is named: {screen}");
    assert!(screen.contains("CONFIDENTIAL") && screen.contains("[y/n]"), "{screen}");
    assert!(screen.matches("[y/n]").count() >= 2, "asked again after `maybe`: {screen}");
    assert_eq!(product.names(), ["in.mp4", "out.mp4"]);
    let found = judge::probe(&product.path("out.mp4"));
    assert_eq!(judge::number(&judge::stream(&found, "video")["nb_read_packets"]), 50.0);

    let product = Product::new();
    let (code, screen) = on_a_terminal(&product, "no\n");
    assert_eq!(code, Some(6), "{screen}");
    assert_eq!(product.names(), ["in.mp4"]);
}

#[test]
fn an_interrupt_ends_everything_and_leaves_nothing() {
    let product = Product::new();
    let source = long(product.path("in.mp4"));
    let mut child = product
        .command(&["render", source.to_str().unwrap(), "-o", "out.mp4", "--resolution", "4k"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let encoder = product_tests::processes::wait_for_encoder(child.id());
    product_tests::processes::send("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(product_tests::processes::is_reaped(encoder), "ffmpeg has ended with the render");
    assert_eq!(product.names(), ["in.mp4"]);
}
