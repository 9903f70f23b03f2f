//! Resources and who is told of them.

use axum::http::StatusCode;
use serde_json::json;

use crate::support::{quick, start, start_with};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_read_is_plain_json_and_leaves_no_trace_in_the_log() {
    let server = start_with(mcp::Config { log_bytes: 50_000, ..quick() }).await;
    let client = server.connect().await;
    let params = json!({ "name": "chat", "arguments": { "n": 2 } });
    let mut stream = client.open("tools/call", params).await;
    stream.answer().await;
    let read = client.result("resources/read", json!({ "uri": "test://one" })).await;
    assert_eq!(read["contents"][0]["text"].as_str().unwrap().len(), 100_000);
    let resumed = client.resume(&stream.seen[0].id).await;
    assert_eq!(resumed.status, StatusCode::OK, "nothing was pushed out");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists() {
    let server = start().await;
    let client = server.connect().await;
    let resources = client.result("resources/list", json!({})).await;
    assert_eq!(resources, json!({ "resources": [{ "uri": "test://one", "name": "one" }] }));
    let templates = client.result("resources/templates/list", json!({})).await;
    assert_eq!(templates, json!({ "resourceTemplates": [] }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn subscribers_are_told_and_nobody_else() {
    let server = start().await;
    let me = server.connect_as("me", "2025-11-25").await;
    let them = server.connect_as("them", "2025-11-25").await;
    let (mut mine, mut theirs) = (me.get().await, them.get().await);
    mine.event().await;
    theirs.event().await;
    let subscribe = json!({ "uri": "test://one" });
    assert_eq!(me.result("resources/subscribe", subscribe.clone()).await, json!({}));
    assert_eq!(me.error("resources/subscribe", json!({ "uri": "test://them" })).await, -32002);
    server.notifier.resource_updated("test://one", "all");
    let told = mine.message().await;
    assert_eq!(told["method"], "notifications/resources/updated");
    assert_eq!(told["params"], subscribe);
    theirs.is_quiet().await;
    // What the product says is not for this principal.
    server.notifier.resource_updated("test://one", "them");
    server.notifier.resources_changed("them");
    mine.is_quiet().await;
    assert_eq!(theirs.message().await["method"], "notifications/resources/list_changed");
    assert_eq!(me.result("resources/unsubscribe", subscribe.clone()).await, json!({}));
    assert_eq!(me.result("resources/unsubscribe", subscribe).await, json!({}), "twice is fine");
    server.notifier.resource_updated("test://one", "all");
    mine.is_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn subscriptions_are_limited() {
    let server = start_with(mcp::Config { max_subscriptions: 1, ..quick() }).await;
    let client = server.connect().await;
    client.result("resources/subscribe", json!({ "uri": "test://one" })).await;
    client.result("resources/subscribe", json!({ "uri": "test://one" })).await;
    let other = json!({ "uri": "test://somebody" });
    assert_eq!(client.error("resources/subscribe", other.clone()).await, 429);
    client.result("resources/unsubscribe", json!({ "uri": "test://one" })).await;
    client.result("resources/subscribe", other).await;
}
