//! `notifications/cancelled` and connections that end.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Client, start, until};

fn call(id: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "wait" } })
}

async fn cancel(client: &Client, id: Value) {
    client.notify("notifications/cancelled", json!({ "requestId": id, "reason": "enough" })).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_call_hears_of_it_and_is_not_answered() {
    let server = start().await;
    let client = server.connect().await;
    let mut held = client.post(&call(json!(40))).await.events();
    held.event().await;
    let primed = held.last.clone().unwrap();
    cancel(&client, json!("40")).await;
    held.is_quiet().await;
    cancel(&client, json!(40)).await;
    assert_eq!(held.next().await, None);
    until("the call hears of it", || server.product.events() == ["waiting", "cancelled"]).await;
    assert_eq!(client.resume(&primed).await.status, StatusCode::NO_CONTENT, "nobody loops on it");
    cancel(&client, json!(40)).await;
    client.result("ping", json!({})).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_cancelled_before_its_answer_became_a_stream_ends_without_one() {
    let server = start().await;
    let client = server.connect().await;
    let held = tokio::spawn({
        let client = client.clone();
        async move { client.post(&call(json!("c"))).await.status }
    });
    until("it runs", || server.product.events() == ["waiting"]).await;
    cancel(&client, json!("c")).await;
    assert_eq!(held.await.unwrap(), StatusCode::ACCEPTED);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_session_itself_can_cancel() {
    let server = start().await;
    let client = server.connect().await;
    let mut held = client.post(&call(json!(1))).await.events();
    cancel(&server.connect().await, json!(1)).await;
    held.is_quiet().await;
    server.product.go();
    held.answer().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_connection_cancels_nothing() {
    let server = start().await;
    let client = server.connect().await;
    let held = client.post(&call(json!(1))).await.events();
    drop(held);
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    server.product.go();
    until("it goes on", || server.product.events() == ["waiting", "gone on"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn giving_up_a_wait_leaves_the_task_alone() {
    let server = start().await;
    let client = server.connect().await;
    let task = server.product.begin("somebody");
    let wait = |id: u64| {
        let params = json!({ "taskId": task });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tasks/result", "params": params })
    };
    let mut given_up = client.post(&wait(1)).await.events();
    let mut held = client.post(&wait(2)).await.events();
    cancel(&client, json!(1)).await;
    assert_eq!(given_up.next().await, None);
    let now = client.result("tasks/get", json!({ "taskId": task })).await;
    assert_eq!(now["status"], "working");
    server.product.complete(&task);
    assert_eq!(held.answer().await.0["result"]["content"][0]["text"], "done");
}
