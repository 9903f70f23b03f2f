//! Where something ends or is not to be had: renders that expire, tenants without room, clients
//! that cannot be asked, revisions that know less.

use product_tests::mcp::server::{marked, plain, yes};
use product_tests::mcp::{Client, Server, text, until};
use serde_json::{Value, json};

#[test]
fn a_render_is_kept_as_long_as_asked_within_the_limits_and_then_gone() {
    let server = Server::new("[renders]\nttl_seconds = 8\nmin_ttl_seconds = 4\n");
    let client = server.connect();
    let asset = server.short();
    let created = |ttl: u64| {
        let call = json!({
            "name": "video_render",
            "arguments": plain(&asset),
            "task": { "ttl": ttl },
        });
        client.result("tools/call", call)["task"].clone()
    };
    for (asked, given) in [(999_999_999, 8000), (6000, 6000)] {
        assert_eq!(created(asked)["ttl"], given);
    }
    let task = created(1);
    assert_eq!(task["ttl"], 4000);
    let id = text(&task, "/taskId");
    let named = json!({ "render_id": id });
    until("it has expired", || {
        let said = client.tool("video_get_render_status", named.clone());
        (said["structuredContent"]["code"] == "render_expired").then_some(())
    });
    client.refused("video_cancel_render", named, "render_expired");
    assert_eq!(client.error("tasks/get", json!({ "taskId": id }))["code"], -32602);
    let film = json!({ "uri": format!("video://renders/{id}/output") });
    assert_eq!(client.error("resources/read", film)["code"], -32002);
    until("everything has gone", || server.artifacts().is_empty().then_some(()));
    server.is_idle();
}

#[test]
fn a_tenant_without_room_hears_when_there_is_some() {
    let server =
        Server::new("[renders]\nopen_per_tenant = 1\n[approval]\ndeadline_seconds = 120\n");
    let client = server.connect();
    let asset = server.short();
    let id = client.create(marked(&asset));
    client.wait_for(&id, "input_required");
    // What takes up the room ends at its deadline, if nobody answers.
    let is_true = |envelope: &Value| {
        let wait = envelope["retry_after_ms"].as_u64().unwrap();
        assert!((1000..=120_000).contains(&wait), "{envelope:#}");
        assert_eq!(envelope["temporary"], true);
    };
    is_true(&client.refused("video_render", plain(&asset), "rate_limited"));
    let call = json!({ "name": "video_render", "arguments": plain(&asset), "task": {} });
    let error = client.error("tools/call", call);
    assert!(error["code"].as_i64().unwrap() > 0, "{error:#}");
    assert_eq!(error["data"]["code"], "rate_limited");
    is_true(&error["data"]);
    client.result("tasks/cancel", json!({ "taskId": id }));
    let next = client.create(plain(&asset));
    client.wait_for(&next, "completed");
}

#[test]
fn a_client_that_fails_to_ask_is_not_asked_again_and_others_are() {
    let server = Server::default();
    let client = server.connect();
    let asset = server.short();
    let id = client.create(marked(&asset));
    let mut held = client.hold(&id);
    let question = held.wait_for("elicitation/create");
    // What is no answer at all is refused, and the question stays open.
    assert_eq!(client.respond(&question, json!({ "action": "perhaps" })), 400);
    assert_eq!(client.task(&id)["status"], "input_required");
    assert_eq!(client.fail(&question, -32603, "there is no window"), 202);
    held.is_quiet();
    assert_eq!(client.task(&id)["status"], "input_required");
    // Nor is it asked about another render.
    let other = client.create(marked(&asset));
    client.wait_for(&other, "input_required");
    let mut unasked = client.hold(&other);
    unasked.is_quiet();
    // The same question is put to somebody else at once: no person has closed it.
    let colleague = server.connect();
    let mut asked = colleague.hold(&id);
    let question = asked.wait_for("elicitation/create");
    assert_eq!(colleague.respond(&question, yes()), 202);
    for held in [&mut asked, &mut held] {
        assert_eq!(held.answer()["result"]["structuredContent"]["watermark_applied"], true);
    }
    // The tool answers for those who cannot show a form.
    client.told("video_approve_watermark", json!({ "render_id": other, "approved": true }));
    assert_eq!(unasked.answer()["result"]["structuredContent"]["watermark_applied"], true);
}

#[test]
fn who_subscribes_to_a_film_hears_of_it() {
    let server = Server::default();
    let client = server.connect();
    let mut listening = client.listen();
    let id = client.create(marked(&server.short()));
    client.wait_for(&id, "input_required");
    let film = format!("video://renders/{id}/output");
    client.result("resources/subscribe", json!({ "uri": film }));
    client.told("video_approve_watermark", json!({ "render_id": id, "approved": true }));
    let updated = listening.wait_for("notifications/resources/updated");
    assert_eq!(updated["params"]["uri"], film.as_str());
    let read = client.result("resources/read", json!({ "uri": film }));
    assert!(read["contents"][0]["blob"].is_string(), "{read:#}");
    // A cursor that no list has given.
    assert_eq!(client.error("resources/list", json!({ "cursor": "nonsense" }))["code"], -32602);
}

/// What a tool says, in revisions with structured content and before.
fn said(client: &Client, name: &str, arguments: Value) -> Value {
    let result = client.tool(name, arguments);
    assert_ne!(result["isError"], true, "{result:#}");
    serde_json::from_str(text(&result, "/content/0/text")).unwrap()
}

#[test]
fn older_revisions_render_with_approval() {
    let server = Server::default();
    let asset = server.short();
    for revision in ["2025-06-18", "2025-03-26"] {
        let mut client = Client::new(server.address);
        client.begin(revision, &json!({ "elicitation": {} }));
        assert_eq!(client.revision.as_deref(), Some(revision));
        assert!(client.server["capabilities"].get("tasks").is_none(), "{revision}");
        let dispatched = said(&client, "video_render", marked(&asset));
        let id = text(&dispatched, "/render_id").to_owned();
        let named = json!({ "render_id": id });
        let status = || said(&client, "video_get_render_status", named.clone());
        until("it asks", || (status()["state"] == "awaiting_watermark_approval").then_some(()));
        if revision == "2025-06-18" {
            let arguments = json!({ "render_id": id, "wait_ms": 45_000 });
            let call = json!({ "name": "video_get_render_status", "arguments": arguments });
            let mut call = client.open("tools/call", call);
            let question = call.wait_for("elicitation/create");
            assert_eq!(client.respond(&question, yes()), 202);
            call.answer();
        } else {
            // Questions were not known then, so the caller is told how it is answered.
            assert_eq!(dispatched["notices"][0]["code"], "capability_not_negotiated");
            let repair = &dispatched["notices"][0]["repair"];
            said(&client, text(repair, "/tool"), repair["arguments"].clone());
        }
        until("it ends", || (status()["state"] == "completed").then_some(()));
    }
}
