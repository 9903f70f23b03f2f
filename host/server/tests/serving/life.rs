//! How a server begins and ends.

use std::io::Read as _;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::server::{Place, Server, program};

#[test]
fn it_begins_without_configuration_and_says_how_to_connect() {
    let place = Place::new();
    let mut server = place.serve(&[]);
    let endpoint = format!("http://{}/mcp", server.client.address);
    for client in ["claude mcp add", "code --add-mcp", "mcp.json", "inspector", "asset add"] {
        assert!(server.greeting.contains(client), "{}", server.greeting);
    }
    assert!(server.greeting.contains(&endpoint), "{}", server.greeting);
    assert!(place.data().join("store.sqlite").is_file(), "the user's data folder");

    assert_eq!(server.client.get("/healthz").status, 200);
    let ready = server.client.get("/readyz");
    assert_eq!(ready.status, 200, "{}", ready.json());
    let checks = json!({ "store": "ok", "ffmpeg": "ok", "chain": "ok", "stopping": false });
    assert_eq!(ready.json()["checks"], checks);
    assert_eq!(server.client.get("/elsewhere").status, 404);
    let called = server.client.call_tool("video_get_render_status", &json!({ "render_id": "x" }));
    assert_eq!(called["result"]["structuredContent"]["code"], "render_not_found", "{called}");

    server.signal("TERM");
    assert_eq!(server.ended().code(), Some(0));
    assert!(server.log().contains("stopped"), "{}", server.log());
}

#[test]
fn an_idle_server_ends_at_once_and_a_second_signal_ends_a_busy_one() {
    let place = Place::new();
    let mut server = place.serve(&[]);
    // A stream that would be held for ever.
    let initialize = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    });
    let begun = server.client.rpc("", "initialize", &initialize);
    let session = format!(
        "Mcp-Session-Id: {}\r\nAccept: text/event-stream\r\n",
        begun.header("mcp-session-id")
    );
    let mut stream = server.client.begin("GET", "/mcp", &session);
    let mut head = [0; 12];
    stream.read_exact(&mut head).unwrap();
    assert_eq!(&head, b"HTTP/1.1 200");
    let began = Instant::now();
    server.signal("INT");
    assert_eq!(server.ended().code(), Some(0));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());

    // An upload that does not go on is waited for a moment only.
    let mut server = place.serve(&[]);
    let _upload = server.client.begin_upload("/assets", 1000);
    let began = Instant::now();
    server.signal("TERM");
    server.signal("TERM");
    assert_eq!(server.ended().code(), Some(0));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[test]
fn a_data_directory_has_one_server() {
    let place = Place::new();
    let mut first = place.serve(&[]);
    let (code, stderr) = place.fails(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(code, 5, "{stderr}");
    assert!(stderr.contains("Another server works on"), "{stderr}");
    assert!(stderr.contains("error[data_unusable]"), "{stderr}");
    let _other = place.serve(&["--data", "other"]);
    first.signal("TERM");
    first.ended();
    let _next = place.serve(&[]);
}

#[test]
fn it_does_not_begin_where_it_could_not_serve_or_must_not() {
    let place = Place::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    place.write("no-chain.toml", "plugin_dir = \"nowhere\"\n");
    place.write("no-ffmpeg.toml", "[media]\nffmpeg = \"/nowhere\"\n");
    place.write("a-file", "no directory");
    let damaged = place.write("elsewhere", "").with_file_name("damaged");
    std::fs::create_dir(&damaged).unwrap();
    std::fs::write(damaged.join("store.sqlite"), "no database".repeat(1000)).unwrap();
    place.write("open.toml", "[server]\nlisten = \"203.0.113.1:8750\"\n");
    for (args, word) in [
        (&["--listen", "203.0.113.1:8750"][..], "--i-know-that-anyone-can-render"),
        (&["--config", "open.toml"], "--i-know-that-anyone-can-render"),
        (&["--listen", "0.0.0.0:0", "--i-know-that-anyone-can-render"], "public_url"),
        (&["--listen", "203.0.113.1:0", "--i-know-that-anyone-can-render"], "error[listen_failed]"),
        (&["--listen", &taken], "error[listen_failed]"),
        (&["--listen", "127.0.0.1:0", "--data", "a-file"], "error[data_unusable]"),
        (&["--listen", "127.0.0.1:0", "--data", "damaged"], "error[data_unusable]"),
        (&["--public-url", "example.com/x"], "public_url"),
        (&["--listen", "127.0.0.1:0", "--config", "no-chain.toml"], "cannot be read"),
        (&["--listen", "127.0.0.1:0", "--config", "no-ffmpeg.toml"], "ffmpeg"),
    ] {
        let (code, stderr) = place.fails(&[&["serve"], args].concat());
        assert_eq!(code, 5, "{args:?}: {stderr}");
        assert!(stderr.contains(word), "{args:?}: {stderr}");
    }
}

#[test]
fn strangers_by_name_or_page_are_sent_away() {
    let place = Place::new();
    let server = place.serve(&[]);
    let port = server.client.address.port();
    for (headers, status) in [
        ("Host: evil.example\r\n".to_owned(), 403),
        ("Origin: https://evil.example\r\n".to_owned(), 403),
        ("Origin: null\r\n".to_owned(), 403),
        (format!("Host: localhost:{port}\r\nOrigin: http://localhost:6274\r\n"), 422),
    ] {
        let answer = server.client.ask("POST", "/assets", &headers, b"no media");
        assert_eq!(answer.status, status, "{headers}");
    }
    // Whoever checks its health may call it by any name.
    assert_eq!(server.client.ask("GET", "/healthz", "Host: 10.1.2.3\r\n", b"").status, 200);
}

#[test]
fn the_log_is_json_where_that_is_wanted_and_holds_no_secrets() {
    let place = Place::new();
    let server = place.serve(&["--log-format", "json"]);
    let client = server.with_token("vrt_secret");
    client.upload("?name=private", b"no media");
    client.get("/artifacts/secretticket/output");
    let log = server.log();
    let lines: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let requests: Vec<_> = lines.iter().filter(|line| line["message"] == "request").collect();
    assert_eq!(requests.len(), 2, "{log}");
    assert_eq!(requests[1]["route"], "/artifacts/{ticket}/{name}", "{log}");
    assert_eq!(requests[1]["status"], 404, "{log}");
    assert!(!log.contains("secret") && !log.contains("private"), "{log}");
}

#[test]
fn the_command_line_says_what_is_wrong_with_it() {
    let place = Place::new();
    let ran = program(&place, &["serve", "--listen", "here"]).output().unwrap();
    assert_eq!(ran.status.code(), Some(2));
}

/// What the status tool says of a render.
fn status(server: &Server, render: &str) -> Value {
    let arguments = json!({ "render_id": render });
    server.client.call_tool("video_get_render_status", &arguments)["result"]["structuredContent"]
        .clone()
}

#[test]
fn a_stopping_server_answers_and_leaves_what_has_not_ended_to_the_next() {
    let place = Place::new();
    let source = place.dir.path().join("long.mp4");
    let made = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x360:duration=60"])
        .args(["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"])
        .arg(&source)
        .status();
    assert!(made.unwrap().success());
    let asset = place.json(&["asset", "add", "long.mp4"]);
    let mut server = place.serve(&[]);
    let arguments = json!({ "source_asset_id": asset["asset_id"], "resolution": "4k" });
    let called = server.client.call_tool("video_render", &arguments);
    let render = &called["result"]["structuredContent"]["render_id"];
    let render = render.as_str().unwrap_or_else(|| panic!("{called}")).to_owned();
    while !status(&server, &render)["message"].as_str().unwrap().contains("Encoded") {
        std::thread::sleep(Duration::from_millis(50));
    }
    let began = Instant::now();
    server.signal("TERM");
    while server.client.get("/readyz").status != 503 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let ready = server.client.get("/readyz").json();
    assert_eq!(ready["checks"]["stopping"], true, "{ready}");
    assert_eq!(status(&server, &render)["state"], "rendering");
    server.signal("TERM");
    assert_eq!(server.ended().code(), Some(0));
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());

    let server = place.serve(&[]);
    let next = status(&server, &render);
    assert!(["queued", "rendering"].contains(&next["state"].as_str().unwrap()), "{next}");
    server.client.call_tool("video_cancel_render", &json!({ "render_id": render }));
    assert_eq!(status(&server, &render)["state"], "cancelled");
}
