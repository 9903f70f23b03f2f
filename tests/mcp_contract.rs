//! What agents meet on the wire: the seven assertions of the contract on captured traffic, and
//! every shape as it is kept in `golden/`.

use product_tests::mcp::schema::takes;
use product_tests::mcp::server::{marked, plain, yes};
use product_tests::mcp::{Client, RELATED, Said, Server, golden, text, until};
use serde_json::{Value, json};

fn named(id: &str) -> Value {
    json!({ "taskId": id })
}

/// A whole render as a task: created, polled, paused, answered on the held call, ended.
struct Whole {
    client: Client,
    id: String,
    created: Value,
    working: Value,
    paused: Value,
    question: Value,
    result: Value,
    completed: Value,
}

fn whole(server: &Server) -> Whole {
    let client = server.connect();
    let asset = server.short();
    let created = client.ask(
        "tools/call",
        json!({
            "name": "video_render",
            "arguments": marked(&asset),
            "task": { "ttl": 7_200_000 },
            "_meta": { "progressToken": "created" },
        }),
    );
    let id = text(&created, "/result/task/taskId").to_owned();
    let working = client.ask("tasks/get", named(&id));
    client.wait_for(&id, "input_required");
    let paused = client.ask("tasks/get", named(&id));
    let mut held =
        client.open("tasks/result", json!({ "taskId": id, "_meta": { "progressToken": "held" } }));
    let question = held.wait_for("elicitation/create");
    assert_eq!(client.respond(&question, yes()), 202);
    let result = held.answer();
    let completed = client.ask("tasks/get", named(&id));
    Whole { client, id, created, working, paused, question, result, completed }
}

#[test]
fn a_render_as_a_task() {
    let server = Server::default();
    let whole = whole(&server);
    let Whole { client, id, .. } = &whole;
    let id = id.as_str();

    // A1: declared at both levels, as nested objects.
    assert_eq!(client.server["capabilities"]["tasks"]["requests"]["tools"]["call"], json!({}));
    assert_eq!(client.server["capabilities"]["tasks"]["cancel"], json!({}));
    assert!(client.server["capabilities"]["tasks"].get("list").is_none());
    let tool = |name: &str| {
        let tools = client.tools.as_array().unwrap();
        tools.iter().find(|tool| tool["name"] == name).unwrap()["execution"]["taskSupport"].clone()
    };
    assert_eq!(tool("video_render"), "optional");
    for name in ["video_get_render_status", "video_approve_watermark", "video_cancel_render"] {
        assert!(matches!(tool(name).as_str(), None | Some("forbidden")), "{name}");
    }

    // A2: native fields and statuses.
    let native =
        ["taskId", "status", "statusMessage", "createdAt", "lastUpdatedAt", "ttl", "pollInterval"];
    let task = &whole.created["result"]["task"];
    for (task, status) in [
        (task, "working"),
        (&whole.working["result"], "working"),
        (&whole.paused["result"], "input_required"),
        (&whole.completed["result"], "completed"),
    ] {
        assert_eq!(task["status"], status);
        assert_eq!(task["taskId"], id);
        assert_eq!(task["ttl"], 7_200_000);
        let known = |key: &String| native.contains(&key.as_str());
        assert!(task.as_object().unwrap().keys().all(known), "{task:#}");
    }

    // A3: nested where it is created, flat where it is read; neither names itself again.
    assert!(whole.created["result"].get("taskId").is_none());
    for answer in [&whole.working, &whole.paused, &whole.completed] {
        assert!(answer["result"].get("task").is_none() && answer["result"].get("_meta").is_none());
    }

    // A4: progress bears the tokens that the client gave and no other.
    let progress = client.wire.told("notifications/progress");
    assert!(!progress.is_empty(), "no progress");
    for told in &progress {
        let token = text(told, "/params/progressToken");
        assert!(["created", "held"].contains(&token), "{told:#}");
        assert_eq!(text(&told["params"], RELATED), id);
    }
    for token in ["created", "held"] {
        let told = progress.iter().filter(|told| told["params"]["progressToken"] == token);
        let values: Vec<f64> =
            told.map(|told| told["params"]["progress"].as_f64().unwrap()).collect();
        assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{token}: {values:?}");
    }

    // A5: the pause, the held call and the question on it; then the same call ends.
    assert_eq!(text(&whole.question["params"], RELATED), id);
    assert_eq!(text(&whole.result["result"], RELATED), id);
    let asked: Vec<Said> = client
        .wire
        .all()
        .into_iter()
        .filter(|said| said.message["method"] == "elicitation/create")
        .collect();
    assert_eq!(asked.len(), 1, "{asked:#?}");
    assert_eq!(asked[0].on, "tasks/result");

    // A7: what is native is spelled so, what is ours is not, and conventions are namespaced.
    for said in client.wire.all().iter().filter(|said| said.by_server) {
        spelled(&said.message);
    }

    golden::check("create", &whole.created, &[]);
    golden::check("poll", &whole.working, &["/result/statusMessage"]);
    golden::check("pause", &whole.paused, &[]);
    golden::check("elicitation", &whole.question, &[]);
    golden::check("result", &whole.result, &[]);
    golden::check("poll_completed", &whole.completed, &[]);
    let shape = json!({ "initialize": client.server, "tools": client.tools });
    golden::check("surface", &shape, &[]);
    resources(client, id);
}

/// Demands that native messages hold no word of ours outside of what is ours.
fn spelled(message: &Value) {
    fn keys(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::Object(map) => map.iter().for_each(|(key, value)| {
                let ours = ["structuredContent", "inputSchema", "outputSchema", "requestedSchema"];
                if key == "_meta" {
                    let names = value.as_object().unwrap().keys();
                    names.for_each(|name| {
                        assert!(name.contains('/') || name == "progressToken", "{name}");
                    });
                } else if !ours.contains(&key.as_str()) && key != "data" {
                    into.push(key.clone());
                    keys(value, into);
                }
            }),
            Value::Array(items) => items.iter().for_each(|item| keys(item, into)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    keys(message, &mut found);
    found.retain(|key| key.contains('_'));
    assert_eq!(found, Vec::<String>::new(), "{message:#}");
    fn snake(value: &Value) {
        match value {
            Value::Object(map) => map.iter().for_each(|(key, value)| {
                assert!(!key.contains(|c: char| c.is_ascii_uppercase()), "{key}");
                snake(value);
            }),
            Value::Array(items) => items.iter().for_each(snake),
            _ => {}
        }
    }
    if let Some(ours) = message.pointer("/result/structuredContent") {
        snake(ours);
    }
}

/// The film and the preview as resources.
fn resources(client: &Client, id: &str) {
    let list = client.ask("resources/list", json!({}));
    golden::check("resources", &list, &[]);
    golden::check("templates", &client.ask("resources/templates/list", json!({})), &[]);
    let film = format!("video://renders/{id}/output");
    golden::check("read", &client.ask("resources/read", json!({ "uri": film })), &[]);
    let summary = client.result("resources/read", json!({ "uri": "video://server/capabilities" }));
    let summary = text(&summary, "/contents/0/text").to_owned();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    golden::check("capabilities", &summary, &[]);
    let missing = json!({ "uri": "video://renders/render_none/output" });
    let error = client.error("resources/read", missing);
    assert_eq!(error["code"], -32002, "{error}");
}

#[test]
fn a_read_that_is_too_large_says_where_the_file_is() {
    let server = Server::new("[server]\ninline_bytes = 1000\n");
    let client = server.connect();
    let id = client.create(plain(&server.short()));
    client.wait_for(&id, "completed");
    let uri = format!("video://renders/{id}/output");
    let answer = client.ask("resources/read", json!({ "uri": uri }));
    golden::check("read_too_large", &answer, &["/error/message"]);
    let (status, film) = client.fetch(text(&answer, "/error/data/details/download_url"));
    assert_eq!(status, 200);
    assert_eq!(Some(film.len() as u64), answer["error"]["data"]["details"]["bytes"].as_u64());
}

#[test]
fn a_render_by_the_fallback_tools() {
    let server = Server::new("[renders]\nconcurrency = 1\n");
    let client = server.connect_plain();
    let (short, long) = (server.short(), server.long());
    let call = |name: &str, arguments: Value| {
        client.ask("tools/call", json!({ "name": name, "arguments": arguments }))
    };
    let status = |id: &str| call("video_get_render_status", json!({ "render_id": id }));
    let state = |id: &str| text(&client.status(id), "/state").to_owned();

    let busy = client.told("video_render", plain(&long));
    let busy = text(&busy, "/render_id").to_owned();
    until("it renders", || (client.status(&busy)["progress"].as_f64()? > 0.05).then_some(()));
    let rendering = status(&busy);
    let progress = ["/result/structuredContent/progress", "/result/structuredContent/message"];
    let vague = [progress[0], progress[1], "/result/content/0/text"];
    golden::check("status_rendering", &rendering, &vague);
    mirrors(&rendering["result"]["structuredContent"]);

    let dispatched = call("video_render", marked(&short));
    golden::check("dispatched", &dispatched, &[]);
    let id = text(&dispatched, "/result/structuredContent/render_id").to_owned();
    golden::check("status_queued", &status(&id), &[]);
    let cancelled = call("video_cancel_render", json!({ "render_id": busy }));
    golden::check("cancel_by_tool", &cancelled, &[]);
    golden::check("status_cancelled", &status(&busy), &[]);
    // Once more is a success too.
    let again = call("video_cancel_render", json!({ "render_id": busy }));
    assert_eq!(again["result"]["structuredContent"]["state"], "cancelled");

    until("it asks", || (state(&id) == "awaiting_watermark_approval").then_some(()));
    let waiting = status(&id);
    golden::check("status_awaiting", &waiting, &[]);
    mirrors(&waiting["result"]["structuredContent"]);
    let image = &waiting["result"]["content"][1];
    assert_eq!(image["type"], "image");
    assert!(text(image, "/data").len() < 256 * 1024 * 4 / 3 + 4);
    assert_eq!(image["annotations"]["audience"], json!(["user"]));

    // The call that it names can be made as it stands.
    let pending = &waiting["result"]["structuredContent"]["pending_input"];
    callable(&client, pending);
    let mut approved = call(text(pending, "/tool"), pending["arguments"].clone());
    // It may have gone on already.
    approved["result"]["structuredContent"].as_object_mut().unwrap().remove("progress");
    let vague = [progress[1], "/result/content/0/text"];
    golden::check("approve", &approved, &vague);
    until("it ends", || (state(&id) == "completed").then_some(()));
    let completed = status(&id);
    golden::check("status_completed", &completed, &[]);
    mirrors(&completed["result"]["structuredContent"]);
    let late = call("video_cancel_render", json!({ "render_id": id }));
    golden::check("cancel_too_late", &late, &[]);

    let id = client.told("video_render", marked(&short));
    let id = text(&id, "/render_id").to_owned();
    until("it asks", || (state(&id) == "awaiting_watermark_approval").then_some(()));
    let no = json!({ "render_id": id, "approved": false, "feedback": "Smaller." });
    client.told("video_approve_watermark", no);
    until("it ends", || (state(&id) == "failed").then_some(()));
    let failed = status(&id);
    assert!(!failed["result"]["isError"].as_bool().unwrap_or(false));
    golden::check("status_failed", &failed, &[]);
    mirrors(&failed["result"]["structuredContent"]);
    callable(&client, &failed["result"]["structuredContent"]["error"]["repair"]);
}

/// A6: a status says state, when to ask again, where the result is and when it expires.
fn mirrors(status: &Value) {
    let terminal = status["terminal"].as_bool().unwrap();
    let state = text(status, "/state");
    assert_eq!(terminal, ["completed", "failed", "cancelled"].contains(&state));
    assert_eq!(status["terminal_states"], json!(["completed", "failed", "cancelled"]));
    assert_eq!(status["poll_after_ms"].is_u64(), !terminal, "{status:#}");
    assert_eq!(status["result_resource_uri"].is_string(), state == "completed", "{status:#}");
    assert_eq!(status["error"].is_object(), state == "failed", "{status:#}");
    assert!(status["expires_at"].is_string(), "{status:#}");
}

/// A call that helps fits the schema that the tool has shown.
fn callable(client: &Client, repair: &Value) {
    let name = text(repair, "/tool");
    let tools = client.tools.as_array().unwrap();
    let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
    takes(name, &tool["inputSchema"], &repair["arguments"]);
}

#[test]
fn a_rejection_and_a_cancellation_as_tasks() {
    let server = Server::default();
    let client = server.connect();
    let (short, long) = (server.short(), server.long());
    let id = client.create(marked(&short));
    let mut held = client.hold(&id);
    let question = held.wait_for("elicitation/create");
    let no = json!({ "action": "accept", "content": { "approved": false, "feedback": "Higher." } });
    assert_eq!(client.respond(&question, no), 202);
    let rejected = held.answer();
    golden::check("rejected", &rejected, &[]);
    assert_eq!(text(&rejected["result"], RELATED), id);
    callable(&client, &rejected["result"]["structuredContent"]["repair"]);
    golden::check("poll_failed", &client.ask("tasks/get", named(&id)), &[]);

    let id = client.create(plain(&long));
    let cancelled = client.ask("tasks/cancel", named(&id));
    golden::check("cancel", &cancelled, &[]);
    golden::check("result_cancelled", &client.ask("tasks/result", named(&id)), &[]);
    golden::check("cancel_twice", &client.ask("tasks/cancel", named(&id)), &[]);
}

#[test]
fn what_is_wrong_is_said_on_both_paths() {
    let server = Server::default();
    let client = server.connect();
    let wrong = json!({
        "source_asset_id": "film.mp4",
        "resolution": "8k",
        "watermark": { "mode": "text", "size": 3 },
    });
    let call = |arguments: &Value, task: Option<Value>| {
        let mut call = json!({ "name": "video_render", "arguments": arguments });
        if let Some(task) = task {
            call["task"] = task;
        }
        client.ask("tools/call", call)
    };
    let plainly = call(&wrong, None);
    golden::check("invalid", &plainly, &[]);
    let as_task = call(&wrong, Some(json!({})));
    golden::check("invalid_as_task", &as_task, &[]);
    let (mut one, mut other) =
        (plainly["result"]["structuredContent"].clone(), as_task["error"]["data"].clone());
    for envelope in [&mut one, &mut other] {
        assert!(envelope["request_id"].is_string());
        envelope["request_id"] = Value::Null;
    }
    assert_eq!(one, other);
    assert_eq!(as_task["error"]["code"], -32602);
    let fields = one["details"]["fields"].as_array().unwrap();
    let fields: Vec<&str> = fields.iter().map(|field| text(field, "/field")).collect();
    for field in ["source_asset_id", "resolution", "watermark.text", "watermark.size"] {
        assert!(fields.contains(&field), "{fields:?}");
    }

    // What can be mended without guessing is a call that can be made as it stands.
    let mark = json!({ "source_asset_id": "as_9f2", "watermark": { "mode": "text" } });
    let missing = call(&mark, None);
    golden::check("invalid_watermark", &missing, &[]);
    callable(&client, &missing["result"]["structuredContent"]["repair"]);

    golden::check("no_source", &call(&json!({ "source_asset_id": "as_9f2" }), None), &[]);
    let no_source = call(&json!({ "source_asset_id": "as_9f2" }), Some(json!({})));
    golden::check("no_source_as_task", &no_source, &[]);
    for (tool, arguments) in [
        ("video_get_render_status", json!({})),
        ("video_get_render_status", json!({ "render_id": "render_x", "wait_ms": 45001 })),
        ("video_approve_watermark", json!({ "render_id": "render_x" })),
        ("video_approve_watermark", json!({ "render_id": "render_x", "approved": "yes" })),
        ("video_cancel_render", json!({ "render_id": 7 })),
        ("video_cancel_render", json!({ "render_id": "render_x", "why": "so" })),
    ] {
        client.refused(tool, arguments, "invalid_field");
    }
    // Nothing has come of any of it.
    assert!(server.artifacts().is_empty() && server.drafts().is_empty());
}
