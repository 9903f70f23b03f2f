//! The life of tasks as 2025-11-25 shows it.

use axum::http::StatusCode;
use mcp::{
    RpcError,
    model::{Outcome, ToolResult},
};
use serde_json::{Value, json};

use crate::support::{Client, start};

const RELATED: &str = "io.modelcontextprotocol/related-task";

async fn create(client: &Client) -> String {
    let params = json!({ "name": "render", "task": { "ttl": 60_000 } });
    let result = client.result("tools/call", params).await;
    result["task"]["taskId"].as_str().unwrap().to_owned()
}

fn named(task: &str) -> Value {
    json!({ "taskId": task })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_is_created_nested_and_read_flat() {
    let server = start().await;
    let client = server.connect().await;
    for task in [json!({}), json!({ "ttl": 5 }), json!({ "ttl": null })] {
        let created = client.result("tools/call", json!({ "name": "render", "task": task })).await;
        assert!(created.get("taskId").is_none() && created.get("content").is_none());
        assert_eq!(
            created["_meta"],
            json!({ "io.modelcontextprotocol/model-immediate-response": "It has begun." }),
        );
        let id = created["task"]["taskId"].as_str().unwrap();
        let expected = json!({
            "taskId": id,
            "status": "working",
            "statusMessage": "Working.",
            "createdAt": "2026-07-11T17:02:00.000Z",
            "lastUpdatedAt": "2026-07-11T17:02:00.000Z",
            "ttl": 60_000,
            "pollInterval": 1000,
        });
        assert_eq!(created["task"], expected);
        assert_eq!(client.result("tasks/get", named(id)).await, expected);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_end_has_its_status_and_its_result() {
    let server = start().await;
    let client = server.connect().await;
    let error = RpcError::new(7, "broken").with_data(json!({ "x": 1 }));
    for (outcome, status, text) in [
        (Outcome::Result(ToolResult::text("good")), "completed", Some(("good", false))),
        (Outcome::Result(ToolResult::error("bad")), "failed", Some(("bad", true))),
        (Outcome::Cancelled(ToolResult::error("gone")), "cancelled", Some(("gone", true))),
        (Outcome::Error(error.clone()), "failed", None),
    ] {
        let task = create(&client).await;
        let mut held = client.open("tasks/result", named(&task)).await;
        server.product.end(&task, outcome);
        assert_eq!(client.result("tasks/get", named(&task)).await["status"], status);
        let waited = held.answer().await.0;
        // The same for who asks afterwards, at once and as plain JSON.
        let asked = client.ask("tasks/result", named(&task)).await;
        for answer in [&waited, &asked] {
            match text {
                Some((text, is_error)) => {
                    assert_eq!(answer["result"]["content"][0]["text"], text);
                    assert_eq!(answer["result"]["isError"], is_error);
                    assert_eq!(answer["result"]["_meta"][RELATED], named(&task));
                }
                None => assert_eq!(answer["error"], json!(error)),
            }
        }
        assert_eq!(client.error("tasks/cancel", named(&task)).await, -32602);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelling_is_over_before_it_is_answered() {
    let server = start().await;
    let client = server.connect().await;
    let task = create(&client).await;
    let mut held = client.open("tasks/result", named(&task)).await;
    let cancelled = client.result("tasks/cancel", named(&task)).await;
    assert_eq!((&cancelled["status"], &cancelled["taskId"]), (&json!("cancelled"), &json!(task)));
    server.product.complete(&task);
    assert_eq!(client.result("tasks/get", named(&task)).await["status"], "cancelled");
    assert_eq!(held.answer().await.0["result"]["isError"], true);
    assert_eq!(client.error("tasks/cancel", named(&task)).await, -32602);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_foreign_task_is_an_unknown_task() {
    let server = start().await;
    let task = create(&server.connect_as("me", "2025-11-25").await).await;
    let them = server.connect_as("them", "2025-11-25").await;
    for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
        let foreign = them.ask(method, named(&task)).await;
        let unknown = them.ask(method, named("unknown")).await;
        assert_eq!(foreign["error"], unknown["error"]);
        assert_eq!(foreign["error"]["code"], -32602);
    }
    let mine = server.connect_as("me", "2025-11-25").await;
    assert_eq!(mine.result("tasks/get", named(&task)).await["status"], "working", "any session");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_before_there_is_a_task_is_an_error_of_the_protocol() {
    let server = start().await;
    let client = server.connect().await;
    let params = json!({ "name": "render", "arguments": { "fail": "yes" }, "task": {} });
    let message = json!({ "jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": params });
    let answer = client.post(&message).await.json().await;
    assert_eq!(answer["error"]["code"], -32602);
    assert_eq!(answer["error"]["data"]["request_id"], "99", "always a string");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stray_parameters_of_task_requests_are_ignored() {
    let server = start().await;
    let client = server.connect().await;
    let task = create(&client).await;
    let params = json!({ "taskId": task, "task": { "ttl": 1 }, "_meta": { RELATED: named("x") } });
    assert_eq!(client.result("tasks/get", params).await["taskId"], json!(task));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_is_forgotten_ends_its_waits() {
    let server = start().await;
    let client = server.connect().await;
    let task = create(&client).await;
    let mut held = client.open("tasks/result", named(&task)).await;
    server.product.forget(&task);
    assert_eq!(held.answer().await.0["error"]["code"], -32602);
    assert_eq!(client.error("tasks/get", named(&task)).await, -32602);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn status_is_told_on_the_standalone_stream_when_it_changes() {
    let server = start().await;
    let client = server.connect().await;
    let mut get = client.get().await;
    get.event().await;
    let task = create(&client).await;
    server.product.progress(&task, 0.1);
    server.product.question(&task);
    let asked = get.wait_for("elicitation/create").await;
    assert_eq!(get.message().await["params"]["status"], "input_required");
    client
        .respond(&asked["id"], json!({ "action": "accept", "content": { "approved": true } }))
        .await;
    assert_eq!(get.wait_for("notifications/tasks/status").await["params"]["status"], "working");
    server.product.complete(&task);
    let told = get.message().await;
    assert_eq!(told["method"], "notifications/tasks/status");
    assert_eq!(told["params"]["status"], "completed");
    assert_eq!(told["params"]["taskId"], json!(task));
    assert!(told["params"].get("_meta").is_none());
    get.is_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn progress_goes_to_each_under_its_own_token_and_stops_at_the_end() {
    let server = start().await;
    let client = server.connect().await;
    let mut get = client.get().await;
    get.event().await;
    let params = json!({ "name": "render", "task": {}, "_meta": { "progressToken": "create" } });
    let created = client.result("tools/call", params).await;
    let task = created["task"]["taskId"].as_str().unwrap().to_owned();
    server.product.progress(&task, 0.25);
    let told = get.message().await;
    assert_eq!(told["params"]["progressToken"], "create");
    assert_eq!(told["params"]["progress"], 0.25);
    assert_eq!(told["params"]["_meta"][RELATED], named(&task));

    let params = json!({ "taskId": task, "_meta": { "progressToken": 9 } });
    let mut held = client.open("tasks/result", params).await;
    assert_eq!(held.message().await["params"]["progressToken"], 9, "where it is now");
    server.product.progress(&task, 0.2);
    server.product.progress(&task, 0.5);
    let (one, two) = (held.message().await, held.message().await);
    let mut tokens =
        [one["params"]["progressToken"].clone(), two["params"]["progressToken"].clone()];
    tokens.sort_by_key(Value::to_string);
    assert_eq!(tokens, [json!("create"), json!(9)], "both where the task is waited for");
    assert!([one, two].iter().all(|m| m["params"]["progress"] == 0.5), "it never falls");
    server.product.complete(&task);
    let (_, before) = held.answer().await;
    assert!(before.is_empty());
    get.wait_for("notifications/tasks/status").await;
    get.is_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_token_there_is_no_progress() {
    let server = start().await;
    let client = server.connect().await;
    let mut get = client.get().await;
    let task = create(&client).await;
    let mut held = client.open("tasks/result", named(&task)).await;
    server.product.progress(&task, 0.5);
    held.is_quiet().await;
    get.is_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_wait_is_resumed_with_the_result() {
    let server = start().await;
    let client = server.connect().await;
    let task = create(&client).await;
    let mut held = client.open("tasks/result", named(&task)).await;
    held.event().await;
    let last = held.last.clone().unwrap();
    drop(held);
    server.product.complete(&task);
    let mut again = client.resume(&last).await.events();
    assert_eq!(again.answer().await.0["result"]["content"][0]["text"], "done");
    assert_eq!(client.resume(&again.last.unwrap()).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_waits_again_whenever_it_polls_can_still_do_other_things() {
    let server = start().await;
    let client = server.connect().await;
    let task = create(&client).await;
    let mut held = Vec::new();
    for _ in 0..80 {
        held.push(client.open("tasks/result", named(&task)).await);
    }
    server.product.question(&task);
    let asked = held.last_mut().unwrap().message().await;
    assert_eq!(asked["method"], "elicitation/create");
    client.respond(&asked["id"], json!({ "action": "decline" })).await;
    for mut held in held {
        let (answer, before) = held.answer().await;
        assert!(before.is_empty(), "asked once");
        assert_eq!(answer["result"]["isError"], true);
    }
}
