//! `GET /artifacts/…`.

use std::time::Duration;

use serde_json::{Value, json};
use store::{
    Admission, Admitted, ArtifactKind, Assets as _, Mode, NewArtifact, Options, Renders as _,
    Sqlite,
};

use super::client::Answer;
use super::server::{Place, Server};

/// Puts a finished render into the data directory, beside the server.
fn finished(place: &Place, film: &[u8], ttl: Duration) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let options = Options { mode: Mode::Beside, ..Options::default() };
        let store = Sqlite::open(&place.data(), options).unwrap();
        let admission = Admission {
            tenant: "local".into(),
            owner: "local".into(),
            request: json!({ "source_asset_id": "as_abc" }),
            step: "admitted".into(),
            assets: Vec::new(),
            ttl,
            idempotency: None,
            at_most: None,
        };
        let Admitted::Created(render) = store.admit(admission).await.unwrap() else { panic!() };
        let claim = store.claim(&render.id, render.version).await.unwrap();
        let file = store.draft(".mp4").unwrap();
        std::fs::write(file.path(), film).unwrap();
        let media_type = "video/mp4".to_owned();
        let film = NewArtifact { kind: ArtifactKind::Output, media_type, file };
        let report = json!({
            "film": {
                "output_format": "mp4", "duration_seconds": 1.0, "width": 64, "height": 48,
                "watermark_applied": false, "warnings": [],
            },
            "report": {},
        });
        store.complete(claim.render.lease(), "completed", report, vec![film]).await.unwrap();
        render.id
    })
}

/// The path of the address at which an agent is told to fetch the film.
fn link(server: &Server, render: &str) -> String {
    let called =
        server.client.call_tool("video_get_render_status", &json!({ "render_id": render }));
    let text = called["result"]["content"].as_array().unwrap().iter();
    let text: String = text.filter_map(|block| block["text"].as_str()).collect();
    let base = format!("http://{}", server.client.address);
    let at = text.find(&format!("{base}/artifacts/")).unwrap_or_else(|| panic!("{called}"));
    let url = text[at..].split(|c: char| c.is_whitespace() || c == '"').next().unwrap();
    url.strip_prefix(&base).unwrap().trim_end_matches(['.', ')']).to_owned()
}

fn film() -> Vec<u8> {
    (0..1_000_000_u32).map(|at| (at % 251) as u8).collect()
}

#[test]
fn a_film_is_fetched_whole_or_in_part() {
    let place = Place::new();
    let server = place.serve(&[]);
    let film = film();
    let render = finished(&place, &film, Duration::from_hours(2));
    let link = link(&server, &render);
    let whole = server.client.get(&link);
    assert_eq!(whole.status, 200);
    assert_eq!(whole.body, film);
    for (header, value) in [
        ("content-type", "video/mp4"),
        ("content-length", "1000000"),
        ("accept-ranges", "bytes"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "private, no-store"),
    ] {
        assert_eq!(whole.header(header), value, "{header}");
    }
    let name = format!("attachment; filename=\"{render}.mp4\"");
    assert_eq!(whole.header("content-disposition"), name);
    let tag = whole.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.len() > 8, "{tag}");

    let head = server.client.ask("HEAD", &link, "", b"");
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), "1000000");

    let ask = |headers: &str| server.client.ask("GET", &link, headers, b"");
    let part = |answer: &Answer| {
        (answer.status, answer.header("content-range").to_owned(), answer.body.len())
    };
    let middle = ask("Range: bytes=1000-1999\r\n");
    assert_eq!(part(&middle), (206, "bytes 1000-1999/1000000".into(), 1000));
    assert_eq!(middle.body, film[1000..2000]);
    let end = ask(&format!("Range: bytes=999990-\r\nIf-Range: {tag}\r\n"));
    assert_eq!(part(&end), (206, "bytes 999990-999999/1000000".into(), 10));
    assert_eq!(end.body, film[999_990..]);
    assert_eq!(part(&ask("Range: bytes=-1\r\n")).0, 206);
    assert_eq!(part(&ask("Range: bytes=0-\r\n")).0, 206);
    assert_eq!(part(&ask("Range: bytes=1000000-\r\n")), (416, "bytes */1000000".into(), 0));
    assert_eq!(part(&ask("Range: bytes=0-1,3-4\r\n")), (200, String::new(), 1_000_000));
    assert_eq!(part(&ask("Range: bytes=5-\r\nIf-Range: \"other\"\r\n")).0, 200);
    assert_eq!(part(&ask(&format!("If-None-Match: {tag}\r\n"))), (304, String::new(), 0));
}

#[test]
fn a_forged_link_and_one_to_nothing_look_the_same() {
    let place = Place::new();
    let server = place.serve(&[]);
    let render = finished(&place, b"film", Duration::from_hours(2));
    let link = link(&server, &render);
    let mut forged = link.clone().into_bytes();
    forged[20] ^= 1;
    let forged = String::from_utf8(forged).unwrap();
    let bare = |answer: Answer| {
        let mut error = answer.json();
        error["request_id"] = Value::Null;
        (answer.status, error)
    };
    let unknown = bare(server.client.get(&forged));
    assert_eq!((unknown.0, &unknown.1["code"]), (404, &json!("render_not_found")));
    assert_eq!(bare(server.client.get("/artifacts/abc/output")), unknown);
    assert_eq!(bare(server.client.get("/artifacts/%ff/output")), unknown);
    assert_eq!(server.client.get(&link).status, 200);
    let rotate = ["links", "rotate"];
    assert!(place.run(&rotate).status.success());
    assert_eq!(server.client.get(&link).status, 200, "links of the key before still work");
    assert!(place.run(&rotate).status.success());
    assert_eq!(bare(server.client.get(&link)), unknown);
}

#[test]
fn a_link_expires_with_its_time_and_with_its_film() {
    let place = Place::new();
    place.write("short.toml", "[server]\nlink_seconds = 2\n");
    let server = place.serve(&["--config", "short.toml"]);
    let render = finished(&place, b"film", Duration::from_hours(2));
    let short = link(&server, &render);
    std::thread::sleep(Duration::from_millis(2100));
    let expired = server.client.get(&short);
    assert_eq!(expired.status, 410, "{expired:?}");
    let repair = &expired.json()["repair"];
    assert_eq!(repair["tool"], "video_get_render_status");
    assert_eq!(repair["arguments"], json!({ "render_id": render }));
    // The tool gives a new one.
    assert_eq!(server.client.get(&link(&server, &render)).status, 200);
}

#[test]
fn links_begin_with_the_public_address_whatever_the_host() {
    let place = Place::new();
    let server = place.serve(&["--public-url", "https://render.example.com/video/"]);
    assert!(
        server.greeting.contains("https://render.example.com/video/mcp"),
        "{}",
        server.greeting
    );
    let render = finished(&place, b"film", Duration::from_hours(2));
    let arguments = json!({ "render_id": render });
    let called = server.client.call_tool("video_get_render_status", &arguments).to_string();
    assert!(called.contains("https://render.example.com/video/artifacts/"), "{called}");
    assert!(!called.contains(&server.client.address.to_string()), "{called}");
    let health = server.client.ask("GET", "/artifacts/x/y", "Host: render.example.com\r\n", b"");
    assert_eq!(health.status, 404);
}
