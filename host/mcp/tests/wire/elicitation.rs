//! Which stream carries what a task asks, and what becomes of the answers.

use std::time::Duration;

use axum::http::StatusCode;
use mcp::model::InputAnswer;
use serde_json::{Value, json};

use crate::support::{Client, Running, start, until};

const RELATED: &str = "io.modelcontextprotocol/related-task";

async fn create(client: &Client) -> String {
    let params = json!({ "name": "render", "task": {} });
    client.result("tools/call", params).await["task"]["taskId"].as_str().unwrap().to_owned()
}

fn named(task: &str) -> Value {
    json!({ "taskId": task })
}

fn yes() -> Value {
    json!({ "action": "accept", "content": { "approved": true } })
}

async fn status(client: &Client, task: &str) -> Value {
    client.result("tasks/get", named(task)).await["status"].clone()
}

fn accepted(server: &Running) -> usize {
    let answers = server.product.answers();
    answers
        .iter()
        .filter(|(_, _, a)| *a == InputAnswer::Accept(json!({ "approved": true })))
        .count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_get_stream_is_open() {
    let server = start().await;
    let client = server.connect().await;
    let mut get = client.get().await;
    get.event().await;
    let task = create(&client).await;
    server.product.question(&task);
    let asked = get.message().await;
    assert_eq!(asked["method"], "elicitation/create");
    assert!(asked["id"].is_string());
    assert!(asked["params"].get("mode").is_none(), "older clients know no modes");
    assert_eq!(asked["params"]["_meta"][RELATED], named(&task));
    assert_eq!(status(&client, &task).await, "input_required");
    assert_eq!(client.respond(&asked["id"], yes()).await, StatusCode::ACCEPTED);
    assert_eq!(status(&client, &task).await, "working");
    server.product.complete(&task);
    assert_eq!(client.result("tasks/result", named(&task)).await["isError"], false);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_wait_is_open() {
    let server = start().await;
    let client = server.connect().await;
    let task = create(&client).await;
    server.product.question(&task);
    let mut held = client.open("tasks/result", named(&task)).await;
    let asked = held.message().await;
    assert_eq!(asked["params"]["_meta"][RELATED], named(&task));
    client.respond(&asked["id"], yes()).await;
    server.product.complete(&task);
    assert_eq!(held.answer().await.0["result"]["content"][0]["text"], "done");
    assert_eq!(accepted(&server), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_are_open_and_one_carries_it() {
    let server = start().await;
    let client = server.connect().await;
    let mut get = client.get().await;
    get.event().await;
    let task = create(&client).await;
    let mut held = client.open("tasks/result", named(&task)).await;
    held.event().await;
    server.product.question(&task);
    let asked = held.message().await;
    assert_eq!(asked["method"], "elicitation/create");
    // A client that opens the wait again and again is not asked again and again.
    let mut again = client.open("tasks/result", named(&task)).await;
    again.is_quiet().await;
    assert_eq!(get.message().await["method"], "notifications/tasks/status");
    get.is_quiet().await;
    client.respond(&asked["id"], yes()).await;
    server.product.complete(&task);
    for stream in [&mut held, &mut again] {
        assert_eq!(stream.answer().await.1, Vec::<Value>::new());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_open_and_the_first_that_opens_carries_it() {
    let server = start().await;
    let client = server.connect().await;
    let task = create(&client).await;
    server.product.question(&task);
    tokio::time::sleep(Duration::from_millis(100)).await;
    let mut get = client.get().await;
    let asked = get.wait_for("elicitation/create").await;
    let mut held = client.open("tasks/result", named(&task)).await;
    held.is_quiet().await;
    client.respond(&asked["id"], yes()).await;
    assert_eq!(accepted(&server), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dead_carrier_hands_over_the_same_request() {
    let server = start().await;
    let client = server.connect().await;
    let mut get = client.get().await;
    get.event().await;
    let task = create(&client).await;
    let mut held = client.open("tasks/result", named(&task)).await;
    held.event().await;
    let primed = held.last.clone().unwrap();
    server.product.question(&task);
    let asked = held.message().await;
    drop(held);
    let moved = get.wait_for("elicitation/create").await;
    assert_eq!(moved, asked, "the same id, the same words");
    // Who resumes the old stream is not asked a second time.
    let mut old = client.resume(&primed).await.events();
    old.is_quiet().await;
    drop(get);
    let mut new = client.get().await;
    new.is_quiet().await;
    drop(old);
    drop(new);
    tokio::time::sleep(Duration::from_millis(200)).await;
    let mut wait = client.open("tasks/result", named(&task)).await;
    assert_eq!(wait.message().await, asked, "and again");
    client.respond(&asked["id"], yes()).await;
    server.product.complete(&task);
    assert_eq!(wait.answer().await.0["result"]["isError"], false);
    assert_eq!(accepted(&server), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_comes_back_in_time_is_not_asked_twice() {
    let config =
        mcp::Config { carrier_grace: Duration::from_millis(600), ..crate::support::quick() };
    let server = crate::support::start_with(config).await;
    let client = server.connect().await;
    let mut get = client.get().await;
    get.event().await;
    let task = create(&client).await;
    let mut held = client.open("tasks/result", named(&task)).await;
    held.event().await;
    server.product.question(&task);
    let asked = held.message().await;
    let last = held.last.clone().unwrap();
    drop(held);
    tokio::time::sleep(Duration::from_millis(100)).await;
    let mut back = client.resume(&last).await.events();
    back.is_quiet().await;
    assert_eq!(get.message().await["method"], "notifications/tasks/status");
    tokio::time::sleep(Duration::from_millis(500)).await;
    get.is_quiet().await;
    client.respond(&asked["id"], yes()).await;
    server.product.complete(&task);
    back.answer().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_answer_changes_nothing() {
    let server = start().await;
    let client = server.connect().await;
    let mut get = client.get().await;
    let task = create(&client).await;
    server.product.question(&task);
    let asked = get.wait_for("elicitation/create").await;
    for result in [yes(), yes(), json!({ "action": "decline" })] {
        assert_eq!(client.respond(&asked["id"], result).await, StatusCode::ACCEPTED);
    }
    assert_eq!(server.product.answers().len(), 1);
    assert_eq!(status(&client, &task).await, "working");
    // Nor does an answer to what was never asked, or in a session that was not asked.
    assert_eq!(client.respond(&json!("x"), yes()).await, StatusCode::ACCEPTED);
    assert_eq!(client.respond(&json!(5), yes()).await, StatusCode::ACCEPTED);
    let task = create(&client).await;
    server.product.question(&task);
    let asked = get.wait_for("elicitation/create").await;
    server.connect().await.respond(&asked["id"], yes()).await;
    assert_eq!(status(&client, &task).await, "input_required");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_of_the_wrong_shape_is_refused_and_the_right_one_still_counts() {
    let server = start().await;
    let client = server.connect().await;
    let mut get = client.get().await;
    let task = create(&client).await;
    server.product.question(&task);
    let asked = get.wait_for("elicitation/create").await;
    for wrong in [json!({}), json!({ "action": "maybe" }), json!({ "action": 1 }), json!("accept")]
    {
        let status = client.respond(&asked["id"], wrong).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
    }
    assert!(server.product.answers().is_empty());
    client.respond(&asked["id"], yes()).await;
    assert_eq!(status(&client, &task).await, "working");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn declining_and_accepting_without_content_reach_the_product() {
    let server = start().await;
    let client = server.connect().await;
    let mut get = client.get().await;
    for (result, answer) in [
        (json!({ "action": "decline" }), InputAnswer::Decline),
        (json!({ "action": "cancel" }), InputAnswer::Cancel),
        (json!({ "action": "accept" }), InputAnswer::Accept(json!({}))),
        (
            json!({ "action": "accept", "content": { "approved": 1 } }),
            InputAnswer::Accept(json!({ "approved": 1 })),
        ),
    ] {
        let task = create(&client).await;
        server.product.question(&task);
        let asked = get.wait_for("elicitation/create").await;
        client.respond(&asked["id"], result).await;
        assert_eq!(server.product.answers().last().unwrap(), &(task, "q1".to_owned(), answer));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dismissed_question_is_put_again_only_to_who_attends_and_under_a_new_id() {
    let server = start().await;
    let client = server.connect().await;
    let mut get = client.get().await;
    let task = create(&client).await;
    server.product.question(&task);
    let first = get.wait_for("elicitation/create").await;
    client.respond(&first["id"], json!({ "action": "cancel" })).await;
    assert_eq!(status(&client, &task).await, "input_required");
    get.wait_for("notifications/tasks/status").await;
    get.is_quiet().await;
    let mut held = client.open("tasks/result", named(&task)).await;
    // GET is open too, and the wait may be a moment later.
    let second = tokio::select! {
        asked = held.message() => asked,
        asked = get.message() => asked,
    };
    assert_eq!(second["method"], "elicitation/create");
    assert_ne!(second["id"], first["id"]);
    client.respond(&second["id"], yes()).await;
    assert_eq!(status(&client, &task).await, "working");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_cannot_ask_is_not_asked_again() {
    let server = start().await;
    let client = server.connect().await;
    let mut get = client.get().await;
    let task = create(&client).await;
    server.product.question(&task);
    let asked = get.wait_for("elicitation/create").await;
    let error = json!({ "code": -32601, "message": "no" });
    let message = json!({ "jsonrpc": "2.0", "id": asked["id"], "error": error });
    assert_eq!(client.post(&message).await.status, StatusCode::ACCEPTED);
    assert!(matches!(server.product.answers()[0].2, InputAnswer::Unable(_)));
    get.wait_for("notifications/tasks/status").await;
    let other = create(&client).await;
    server.product.question(&other);
    assert_eq!(get.message().await["method"], "notifications/tasks/status");
    get.is_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_not_said_that_it_can_is_never_asked() {
    let server = start().await;
    for can in [json!({}), json!({ "elicitation": { "url": {} } })] {
        let mut client = server.client();
        client.initialize("2025-11-25", can).await;
        let mut get = client.get().await;
        get.event().await;
        let task = create(&client).await;
        server.product.question(&task);
        assert_eq!(get.message().await["method"], "notifications/tasks/status");
        let call = json!({ "name": "ask" });
        let said = client.result("tools/call", call).await;
        assert_eq!(said["content"][0]["text"], "the client cannot be asked this");
        get.is_quiet().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_that_was_settled_elsewhere_is_taken_back() {
    let server = start().await;
    let client = server.connect().await;
    let task = create(&client).await;
    let mut held = client.open("tasks/result", named(&task)).await;
    held.event().await;
    server.product.question(&task);
    let asked = held.message().await;
    server.product.complete(&task);
    let (answer, before) = held.answer().await;
    assert_eq!(answer["result"]["isError"], false);
    assert_eq!(before.len(), 1);
    assert_eq!(before[0]["method"], "notifications/cancelled");
    assert_eq!(before[0]["params"]["requestId"], asked["id"]);
    assert_eq!(client.respond(&asked["id"], yes()).await, StatusCode::ACCEPTED);
    assert!(server.product.answers().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_waiting_call_carries_the_question_on_its_own_stream() {
    let server = start().await;
    for revision in ["2025-11-25", "2025-06-18"] {
        let client = server.connect_as("somebody", revision).await;
        let mut get = client.get().await;
        let started = client.result("tools/call", json!({ "name": "render" })).await;
        let task = started["content"][0]["text"].as_str().unwrap().to_owned();
        server.product.question(&task);
        let look =
            |ms: u64| json!({ "name": "status", "arguments": { "task": task, "wait_ms": ms } });
        let mut call = client.open("tools/call", look(5_000)).await;
        let asked = call.message().await;
        assert_eq!(asked["method"], "elicitation/create");
        assert_eq!(asked["params"]["_meta"][RELATED], named(&task));
        if revision == "2025-11-25" {
            let told = get.message().await;
            assert_eq!(told["method"], "notifications/tasks/status", "it is followed from now on");
        }
        get.is_quiet().await;
        client.respond(&asked["id"], yes()).await;
        let (answer, _) = call.answer().await;
        assert_eq!(answer["result"]["content"][0]["text"], "looked", "the answer woke it");
    }
    assert_eq!(accepted(&server), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wait_that_reached_its_limit_is_no_dead_carrier() {
    let server = start().await;
    let client = server.connect().await;
    let started = client.result("tools/call", json!({ "name": "render" })).await;
    let task = started["content"][0]["text"].as_str().unwrap().to_owned();
    server.product.question(&task);
    let look = json!({ "name": "status", "arguments": { "task": task, "wait_ms": 300 } });
    let mut call = client.open("tools/call", look.clone()).await;
    let asked = call.message().await;
    call.answer().await;
    let mut get = client.get().await;
    get.is_quiet().await;
    let (_, before) = client.open("tools/call", look).await.answer().await;
    assert!(before.is_empty(), "it is asked already");
    client.respond(&asked["id"], yes()).await;
    assert_eq!(accepted(&server), 1, "a late answer counts");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_can_ask_and_wait() {
    let server = start().await;
    let client = server.connect().await;
    let mut call = client.open("tools/call", json!({ "name": "ask" })).await;
    let asked = call.message().await;
    assert!(asked["params"].get("_meta").is_none());
    client.respond(&asked["id"], json!({ "action": "decline" })).await;
    assert_eq!(call.answer().await.0["result"]["content"][0]["text"], "decline");
    // A question whose call was cancelled is forgotten.
    let message =
        json!({ "jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": { "name": "ask" } });
    let mut call = client.post(&message).await.events();
    let asked = call.message().await;
    client.notify("notifications/cancelled", json!({ "requestId": "a" })).await;
    assert_eq!(call.next().await, None);
    assert_eq!(client.respond(&asked["id"], yes()).await, StatusCode::ACCEPTED);
    until("nothing came of it", || server.product.answers().is_empty()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_the_product_could_not_take_can_be_given_again() {
    let server = start().await;
    let client = server.connect().await;
    let mut get = client.get().await;
    let task = create(&client).await;
    server.product.question(&task);
    let asked = get.wait_for("elicitation/create").await;
    server.product.break_down(true);
    let status_now = client.respond(&asked["id"], yes()).await;
    assert_eq!(status_now, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(status(&client, &task).await, "input_required");
    server.product.break_down(false);
    assert_eq!(client.respond(&asked["id"], yes()).await, StatusCode::ACCEPTED);
    assert_eq!(status(&client, &task).await, "working");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answered_question_is_not_taken_back_as_well() {
    let server = start().await;
    let client = server.connect().await;
    let mut get = client.get().await;
    for _ in 0..20 {
        let task = create(&client).await;
        server.product.question(&task);
        let asked = get.wait_for("elicitation/create").await;
        client.respond(&asked["id"], yes()).await;
        server.product.complete(&task);
        loop {
            let message = get.message().await;
            assert_eq!(message["method"], "notifications/tasks/status");
            if message["params"]["status"] == "completed" {
                break;
            }
        }
    }
}
