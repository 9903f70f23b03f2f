//! A server that is killed at any moment: the next one goes on, and so do its clients.

use std::collections::BTreeSet;
use std::fs;
use std::thread;
use std::time::Duration;

use product_tests::mcp::server::{marked, plain, yes};
use product_tests::mcp::{Client, RELATED, Server, text};
use product_tests::{film, processes};
use serde_json::{Value, json};

/// Waits until a render says that it does this; false if it has ended before.
fn says(client: &Client, id: &str, what: &[&str]) -> bool {
    loop {
        let task = client.task(id);
        let message = text(&task, "/statusMessage");
        if what.iter().any(|what| message.starts_with(what)) {
            return true;
        }
        if matches!(text(&task, "/status"), "completed" | "failed" | "cancelled") {
            return false;
        }
    }
}

/// Demands that each of these has ended with one film and that nothing else is left.
#[track_caller]
fn each_has_one_film(server: &Server, client: &Client, ids: &[String], previews: usize) {
    for id in ids {
        client.wait_for(id, "completed");
        let result = client.hold(id).answer()["result"].clone();
        let link = result["content"].as_array().unwrap().last().unwrap();
        let url = text(link, "/_meta/com.video-render~1download_url");
        let (status, bytes) = client.fetch(url);
        assert_eq!(status, 200);
        let file = server.product.path("film.mp4");
        fs::write(&file, bytes).unwrap();
        assert_eq!(film::read(&file).video().packets.len(), 25);
    }
    server.is_idle();
    let kept = server.artifacts();
    assert_eq!(kept.len(), ids.len() + previews, "{kept:?}");
    let list = client.result("resources/list", json!({}));
    let films: BTreeSet<String> = list["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|resource| text(resource, "/uri").to_owned())
        .filter(|uri| uri.ends_with("/output"))
        .collect();
    assert_eq!(films.len(), ids.len(), "{films:?}");
}

#[test]
fn killed_in_each_state_a_render_ends_with_one_film() {
    let mut server = Server::new("[renders]\nconcurrency = 1\n");
    let asset = server.short();
    // The session outlives every server.
    let client = server.connect();
    let mut ids = Vec::new();
    let mut reached = Vec::new();
    for (state, words) in [
        ("admitted", vec!["The render waits", "The render goes on"]),
        ("planning", vec!["Reading", "Planning"]),
        ("running", vec!["Encoding", "Encoded"]),
        ("committing", vec!["Checking"]),
    ] {
        // A state of a few milliseconds can be missed.
        for _ in 0..4 {
            let id = client.create(plain(&asset));
            let met = says(&client, &id, &words);
            ids.push(id.clone());
            if met {
                server.restart();
                client.wait_for(&id, "completed");
                reached.push(state);
                break;
            }
        }
    }
    assert!(reached.starts_with(&["admitted", "planning", "running"]), "{reached:?}");
    if reached.len() < 4 {
        eprintln!("committing was over each time before the kill");
    }
    each_has_one_film(&server, &client, &ids, 0);
}

#[test]
fn killed_at_any_moment_each_of_several_renders_ends_with_one_film() {
    let mut server = Server::new("[renders]\nconcurrency = 2\n");
    let asset = server.short();
    let client = server.connect();
    let mut ids = Vec::new();
    for wait in [0, 40, 120, 250, 500] {
        for _ in 0..2 {
            ids.push(client.create(plain(&asset)));
        }
        thread::sleep(Duration::from_millis(wait));
        let tools = processes::ffmpegs(server.process());
        server.restart();
        for tool in tools {
            assert!(processes::has_ended(tool), "ffmpeg outlives its server");
        }
    }
    each_has_one_film(&server, &client, &ids, 0);
}

#[test]
fn a_waiting_client_resumes_and_its_answer_to_the_old_request_counts() {
    let mut server = Server::default();
    let asset = server.short();
    let client = server.connect();
    let id = client.create(marked(&asset));
    let mut held = client.hold(&id);
    let question = held.wait_for("elicitation/create");
    let last = held.last();
    server.restart();

    // The question waits as it did; whoever comes back is not asked again.
    assert_eq!(client.task(&id)["status"], "input_required");
    let mut resumed = client.resume(&last);
    resumed.is_quiet();
    assert_eq!(client.respond(&question, yes()), 202);
    let answer = resumed.answer();
    assert_eq!(answer["result"]["structuredContent"]["watermark_applied"], true, "{answer:#}");
    assert_eq!(text(&answer["result"], RELATED), id);
    assert_eq!(client.wire.told("elicitation/create").len(), 1);

    // Killed right after the answer, it has counted all the same.
    let id = client.create(marked(&asset));
    let mut held = client.hold(&id);
    let question = held.wait_for("elicitation/create");
    assert_eq!(client.respond(&question, yes()), 202);
    server.restart();
    client.wait_for(&id, "completed");
    let answer = client.resume(&held.last()).answer();
    assert_eq!(answer["result"]["structuredContent"]["render_id"], id);

    // The other answer is refused as if nothing had happened.
    let other = json!({ "render_id": id, "approved": false });
    client.refused("video_approve_watermark", other, "already_decided");
    // Answered by the tool, in a session of its own, after a kill.
    let id = client.create(marked(&asset));
    client.wait_for(&id, "input_required");
    server.restart();
    let stranger = server.connect_plain();
    stranger.told("video_approve_watermark", json!({ "render_id": id, "approved": true }));
    client.wait_for(&id, "completed");
    server.is_idle();
    assert_eq!(server.artifacts().len(), 6);
}

#[test]
fn what_was_not_asked_before_the_kill_is_asked_after_it() {
    let mut server = Server::default();
    let asset = server.short();
    let client = server.connect();
    let id = client.create(marked(&asset));
    let held = client.open("tasks/result", json!({ "taskId": id }));
    server.kill();
    drop(held);
    server.start();
    let mut held = client.hold(&id);
    let question = held.wait_for("elicitation/create");
    assert_eq!(text(&question["params"], RELATED), id);
    assert_eq!(client.respond(&question, yes()), 202);
    assert_eq!(held.answer()["result"]["structuredContent"]["render_id"], id);
    server.is_idle();
    assert_eq!(server.artifacts().len(), 2);
}

#[test]
fn a_stream_that_is_lost_at_any_event_goes_on_with_every_later_one_once() {
    let server = Server::default();
    let client = server.connect();
    let id = client.create(marked(&server.short()));
    client.wait_for(&id, "input_required");
    let meta = json!({ "progressToken": "held" });
    let mut held = client.open("tasks/result", json!({ "taskId": id, "_meta": meta }));
    let question = held.wait_for("elicitation/create");
    // Cut while somebody waits, and gone on with.
    let before = std::mem::take(&mut held.seen);
    let last = before.last().unwrap().id.clone().unwrap();
    held.cut();
    let mut resumed = client.resume(&last);
    assert_eq!(client.respond(&question, yes()), 202);
    resumed.answer();
    let all: Vec<_> = before.into_iter().chain(std::mem::take(&mut resumed.seen)).collect();
    assert!(all.len() > 3, "{all:#?}");
    for (at, event) in all.iter().enumerate() {
        let Some(after) = &event.id else { continue };
        if at + 1 == all.len() {
            // After the answer there is nothing to come back for, and it is said so.
            assert_eq!(client.with("last-event-id", after).raw("GET", "").0, 204);
            continue;
        }
        let mut again = client.resume(after);
        while again.event().is_some() {}
        let said = |events: &[product_tests::mcp::client::Event]| -> Vec<Value> {
            let messages = events.iter().map(|event| event.message.clone());
            messages.filter(|message| !message.is_null()).collect()
        };
        assert_eq!(said(&again.seen), said(&all[at + 1..]), "after event {at}");
    }
}
