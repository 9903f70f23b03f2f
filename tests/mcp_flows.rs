//! What agents do with renders, and what comes of it: questions in each way, answers of every kind,
//! repeated calls, cancellations, who may see what.

use std::fs;
use std::io::Write as _;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use product_tests::mcp::server::{marked, plain, yes};
use product_tests::mcp::{Client, RELATED, Server, text, until};
use product_tests::{film, processes};
use serde_json::{Value, json};

fn with(mut arguments: Value, name: &str, value: impl Into<Value>) -> Value {
    arguments[name] = value.into();
    arguments
}

/// Fetches the film of a result; returns how wide, how high and how long it is.
#[track_caller]
fn fetched(server: &Server, client: &Client, result: &Value, name: &str) -> film::Film {
    let content = result["content"].as_array().unwrap();
    let link = content.iter().find(|block| block["type"] == "resource_link").unwrap();
    let url = text(link, "/_meta/com.video-render~1download_url");
    let (status, bytes) = client.fetch(url);
    assert_eq!(status, 200);
    let file = server.product.path(name);
    fs::write(&file, bytes).unwrap();
    film::read(&file)
}

#[test]
fn the_question_comes_on_the_standalone_stream_where_only_that_is_open() {
    let server = Server::default();
    let client = server.connect();
    let mut listening = client.listen();
    let id = client.create(marked(&server.short()));
    let question = listening.wait_for("elicitation/create");
    assert_eq!(text(&question["params"], RELATED), id);
    assert_eq!(client.task(&id)["status"], "input_required");
    assert_eq!(client.respond(&question, yes()), 202);
    client.wait_for(&id, "completed");
    let result = client.hold(&id).answer()["result"].clone();
    let film = fetched(&server, &client, &result, "film.mp4");
    assert_eq!(film.video().size, Some((1280, 720)));
    let told = client.wire.told("notifications/tasks/status");
    assert!(told.iter().any(|told| told["params"]["status"] == "completed"), "{told:#?}");
    // Nobody who had not asked for progress has heard of it.
    assert!(client.wire.told("notifications/progress").is_empty());
}

#[test]
fn the_question_comes_on_a_waiting_status_call() {
    let server = Server::default();
    let client = server.connect();
    let dispatched = client.told("video_render", marked(&server.short()));
    let id = text(&dispatched, "/render_id").to_owned();
    assert!(dispatched.get("notices").is_none(), "{dispatched:#}");
    let wait = |wait_ms: u64| {
        let arguments = json!({ "render_id": id, "wait_ms": wait_ms });
        json!({ "name": "video_get_render_status", "arguments": arguments })
    };
    // It answers as soon as something has changed.
    until("it asks", || {
        let mut call = client.open("tools/call", wait(45_000));
        let state = call.answer()["result"]["structuredContent"]["state"].clone();
        (state == "awaiting_watermark_approval").then_some(())
    });
    // Nobody answers: the state at the limit, and the late answer counts.
    let began = Instant::now();
    let mut call = client.open("tools/call", wait(700));
    let question = call.wait_for("elicitation/create");
    let answer = call.answer();
    assert_eq!(answer["result"]["structuredContent"]["state"], "awaiting_watermark_approval");
    assert!(began.elapsed() >= Duration::from_millis(700));
    // It is not put again for that.
    let mut again = client.open("tools/call", wait(700));
    again.answer();
    let asked = client.wire.told("elicitation/create");
    assert_eq!(asked.len(), 1, "{asked:#?}");
    let mut call = client.open("tools/call", wait(45_000));
    assert_eq!(client.respond(&question, yes()), 202);
    let state = call.answer()["result"]["structuredContent"]["state"].clone();
    assert_ne!(state, "awaiting_watermark_approval");
    until("it ends", || (client.status(&id)["state"] == "completed").then_some(()));
    // A render that was begun plainly is a task all the same.
    assert_eq!(client.task(&id)["status"], "completed");
}

#[test]
fn answers_of_every_kind() {
    let server = Server::default();
    let client = server.connect();
    let asset = server.short();
    let asked = || {
        let id = client.create(marked(&asset));
        let mut held = client.hold(&id);
        let question = held.wait_for("elicitation/create");
        (id, held, question)
    };

    // Declining rejects.
    let (id, mut held, question) = asked();
    assert_eq!(client.respond(&question, json!({ "action": "decline" })), 202);
    let rejected = held.answer();
    assert_eq!(rejected["result"]["structuredContent"]["code"], "watermark_rejected");
    let failed = client.wait_for(&id, "failed");
    assert!(text(&failed, "/statusMessage").starts_with("watermark_rejected: "));

    // Dismissing leaves it waiting, and nobody is asked again at once; the tool still answers.
    let (id, mut held, question) = asked();
    assert_eq!(client.respond(&question, json!({ "action": "cancel" })), 202);
    held.is_quiet();
    assert_eq!(client.task(&id)["status"], "input_required");
    let mut second = client.hold(&id);
    second.is_quiet();
    client.told("video_approve_watermark", json!({ "render_id": id, "approved": true }));
    assert_eq!(held.answer()["result"]["structuredContent"]["watermark_applied"], true);
    second.answer();

    // What is no answer leaves it waiting too.
    let (id, mut held, question) = asked();
    let odd = json!({ "action": "accept", "content": { "approved": "perhaps" } });
    client.respond(&question, odd);
    held.is_quiet();
    assert_eq!(client.task(&id)["status"], "input_required");
    client.told("video_approve_watermark", json!({ "render_id": id, "approved": false }));
    held.answer();

    // The first answer counts: the same again is fine, another one is told so.
    let (id, mut held, question) = asked();
    assert_eq!(client.respond(&question, yes()), 202);
    client.respond(&question, json!({ "action": "decline" }));
    client.told("video_approve_watermark", json!({ "render_id": id, "approved": true }));
    let other = json!({ "render_id": id, "approved": false });
    let refused = client.refused("video_approve_watermark", other, "already_decided");
    assert_eq!(refused["details"]["approved"], true);
    assert_eq!(refused["details"]["channel"], "elicitation");
    assert_ne!(held.answer()["result"]["isError"], true);

    // A question of another render, and a render that asks nothing.
    let unasked = client.create(plain(&asset));
    client.wait_for(&unasked, "completed");
    let answer = json!({ "render_id": unasked, "approved": true });
    client.refused("video_approve_watermark", answer, "not_awaiting_approval");
}

#[test]
fn several_clients_follow_one_render() {
    let server = Server::default();
    let (one, other, old) = (server.connect(), server.connect(), server.connect_plain());
    let id = one.create(marked(&server.short()));
    let mut first = one.hold(&id);
    let mut second = other.hold(&id);
    first.wait_for("elicitation/create");
    let question = second.wait_for("elicitation/create");
    assert_eq!(old.status(&id)["state"], "awaiting_watermark_approval");
    assert_eq!(other.respond(&question, yes()), 202);
    let structured = |answer: &Value| answer["result"]["structuredContent"].clone();
    let ended = structured(&first.answer());
    assert_eq!(structured(&second.answer()), ended);
    assert_eq!(old.status(&id)["state"], "completed");
    // The one whose question was answered elsewhere is told that it is settled.
    assert_eq!(one.wire.told("notifications/cancelled").len(), 1);
}

#[test]
fn twins_are_one_render() {
    let mut server = Server::new("[renders]\nconcurrency = 1\n");
    let (short, long) = (server.short(), server.long());
    let clients: Vec<Client> = (0..5).map(|_| server.connect()).collect();
    let keyed = with(plain(&short), "idempotency_key", "twins");
    let ids: Vec<String> = thread::scope(|scope| {
        let calls = (0..50).map(|number| {
            let (client, arguments) = (&clients[number % 5], keyed.clone());
            scope.spawn(move || match number % 2 {
                0 => client.create(arguments),
                _ => {
                    let told = client.told("video_render", arguments);
                    text(&told, "/render_id").to_owned()
                }
            })
        });
        let calls: Vec<_> = calls.collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    let client = &clients[0];
    client.wait_for(&ids[0], "completed");
    assert_eq!(server.artifacts().len(), 1);

    // Defaults said or left out are the same; anything else is a conflict, on both paths.
    let said = with(keyed.clone(), "output_format", "mp4");
    assert_eq!(client.create(said), ids[0]);
    let conflict = with(keyed.clone(), "output_format", "mov");
    let refused = client.refused("video_render", conflict.clone(), "idempotency_conflict");
    assert!(refused["repair"]["arguments"].get("idempotency_key").is_none());
    let call = json!({ "name": "video_render", "arguments": conflict, "task": {} });
    let error = client.error("tools/call", call);
    assert_eq!(error["code"], -32602);
    assert_eq!(error["data"]["code"], "idempotency_conflict");

    // A cancellation frees the key.
    let doomed = with(plain(&long), "idempotency_key", "doomed");
    let id = client.create(doomed.clone());
    client.result("tasks/cancel", json!({ "taskId": id }));
    let anew = client.create(doomed);
    assert_ne!(anew, id);
    client.result("tasks/cancel", json!({ "taskId": anew }));

    // It holds over a restart, and for who comes anew.
    server.restart();
    let client = server.connect();
    assert_eq!(client.create(keyed.clone()), ids[0]);
    let told = client.told("video_render", keyed);
    assert_eq!(told["render_id"], ids[0], "{told:#}");
    assert_eq!(told["width"], 1280, "{told:#}");
}

#[test]
fn cancelled_in_each_state_nothing_is_left() {
    let server = Server::new("[renders]\nconcurrency = 1\n");
    let client = server.connect();
    let (short, long) = (server.short(), server.long());
    let cancel = |id: &str| {
        let cancelled = client.result("tasks/cancel", json!({ "taskId": id }));
        assert_eq!(cancelled["status"], "cancelled");
        Instant::now()
    };
    let kept = |why: &str| {
        assert!(server.artifacts().is_empty(), "{why}: {:?}", server.artifacts());
    };
    // While it runs and while another waits for its turn.
    let running = client.create(plain(&long));
    until("it encodes", || (!processes::ffmpegs(server.process()).is_empty()).then_some(()));
    let queued = client.create(plain(&short));
    assert_eq!(client.status(&queued)["state"], "queued");
    cancel(&queued);
    let begun = cancel(&running);
    server.is_idle();
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    kept("running");
    // While it waits for a person: the wait and the question end as well.
    let asking = client.create(marked(&short));
    let mut held = client.hold(&asking);
    held.wait_for("elicitation/create");
    cancel(&asking);
    assert_eq!(held.answer()["result"]["structuredContent"]["code"], "cancelled");
    let answer = json!({ "render_id": asking, "approved": true });
    client.refused("video_approve_watermark", answer, "not_awaiting_approval");
    // At its very beginning, and twice.
    let fresh = client.create(plain(&long));
    cancel(&fresh);
    let again = client.told("video_cancel_render", json!({ "render_id": fresh }));
    assert_eq!(again["state"], "cancelled");
    server.is_idle();
    // After its end there is nothing to cancel.
    let ended = client.create(plain(&short));
    client.wait_for(&ended, "completed");
    assert_eq!(client.error("tasks/cancel", json!({ "taskId": ended }))["code"], -32602);
    client.refused("video_cancel_render", json!({ "render_id": ended }), "render_finished");
    assert_eq!(client.task(&ended)["status"], "completed");
}

#[test]
fn an_image_for_a_watermark_and_a_webm() {
    let server = Server::default();
    let client = server.connect();
    let picture = product_tests::sources::make(
        server.product.path("logo.png"),
        "-f lavfi -i color=red:size=64x32 -frames:v 1",
    );
    let (short, logo) = (server.short(), server.asset(&picture));
    let arguments = json!({
        "source_asset_id": short,
        "output_format": "webm",
        "resolution": "720p",
        "watermark": { "mode": "image", "image_asset_id": logo, "position": "top_left" },
        "require_watermark_approval": false,
    });
    let id = client.create(arguments);
    let result = client.hold(&id).answer()["result"].clone();
    assert_eq!(result["structuredContent"]["output_format"], "webm", "{result:#}");
    assert_eq!(result["structuredContent"]["watermark_applied"], true);
    assert_eq!(fetched(&server, &client, &result, "film.webm").video().size, Some((1280, 720)));
    // Each in the other's place is refused before there is a render.
    client.refused("video_render", plain(&logo), "unsupported_source");
    let wrong = json!({ "mode": "image", "image_asset_id": short });
    let wrong = with(plain(&short), "watermark", wrong);
    let refused = client.refused("video_render", wrong, "invalid_field");
    assert_eq!(refused["details"]["field"], "watermark.image_asset_id");
}

#[test]
fn a_source_that_breaks_off_fails_the_render_with_its_reason() {
    let server = Server::default();
    let client = server.connect();
    let whole = product_tests::sources::make(
        server.product.path("whole.mp4"),
        "-f lavfi -i testsrc2=size=320x180:rate=25:duration=4 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -movflags +faststart",
    );
    let mut bytes = fs::read(&whole).unwrap();
    let from = bytes.len() / 3;
    bytes[from..].fill(0);
    let broken = server.asset(&server.product.write("broken.mp4", bytes));
    let id = client.create(plain(&broken));
    let result = client.hold(&id).answer()["result"].clone();
    assert_eq!(result["isError"], true, "{result:#}");
    let code = text(&result, "/structuredContent/code").to_owned();
    let task = client.wait_for(&id, "failed");
    assert!(text(&task, "/statusMessage").starts_with(&format!("{code}: ")), "{task:#}");
    assert_eq!(code, "unsupported_source");
    let status = client.status(&id);
    assert_eq!(status["error"]["code"], code.as_str());
    server.is_idle();
    assert!(server.artifacts().is_empty());
}

#[test]
fn a_question_that_nobody_answers_expires() {
    let server = Server::new("[approval]\ndeadline_seconds = 2\n");
    let client = server.connect();
    let id = client.create(marked(&server.short()));
    let mut held = client.hold(&id);
    let question = held.wait_for("elicitation/create");
    let ended = held.answer();
    let envelope = &ended["result"]["structuredContent"];
    assert_eq!(envelope["code"], "approval_expired", "{ended:#}");
    assert_eq!(envelope["repair"]["tool"], "video_render");
    // An answer that comes too late changes nothing, and is no error.
    client.respond(&question, yes());
    assert_eq!(client.task(&id)["status"], "failed");
    let late = json!({ "render_id": id, "approved": true });
    let result = client.tool("video_approve_watermark", late);
    assert_eq!(result["isError"], true, "{result:#}");
}

/// What somebody gets who asks for a render in each way.
fn attempts(client: &Client, id: &str) -> Vec<Value> {
    let task = json!({ "taskId": id });
    let tool = |name: &str, more: Value| {
        let mut arguments = json!({ "render_id": id });
        more.as_object().unwrap().iter().for_each(|(k, v)| arguments[k] = v.clone());
        json!({ "name": name, "arguments": arguments })
    };
    let uri = |what: &str| json!({ "uri": format!("video://renders/{id}/{what}") });
    [
        ("tasks/get", task.clone()),
        ("tasks/result", task.clone()),
        ("tasks/cancel", task),
        ("tools/call", tool("video_get_render_status", json!({}))),
        ("tools/call", tool("video_get_render_status", json!({ "wait_ms": 1000 }))),
        ("tools/call", tool("video_approve_watermark", json!({ "approved": true }))),
        ("tools/call", tool("video_cancel_render", json!({}))),
        ("resources/read", uri("watermark-preview.png")),
        ("resources/read", uri("output")),
        ("resources/subscribe", uri("watermark-preview.png")),
    ]
    .into_iter()
    .map(|(method, params)| {
        let mut answer = client.ask(method, params);
        let said = answer.to_string().replace(id, "ID");
        answer = serde_json::from_str(&said).unwrap();
        answer["id"] = Value::Null;
        for envelope in ["/result/structuredContent/request_id", "/error/data/request_id"] {
            if let Some(request) = answer.pointer_mut(envelope) {
                *request = Value::Null;
            }
        }
        // The text of a tool repeats the request's id.
        if let Some(text) = answer.pointer_mut("/result/content/0/text") {
            *text = Value::Null;
        }
        answer
    })
    .collect()
}

#[test]
fn who_may_do_what_with_whose_render() {
    let server = Server::new("[server]\nauth = \"tokens\"\n");
    let all = ["render:write", "asset:read"];
    let asset = server.asset_of(
        "here",
        &product_tests::sources::make(
            server.product.path("short.mp4"),
            "-f lavfi -i testsrc2=size=320x180:rate=25:duration=1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p",
        ),
    );
    let owner = server.connect_as(&server.token("here", "owner", &all));
    let colleague = server.connect_as(&server.token("here", "colleague", &all));
    let reader = server.connect_as(&server.token("here", "reader", &["asset:read"]));
    let stranger = server.connect_as(&server.token("there", "owner", &all));

    let id = owner.create(marked(&asset));
    let mut held = owner.hold(&id);
    let question = held.wait_for("elicitation/create");

    // Another tenant: exactly as if there were no such render, whatever is tried.
    let unknown: String = id.chars().rev().take(26).collect();
    let unknown = format!("render_{unknown}");
    let (foreign, missing) = (attempts(&stranger, &id), attempts(&stranger, &unknown));
    for (foreign, missing) in foreign.iter().zip(&missing) {
        assert_eq!(foreign, missing);
        assert!(foreign.get("error").is_some() || foreign["result"]["isError"] == true);
    }
    stranger.refused("video_render", plain(&asset), "source_not_found");
    let listed = |client: &Client| {
        let list = client.result("resources/list", json!({}));
        list.to_string().matches(&id).count()
    };
    assert_eq!(listed(&stranger), 0);
    assert!(listed(&colleague) > 0);

    // A reader of the same tenant sees it and may change nothing.
    assert_eq!(reader.status(&id)["state"], "awaiting_watermark_approval");
    let answer = json!({ "render_id": id, "approved": true });
    reader.refused("video_approve_watermark", answer.clone(), "insufficient_scope");
    reader.refused("video_cancel_render", json!({ "render_id": id }), "insufficient_scope");
    reader.refused("video_render", plain(&asset), "insufficient_scope");

    // Sessions, streams and questions are the identity's own, even within the tenant.
    let mut thief = colleague.clone();
    thief.session.clone_from(&owner.session);
    assert_eq!(thief.raw("POST", r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).0, 404);
    assert_eq!(thief.with("last-event-id", &held.last()).raw("GET", "").0, 404);
    assert_eq!(thief.raw("DELETE", "").0, 404);
    colleague.respond(&question, yes());
    stranger.respond(&question, yes());
    assert_eq!(owner.task(&id)["status"], "input_required");

    // A colleague may follow it, answer by the tool, and fetch the film.
    let mut followed = colleague.hold(&id);
    colleague.told("video_approve_watermark", answer);
    let ended = followed.answer();
    assert_eq!(ended["result"]["structuredContent"]["render_id"], id);
    held.answer();
    fetched(&server, &colleague, &ended["result"], "film.mp4");

    // A token that is none.
    let mut nobody = Client::new(server.address);
    for token in [None, Some("vrt_none".to_owned())] {
        nobody.token = token;
        assert_eq!(nobody.raw("POST", r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).0, 401);
    }
}

#[test]
fn bad_requests_change_nothing() {
    let server = Server::default();
    let client = server.connect();
    let asset = server.short();
    let id = client.create(marked(&asset));
    client.wait_for(&id, "input_required");
    let before = client.status(&id);
    let call = json!({ "name": "video_render", "arguments": plain(&asset) });
    let good = json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": call });
    let good = good.to_string();
    let huge = format!("{good}{}", " ".repeat(2 << 20));
    let session = |value: &str| client.with("mcp-session-id", value);
    for (who, body, status, code) in [
        (client.clone(), "{", 400, -32700),
        (client.clone(), &format!("[{good}]"), 400, -32600),
        (client.with("content-type", "text/plain"), &good, 415, 0),
        (client.with("accept", "text/html"), &good, 406, 0),
        (session(""), &good, 400, 0),
        (session("0123456789abcdef0123456789abcdef"), &good, 404, 0),
        (client.with("mcp-protocol-version", "1999-01-01"), &good, 400, 0),
        (client.with("host", "evil.example"), &good, 403, 0),
        (client.with("origin", "https://evil.example"), &good, 403, 0),
        (client.clone(), &huge, 413, 0),
    ] {
        let (got, body) = who.raw("POST", body);
        assert_eq!(got, status, "{:?} {body}", who.headers);
        if code != 0 {
            assert_eq!(body["error"]["code"], code, "{body}");
        }
    }
    assert_eq!(client.error("tools/list/all", json!({}))["code"], -32601);
    assert_eq!(client.error("tasks/list", json!({}))["code"], -32601);
    let unknown = json!({ "name": "video_play", "arguments": {} });
    assert_eq!(client.error("tools/call", unknown)["code"], -32602);
    let forbidden = json!({ "name": "video_cancel_render", "arguments": {}, "task": {} });
    assert_eq!(client.error("tools/call", forbidden)["code"], -32601);
    for event in ["0", "nonsense", "999-999"] {
        let (status, _) = client.with("last-event-id", event).raw("GET", "");
        assert!(matches!(status, 400 | 404), "{event}: {status}");
    }
    for path in ["/artifacts/AAAA/output", "/artifacts/x/y/z"] {
        let (status, _) = client.fetch(&format!("http://{}{path}", server.address));
        assert_eq!(status, 404, "{path}");
    }
    // An answer to a question that was never put.
    client.respond(&json!({ "id": "nothing" }), yes());

    assert_eq!(client.status(&id), before);
    let resources = client.result("resources/list", json!({}))["resources"].clone();
    assert_eq!(resources.as_array().unwrap().len(), 2, "{resources:#}");
}

#[test]
fn a_client_that_goes_away_at_any_byte_leaves_one_render_or_none() {
    let server = Server::default();
    let client = server.connect();
    let keyed = with(plain(&server.short()), "idempotency_key", "cut");
    let call = json!({ "name": "video_render", "arguments": keyed, "task": {} });
    let body = json!({ "jsonrpc": "2.0", "id": "cut", "method": "tools/call", "params": call });
    let body = body.to_string();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: {}\r\nmcp-session-id: {}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n",
        server.address,
        client.session.as_deref().unwrap(),
        body.len()
    );
    let whole = head.clone() + &body;
    for sent in [0, 1, head.len() / 2, head.len(), whole.len() - 1] {
        let mut connection = TcpStream::connect(server.address).unwrap();
        connection.write_all(&whole.as_bytes()[..sent]).unwrap();
    }
    thread::sleep(Duration::from_millis(300));
    let resources = || client.result("resources/list", json!({}))["resources"].clone();
    server.is_idle();
    assert_eq!(resources().as_array().unwrap().len(), 1);
    // The whole call has been made, though nobody hears of it; called again it is the same render.
    for _ in 0..3 {
        let mut connection = TcpStream::connect(server.address).unwrap();
        connection.write_all(whole.as_bytes()).unwrap();
    }
    let id = client.create(keyed);
    client.wait_for(&id, "completed");
    server.is_idle();
    assert_eq!(server.artifacts().len(), 1);
}
