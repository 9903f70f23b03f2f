//! Streams: when an answer is one, cutting and resuming, takeover, slow readers.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Events, quick, start, start_with};

fn chat(n: u64) -> Value {
    json!({ "name": "chat", "arguments": { "n": n } })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_is_a_stream_only_where_it_must_be() {
    let server = start().await;
    let client = server.connect().await;
    // Quick and without messages: `result` wants plain JSON.
    client.result("tools/call", json!({ "name": "echo" })).await;
    let mut slow =
        client.open("tools/call", json!({ "name": "sleep", "arguments": { "ms": 400 } })).await;
    assert_eq!(slow.answer().await.1, Vec::<Value>::new());
    let mut chatty = client.open("tools/call", chat(3)).await;
    let (answer, said) = chatty.answer().await;
    assert_eq!(said.iter().map(|m| m["params"]["data"].clone()).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(answer["result"]["content"][0]["text"], "chatted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_begins_with_an_event_to_resume_from_where_that_is_understood() {
    let server = start().await;
    for (revision, primed) in [("2025-11-25", true), ("2025-06-18", false), ("2025-03-26", false)] {
        let client = server.connect_as("somebody", revision).await;
        let mut events = client.open("tools/call", chat(2)).await;
        events.answer().await;
        assert_eq!(events.seen[0].data.is_empty(), primed);
        assert_eq!(
            events.seen.iter().filter(|event| event.data.is_empty()).count(),
            usize::from(primed)
        );
        assert_eq!(events.seen[0].retry, Some(1000), "where to come back after a second");
        assert!(events.seen[1..].iter().all(|event| event.retry.is_none()));
        let mut ids: Vec<_> = events.seen.iter().map(|event| event.id.clone()).collect();
        ids.dedup();
        assert_eq!(ids.len(), events.seen.len());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_cut_at_any_event_goes_on_with_every_later_one_once() {
    let server = start().await;
    let client = server.connect().await;
    let mut whole = client.open("tools/call", chat(5)).await;
    let (answer, _) = whole.answer().await;
    let all = whole.seen.clone();
    assert_eq!(all.len(), 7, "priming, five messages, the answer");
    for cut in 0..all.len() {
        let reply = client.resume(&all[cut].id).await;
        if cut == all.len() - 1 {
            assert_eq!(reply.status, StatusCode::NO_CONTENT, "nothing is left");
            continue;
        }
        let mut rest = reply.events();
        assert_eq!(rest.answer().await.0, answer);
        let seen: Vec<_> = rest.seen.iter().filter(|event| !event.data.is_empty()).collect();
        assert_eq!(seen.len(), all.len() - cut - 1);
        assert!(seen.iter().zip(&all[cut + 1..]).all(|(a, b)| a.id == b.id && a.data == b.data));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_said_while_nobody_reads_is_there_for_who_comes_back() {
    let server = start().await;
    let client = server.connect().await;
    let mut cut = client.open("tools/call", json!({ "name": "wait" })).await;
    cut.event().await;
    let last = cut.last.clone().unwrap();
    drop(cut);
    tokio::time::sleep(Duration::from_millis(100)).await;
    let mut again = client.resume(&last).await.events();
    server.product.go();
    assert_eq!(again.answer().await.0["result"]["content"][0]["text"], "waited");
    assert_eq!(server.product.events(), ["waiting", "gone on"], "the cut cancelled nothing");
    // And once more, after the end.
    assert_eq!(client.resume(&last).await.events().answer().await.0["result"]["isError"], false);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_else_can_be_resumed() {
    let server = start().await;
    let client = server.connect().await;
    let mut events = client.open("tools/call", chat(1)).await;
    events.answer().await;
    let id = events.seen[0].id.clone();
    let (stream, seq) = id.split_once('-').unwrap();
    let later = seq.parse::<u64>().unwrap() + 1_000_000_000;
    for unknown in [
        "x",
        "0-99999999999999999",
        "1-1",
        "999-1",
        &format!("{stream}-1"),
        &format!("{stream}-{later}"),
    ] {
        let reply = client.resume(unknown).await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{unknown}");
        assert_eq!(reply.json().await["error"]["code"], -32600);
    }
    let other = server.connect().await;
    assert_eq!(other.resume(&id).await.status, StatusCode::BAD_REQUEST, "another session's");
    let mut thief = client.clone();
    thief.token = Some("thief".to_owned());
    assert_eq!(thief.resume(&id).await.status, StatusCode::NOT_FOUND, "another principal");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_get_takes_the_place_of_the_one_before() {
    let server = start().await;
    let client = server.connect().await;
    let mut old = client.get().await;
    old.event().await;
    let mut new = client.get().await;
    new.event().await;
    assert_eq!(old.next().await, None, "it is closed");
    server.notifier.tools_changed();
    assert_eq!(new.message().await["method"], "notifications/tools/list_changed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_standalone_stream_is_resumed_as_well() {
    let server = start().await;
    let client = server.connect().await;
    let mut get = client.get().await;
    get.event().await;
    server.notifier.resources_changed("all");
    get.message().await;
    let last = get.last.clone().unwrap();
    drop(get);
    server.notifier.tools_changed();
    tokio::time::sleep(Duration::from_millis(100)).await;
    let mut again = client.resume(&last).await.events();
    assert_eq!(again.message().await["method"], "notifications/tools/list_changed");
    again.is_quiet().await;
    let mut fresh = client.get().await;
    fresh.is_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_stream_says_that_it_is_there() {
    let server = start().await;
    let client = server.connect().await;
    assert!(client.get().await.keeps_alive().await);
    assert!(client.open("tools/call", json!({ "name": "wait" })).await.keeps_alive().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_do_not_mix() {
    let server = start().await;
    let client = server.connect().await;
    let mut get = client.get().await;
    let mut streams: Vec<Events> = Vec::new();
    for n in 1..=4 {
        streams.push(client.open("tools/call", chat(n)).await);
    }
    for (n, stream) in (1..).zip(&mut streams) {
        assert_eq!(stream.answer().await.1.len(), n);
    }
    get.is_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_does_not_read_holds_up_nobody_and_is_let_go() {
    let config =
        mcp::Config { stalled_reader: Duration::from_millis(300), log_bytes: 64 << 20, ..quick() };
    let server = start_with(config).await;
    let client = server.connect().await;
    let big = json!({ "name": "big", "arguments": { "bytes": 8_000_000 } });
    let mut stuck = client.open("tools/call", big).await;
    assert_eq!(client.result("ping", json!({})).await, json!({}));
    let mut other = client.open("tools/call", chat(2)).await;
    other.answer().await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    // It reads on at last and may have been let go; from where it is, it gets the rest.
    let first = stuck.event().await.unwrap();
    let mut again = client.resume(&first.id).await.events();
    let (answer, _) = again.answer().await;
    assert_eq!(answer["result"]["content"][0]["text"].as_str().unwrap().len(), 8_000_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_is_bounded_and_what_is_gone_is_said_to_be_gone() {
    let server = start_with(mcp::Config { log_bytes: 10_000, ..quick() }).await;
    let client = server.connect().await;
    let mut first =
        client.open("tools/call", json!({ "name": "big", "arguments": { "bytes": 5_000 } })).await;
    first.answer().await;
    let id = first.seen[0].id.clone();
    assert_eq!(client.resume(&id).await.status, StatusCode::OK);
    let mut second =
        client.open("tools/call", json!({ "name": "big", "arguments": { "bytes": 8_000 } })).await;
    second.answer().await;
    assert_eq!(client.resume(&id).await.status, StatusCode::BAD_REQUEST);
    assert_eq!(client.resume(&second.seen[0].id).await.status, StatusCode::OK);
    server.clock.forward(quick().log_age + Duration::from_secs(1));
    client.result("ping", json!({})).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(client.resume(&second.seen[0].id).await.status, StatusCode::BAD_REQUEST, "too old");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn log_messages_are_only_those_that_are_wanted() {
    let server = start().await;
    let client = server.connect().await;
    client.result("logging/setLevel", json!({ "level": "warning" })).await;
    client.result("tools/call", chat(3)).await;
    client.result("logging/setLevel", json!({ "level": "info" })).await;
    let (_, said) = client.open("tools/call", chat(3)).await.answer().await;
    assert_eq!(said.len(), 3);
    assert_eq!(said[0]["params"], json!({ "level": "info", "logger": "chat", "data": 0 }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn progress_rises_and_bears_the_clients_token() {
    let server = start().await;
    let client = server.connect().await;
    client.result("tools/call", json!({ "name": "count" })).await;
    for token in [json!("t"), json!(7)] {
        let params = json!({ "name": "count", "_meta": { "progressToken": token } });
        let (_, said) = client.open("tools/call", params).await.answer().await;
        let progress: Vec<_> =
            said.iter().map(|m| m["params"]["progress"].as_f64().unwrap()).collect();
        assert_eq!(progress, [0.0, 1.0, 2.0]);
        assert!(said.iter().all(|message| message["params"]["progressToken"] == token));
    }
    let params = json!({ "name": "count", "_meta": { "progressToken": 1.5 } });
    client.result("tools/call", params).await;
}
