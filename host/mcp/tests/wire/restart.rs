//! Another process over the same storage, and a storage that fails.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Client, start, until};

async fn create(client: &Client) -> String {
    let params = json!({ "name": "render", "task": {}, "_meta": { "progressToken": "p" } });
    client.result("tools/call", params).await["task"]["taskId"].as_str().unwrap().to_owned()
}

fn named(task: &str) -> Value {
    json!({ "taskId": task })
}

fn yes() -> Value {
    json!({ "action": "accept", "content": { "approved": true } })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_goes_on_with_what_was_agreed_on() {
    let server = start().await;
    let mut client = server.connect().await;
    client.result("resources/subscribe", json!({ "uri": "test://one" })).await;
    client.result("logging/setLevel", json!({ "level": "error" })).await;
    let mut thief = client.clone();
    thief.token = Some("thief".to_owned());
    let server = server.restart().await;
    server.adopt(&mut client);
    server.adopt(&mut thief);
    let stolen = thief.post(&json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })).await;
    assert_eq!(stolen.status, StatusCode::NOT_FOUND);
    let mut get = client.get().await;
    get.event().await;
    server.notifier.resource_updated("test://one", "all");
    assert_eq!(get.message().await["method"], "notifications/resources/updated");
    client.result("tools/call", json!({ "name": "chat", "arguments": { "n": 2 } })).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_to_the_old_request_counts() {
    let server = start().await;
    let mut client = server.connect().await;
    let mut get = client.get().await;
    get.event().await;
    let task = create(&client).await;
    server.product.question(&task);
    let asked = get.wait_for("elicitation/create").await;
    let server = server.restart().await;
    server.adopt(&mut client);
    assert_eq!(client.respond(&asked["id"], yes()).await, StatusCode::ACCEPTED);
    assert_eq!(server.product.answers().len(), 1);
    assert_eq!(client.result("tasks/get", named(&task)).await["status"], "working");
    let mut get = client.get().await;
    get.is_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pending_request_is_put_again_under_its_old_id_to_who_begins_anew() {
    let server = start().await;
    let mut client = server.connect().await;
    let task = create(&client).await;
    let mut held = client.open("tasks/result", named(&task)).await;
    held.event().await;
    server.product.question(&task);
    let asked = held.message().await;
    let server = server.restart().await;
    server.adopt(&mut client);
    let mut get = client.get().await;
    assert_eq!(get.wait_for("elicitation/create").await, asked);
    client.respond(&asked["id"], yes()).await;
    server.product.progress(&task, 0.5);
    let told = get.wait_for("notifications/progress").await;
    assert_eq!(told["params"]["progressToken"], "p", "the task is followed under its token");
    server.product.complete(&task);
    let mut status = json!("");
    while status != "completed" {
        let told = get.wait_for("notifications/tasks/status").await;
        status = told["params"]["status"].clone();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_read_a_request_and_resumes_is_not_asked_again_and_gets_the_result() {
    let server = start().await;
    let mut client = server.connect().await;
    let task = create(&client).await;
    let mut held = client.open("tasks/result", named(&task)).await;
    held.event().await;
    let primed = held.last.clone().unwrap();
    server.product.question(&task);
    let asked = held.message().await;
    let last = held.last.clone().unwrap();
    let server = server.restart().await;
    server.adopt(&mut client);
    let mut again = client.resume(&last).await.events();
    again.is_quiet().await;
    drop(again);
    let mut again = client.resume(&primed).await.events();
    assert_eq!(again.message().await, asked, "who has not read it reads it");
    client.respond(&asked["id"], yes()).await;
    server.product.complete(&task);
    let (answer, _) = again.answer().await;
    assert_eq!(answer["result"]["content"][0]["text"], "done", "the wait goes on");
    assert_eq!(answer["id"], {
        let mut whole = client.resume(&primed).await.events();
        whole.answer().await.0["id"].clone()
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answered_call_can_be_read_again_and_an_unfinished_one_is_said_to_have_died() {
    let server = start().await;
    let mut client = server.connect().await;
    let params = json!({ "name": "ask" });
    let mut answered = client.open("tools/call", params.clone()).await;
    let asked = answered.message().await;
    client.respond(&asked["id"], yes()).await;
    let (answer, _) = answered.answer().await;
    let mut unfinished = client.open("tools/call", params).await;
    unfinished.message().await;
    let server = server.restart().await;
    server.adopt(&mut client);
    let mut again = client.resume(&answered.seen[0].id).await.events();
    assert_eq!(again.answer().await.0, answer);
    let mut again = client.resume(&unfinished.seen[1].id).await.events();
    let (died, _) = again.answer().await;
    assert_eq!(died["error"]["code"], -32603);
    assert!(died["error"]["message"].as_str().unwrap().contains("started anew"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_being_stopped_says_so() {
    let server = start().await;
    let client = server.connect().await;
    let mut get = client.get().await;
    get.event().await;
    let running = tokio::spawn({
        let client = client.clone();
        let params = json!({ "name": "wait" });
        let call = json!({ "jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": params });
        async move { client.post(&call).await.status }
    });
    until("it runs", || server.product.events() == ["waiting"]).await;
    server.close();
    assert_eq!(running.await.unwrap(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(get.next().await, None);
    let reply = client.post(&json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })).await;
    assert_eq!(reply.status, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_stored_is_not_promised() {
    let server = start().await;
    let client = server.connect().await;
    let task = create(&client).await;
    server.storage.fill(true);
    assert_eq!(client.result("ping", json!({})).await, json!({}));
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
    let begin = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let reply = client.post(&begin).await;
    assert!(!reply.headers.contains_key("mcp-session-id"));
    assert_eq!(reply.json().await["error"]["code"], -32603);
    assert_eq!(client.error("resources/subscribe", json!({ "uri": "test://one" })).await, -32603);
    // An answer that cannot become a stream comes as it is, without what would have come before.
    let chat = json!({ "name": "chat", "arguments": { "n": 2 } });
    assert_eq!(client.result("tools/call", chat.clone()).await["isError"], false);
    assert_eq!(client.send(axum::http::Method::DELETE, "").await.status.as_u16(), 500);
    // Nobody is asked what is not stored; when there is room, all goes on.
    let mut get = client.get().await;
    get.event().await;
    server.product.question(&task);
    get.is_quiet().await;
    server.storage.fill(false);
    server.product.progress(&task, 0.5);
    let asked = get.wait_for("elicitation/create").await;
    client.respond(&asked["id"], yes()).await;
    assert_eq!(client.result("tasks/get", named(&task)).await["status"], "working");
    let (_, said) = client.open("tools/call", chat).await.answer().await;
    assert_eq!(said.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ended_session_stays_ended_whatever_still_goes_on_in_it() {
    let server = start().await;
    let mut clients = Vec::new();
    for _ in 0..20 {
        let client = server.connect().await;
        let task = create(&client).await;
        let held = client.open("tasks/result", named(&task)).await;
        server.product.question(&task);
        server.product.complete(&task);
        assert_eq!(
            client.send(axum::http::Method::DELETE, "").await.status,
            StatusCode::NO_CONTENT
        );
        drop(held);
        clients.push(client);
    }
    let server = server.restart().await;
    for client in &mut clients {
        server.adopt(client);
        let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
        assert_eq!(client.post(&ping).await.status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wait_is_resumed_from_progress_that_nobody_stored() {
    let server = start().await;
    let mut client = server.connect().await;
    let task = create(&client).await;
    let params = json!({ "taskId": task, "_meta": { "progressToken": 1 } });
    let mut held = client.open("tasks/result", params).await;
    server.product.progress(&task, 0.5);
    held.wait_for("notifications/progress").await;
    let last = held.last.clone().unwrap();
    server.clock.forward(std::time::Duration::from_secs(1));
    let server = server.restart().await;
    server.adopt(&mut client);
    let mut again = client.resume(&last).await.events();
    server.product.complete(&task);
    let (answer, _) = again.answer().await;
    assert_eq!(answer["result"]["content"][0]["text"], "done");
}
