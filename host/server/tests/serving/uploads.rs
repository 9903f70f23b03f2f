//! `POST /assets`.

use std::io::Write as _;
use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::client::{Client, answer};
use super::server::{Place, film, picture};

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// How much has arrived; waits until the server has noticed that the sender is gone.
fn received(client: &Client, sha256: &str) -> Value {
    for _ in 0..200 {
        let answer = client.get(&format!("/assets/uploads/{sha256}"));
        if answer.status != 409 {
            assert_eq!(answer.status, 200, "{answer:?}");
            return answer.json();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("the upload stays taken");
}

#[test]
fn a_film_becomes_an_asset() {
    let place = Place::new();
    let server = place.serve(&[]);
    let film = film(place.dir.path());
    let answer = server.client.upload("?name=my%20film.mp4", &film);
    assert_eq!(answer.status, 201, "{answer:?}");
    let asset = answer.json();
    assert!(asset["asset_id"].as_str().unwrap().starts_with("as_"), "{asset}");
    assert_eq!(asset["name"], "my film.mp4");
    assert_eq!(asset["bytes"], film.len());
    assert_eq!(asset["sha256"], sha256(&film));
    assert_eq!(asset["media"]["kind"], "video");
    assert_eq!(asset["media"]["width"], 64);
    // The command line sees it beside the server.
    let shown = place.json(&["asset", "show", asset["asset_id"].as_str().unwrap()]);
    assert_eq!(shown, asset);
    // Without a length it comes in pieces.
    let mut stream = server.client.begin("POST", "/assets", "Transfer-Encoding: chunked\r\n");
    for part in film.chunks(1000) {
        write!(stream, "{:x}\r\n", part.len()).unwrap();
        stream.write_all(part).unwrap();
        stream.write_all(b"\r\n").unwrap();
    }
    stream.write_all(b"0\r\n\r\n").unwrap();
    let second = answer_of(stream);
    assert_eq!(second["sha256"], asset["sha256"]);
}

fn answer_of(stream: std::net::TcpStream) -> Value {
    let answer = answer(stream);
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

#[test]
fn what_cannot_be_rendered_is_refused_and_nothing_is_kept() {
    let place = Place::new();
    let server = place.serve(&[]);
    let film = film(place.dir.path());
    for (query, body, status, code, word) in [
        ("", &b"words, not pictures"[..], 422, "unsupported_source", "The file"),
        ("", b"", 422, "unsupported_source", ""),
        ("", &film[..film.len() / 3], 422, "unsupported_source", ""),
        ("?name=", &film, 400, "invalid_field", "name"),
        ("?name=a%0Ab", &film, 400, "invalid_field", "one line"),
        ("?nome=x", &film, 400, "invalid_field", "query"),
        ("?offset=x", &film, 400, "invalid_field", "query"),
        ("?offset=5", &film, 400, "invalid_field", "sha256"),
        ("?sha256=12", &film, 400, "invalid_field", "64 hexadecimal"),
    ] {
        let answer = server.client.upload(query, body);
        assert_eq!(answer.status, status, "{query}: {answer:?}");
        let error = answer.json();
        assert_eq!(error["code"], code, "{query}: {error}");
        assert_eq!(error["temporary"], false);
        assert_eq!(error["retry_after_ms"], Value::Null);
        assert_eq!(error["request_id"], answer.header("x-request-id"));
        assert!(error["fingerprint"].as_str().unwrap().starts_with("video-render-mcp@"));
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(word) && !message.contains("tmp"), "{query}: {message}");
    }
    assert_eq!(server.client.get("/assets").status, 405);
    assert_eq!(place.json(&["asset", "list"]), json!({ "assets": [] }));
    let drafts = std::fs::read_dir(place.data().join("tmp/server")).unwrap();
    assert_eq!(drafts.count(), 0);
}

#[test]
fn a_body_that_is_too_large_is_refused_before_and_while_it_comes() {
    let place = Place::new();
    place.write("small.toml", "[server]\nmax_asset_bytes = 100000\n");
    let server = place.serve(&["--config", "small.toml"]);
    let large = picture(100_001, 0);
    let hash = sha256(&large);
    // Told by its length, by the size that the client says, and by nothing but its bytes.
    for query in ["", "?name=x", &format!("?sha256={hash}&size=100001")] {
        let answer = server.client.upload(query, &large);
        assert_eq!(answer.status, 413, "{query}: {answer:?}");
        assert_eq!(answer.json()["details"]["max_asset_bytes"], 100_000);
    }
    let mut stream = server.client.begin("POST", "/assets", "Transfer-Encoding: chunked\r\n");
    write!(stream, "{:x}\r\n", large.len()).unwrap();
    stream.write_all(&large).unwrap();
    stream.write_all(b"\r\n0\r\n\r\n").unwrap();
    assert_eq!(answer(stream).status, 413);
    assert_eq!(server.client.upload("", &picture(100_000, 0)).status, 201);
}

#[test]
fn an_upload_that_broke_off_is_gone_on_with() {
    let place = Place::new();
    let mut server = place.serve(&[]);
    let bytes = picture(3 << 20, 7);
    let hash = sha256(&bytes);
    let path = format!("/assets?sha256={hash}&name=big.png");
    assert_eq!(received(&server.client, &hash), json!({ "received": 0 }));

    let mut stream = server.client.begin_upload(&path, bytes.len());
    stream.write_all(&bytes[..1 << 20]).unwrap();
    // While somebody is at it nobody else is, and is told to wait.
    let second = server.client.ask("POST", &path, "", &bytes[..10]);
    assert_eq!(second.status, 409, "{second:?}");
    assert_eq!(second.json()["temporary"], true);
    assert!(!second.header("retry-after").is_empty());
    drop(stream);
    let there = received(&server.client, &hash)["received"].as_u64().unwrap();
    assert!(there > 0 && there <= 1 << 20, "{there}");

    // Another server over the same data goes on with it.
    server.signal("TERM");
    server.ended();
    let server = place.serve(&[]);
    assert_eq!(received(&server.client, &hash), json!({ "received": there }));
    let there = usize::try_from(there).unwrap();
    let gap = server.client.ask("POST", &format!("{path}&offset={}", there + 1), "", b"x");
    assert_eq!(gap.status, 409);
    assert_eq!(gap.json()["details"]["received"], there);
    // A part, by its size, which also sends a little again.
    let size = format!("&size={}", bytes.len());
    let part = format!("{path}{size}&offset={}", there - 100);
    let part = server.client.ask("POST", &part, "", &bytes[there - 100..2 << 20]);
    assert_eq!((part.status, part.json()), (202, json!({ "received": 2 << 20 })));
    let rest = format!("{path}{size}&offset={}", 2 << 20);
    let too_much = [&bytes[2 << 20..], b"more"].concat();
    assert_eq!(server.client.ask("POST", &rest, "", &too_much).status, 400);
    let whole = server.client.ask("POST", &rest, "", &bytes[2 << 20..]);
    assert_eq!(whole.status, 201, "{whole:?}");
    assert_eq!(whole.json()["bytes"], bytes.len());

    // Once it is there it need not be sent again.
    let known = server.client.ask("POST", &path, "", b"");
    assert_eq!((known.status, known.json()), (200, whole.json()));
    assert_eq!(received(&server.client, &hash), whole.json());
}

#[test]
fn bytes_that_are_not_those_that_were_promised_are_thrown_away() {
    let place = Place::new();
    let server = place.serve(&[]);
    let hash = sha256(&picture(1000, 1));
    let wrong = server.client.upload(&format!("?sha256={hash}"), &picture(1000, 2));
    assert_eq!(wrong.status, 400, "{wrong:?}");
    assert_eq!(wrong.json()["details"]["field"], "sha256");
    assert_eq!(wrong.json()["details"]["found"], sha256(&picture(1000, 2)));
    assert_eq!(received(&server.client, &hash), json!({ "received": 0 }));
    let right =
        server.client.upload(&format!("?sha256={}", hash.to_uppercase()), &picture(1000, 1));
    assert_eq!(right.status, 201, "{right:?}");
}

#[test]
fn so_many_uploads_at_a_time_and_no_more() {
    let place = Place::new();
    place.write("one.toml", "[server]\nuploads = 1\n");
    let server = place.serve(&["--config", "one.toml"]);
    let bytes = picture(1000, 1);
    let mut first = server.client.begin_upload("/assets", 1000);
    let refused = server.client.upload("", &picture(1000, 2));
    assert_eq!(refused.status, 503, "{refused:?}");
    assert_eq!(refused.json()["code"], "rate_limited");
    first.write_all(&bytes).unwrap();
    assert_eq!(answer(first).status, 201);
    assert_eq!(server.client.upload("", &bytes).status, 201);
}
