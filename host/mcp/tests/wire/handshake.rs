//! Beginning, using and ending sessions.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Client, quick, start, start_with};

async fn status_of(client: &Client) -> StatusCode {
    client.post(&json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })).await.status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_revision_gets_what_it_has() {
    let server = start().await;
    for (asked, agreed, tasks) in [
        ("2025-11-25", "2025-11-25", true),
        ("2025-06-18", "2025-06-18", false),
        ("2025-03-26", "2025-03-26", false),
        ("2026-07-28", "2025-11-25", true),
        ("1999-01-01", "2025-11-25", true),
    ] {
        let mut client = server.client();
        let result = client.initialize(asked, json!({})).await;
        assert_eq!(result["protocolVersion"], agreed);
        let declared = result.pointer("/capabilities/tasks/requests/tools/call");
        assert_eq!(declared, tasks.then_some(&json!({})));
        assert!(result.pointer("/capabilities/tasks/list").is_none());
        assert_eq!(result["serverInfo"]["title"], "Test");
        assert_eq!(result["instructions"], "Use it.");

        let tools = client.result("tools/list", json!({ "cursor": "2" })).await;
        let support = |name: &str| {
            let tools = tools["tools"].as_array().unwrap();
            let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
            tool.pointer("/execution/taskSupport").cloned()
        };
        assert_eq!(support("render"), tasks.then(|| json!("optional")));
        assert_eq!(support("status"), None);
        if !tasks {
            assert_eq!(client.error("tasks/get", json!({ "taskId": "x" })).await, -32601);
            // Where there are no tasks the wish for one is ignored.
            let call = json!({ "name": "render", "task": { "ttl": 1 } });
            let result = client.result("tools/call", call).await;
            assert!(result["content"][0]["text"].as_str().unwrap().starts_with("task"));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_have_pages_and_no_other() {
    let server = start().await;
    let client = server.connect().await;
    let first = client.result("tools/list", json!({})).await;
    assert_eq!(first["nextCursor"], "2");
    let second = client.result("tools/list", json!({ "cursor": "2" })).await;
    assert!(second.get("nextCursor").is_none());
    assert_eq!(client.error("tools/list", json!({ "cursor": "3" })).await, -32602);
    assert_eq!(client.error("tools/list", json!({ "cursor": 2 })).await, -32602);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn session_ids_are_visible_and_never_the_same() {
    let server = start().await;
    let (one, two) = (server.connect().await, server.connect().await);
    let (one, two) = (one.session.unwrap(), two.session.unwrap());
    assert_ne!(one, two);
    assert!(one.len() >= 32 && one.bytes().all(|b| (0x21..=0x7e).contains(&b)), "{one}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_belongs_to_who_began_it() {
    let server = start().await;
    let mine = server.connect_as("me", "2025-11-25").await;
    let mut theirs = mine.clone();
    theirs.token = Some("them".to_owned());
    for method in [Method::POST, Method::GET, Method::DELETE] {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let foreign = theirs.send(method.clone(), body).await;
        let mut unknown = theirs.clone();
        unknown.session = Some("unknown".to_owned());
        let unknown = unknown.send(method, body).await;
        assert_eq!(foreign.status, StatusCode::NOT_FOUND);
        assert_eq!(foreign.status, unknown.status);
        assert_eq!(foreign.bytes().await, unknown.bytes().await, "nothing tells them apart");
    }
    assert_eq!(status_of(&mine).await, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn delete_ends_a_session_and_all_that_it_holds() {
    let server = start().await;
    let client = server.connect().await;
    let mut stream = client.get().await;
    let mut waiting = client.open("tools/call", json!({ "name": "wait" })).await;
    assert_eq!(client.send(Method::DELETE, "").await.status, StatusCode::NO_CONTENT);
    assert_eq!(stream.next().await, None);
    assert_eq!(waiting.next().await, None);
    assert_eq!(status_of(&client).await, StatusCode::NOT_FOUND);
    assert_eq!(client.send(Method::DELETE, "").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn initialize_leaves_a_named_session_alone() {
    let server = start().await;
    let live = server.connect().await;
    for named in [live.session.clone(), Some("stale".to_owned())] {
        let mut client = live.clone();
        client.session = named.clone();
        client.initialize("2025-06-18", json!({})).await;
        assert_ne!(client.session, named, "a new session");
    }
    let tools = live.result("tools/list", json!({ "cursor": "2" })).await;
    assert!(tools.to_string().contains("taskSupport"), "the old one keeps its revision");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_ends_when_it_is_not_used() {
    let server = start().await;
    let (idle, reading) = (server.connect().await, server.connect().await);
    let mut stream = reading.get().await;
    for _ in 0..3 {
        server.clock.forward(quick().session_idle / 2);
        tokio::time::sleep(Duration::from_millis(150)).await;
    }
    assert_eq!(status_of(&idle).await, StatusCode::NOT_FOUND);
    assert_eq!(status_of(&reading).await, StatusCode::OK, "who reads is there");
    stream.is_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_longest_unused_session_makes_room_and_a_used_one_does_not() {
    let server = start_with(mcp::Config { max_sessions: 2, ..quick() }).await;
    let first = server.connect().await;
    server.clock.forward(Duration::from_secs(1));
    let second = server.connect().await;
    let _stream = first.get().await;
    let other = server.connect_as("other", "2025-11-25").await;
    let third = server.connect().await;
    assert_eq!(status_of(&second).await, StatusCode::NOT_FOUND);
    for client in [&first, &other, &third] {
        assert_eq!(status_of(client).await, StatusCode::OK);
    }
    let _stream = third.get().await;
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
    let refused = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let reply = first.post(&refused).await;
    assert_eq!(reply.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(reply.headers.contains_key("retry-after"));
    assert_eq!(reply.json().await["id"], 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_may_read_what_its_origin_is_allowed() {
    let server = start().await;
    let page = server.connect().await.with("origin", "http://localhost:6274");
    let preflight = page.send(Method::OPTIONS, "").await;
    assert_eq!(preflight.status, StatusCode::NO_CONTENT);
    let allowed = preflight.headers["access-control-allow-headers"].to_str().unwrap();
    for name in ["Mcp-Session-Id", "MCP-Protocol-Version", "Last-Event-ID", "Authorization"] {
        assert!(allowed.contains(name), "{name}");
    }
    let reply = page.post(&json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })).await;
    assert_eq!(reply.headers["access-control-allow-origin"], "http://localhost:6274");
    assert!(reply.headers["access-control-expose-headers"].to_str().unwrap().contains("Session"));
    assert_eq!(reply.json().await["result"], json!({}));
    let plain = server.connect().await;
    let reply = plain.post(&json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })).await;
    assert!(!reply.headers.contains_key("access-control-allow-origin"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ids_come_back_in_their_type() {
    let server = start().await;
    let client = server.connect().await;
    for id in [json!(0), json!(-5), json!("5"), json!(""), json!(9_007_199_254_740_993_u64)] {
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
        let answer: Value = client.post(&message).await.json().await;
        assert_eq!(answer, json!({ "jsonrpc": "2.0", "id": id, "result": {} }));
    }
}
