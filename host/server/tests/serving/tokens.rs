//! Who comes in with a token, and for what.

use serde_json::{Value, json};

use super::server::{Place, Server, picture};

const GUARDED: &str = "[server]\nauth = \"tokens\"\n";

fn guarded() -> (Place, Server) {
    let place = Place::new();
    place.write("guarded.toml", GUARDED);
    let server = place.serve(&["--config", "guarded.toml"]);
    (place, server)
}

fn token(place: &Place, tenant: &str, subject: &str, scopes: &str) -> Value {
    let who = ["--tenant", tenant, "--subject", subject, "--scope", scopes];
    place.json(&[&["token", "create"], &who[..]].concat())
}

fn secret(token: &Value) -> &str {
    token["secret"].as_str().unwrap()
}

const INITIALIZE: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{},
    "clientInfo":{"name":"test","version":"1"}}"#;

#[test]
fn nobody_comes_in_without_a_token_and_a_revoked_one_ends_at_once() {
    let (place, server) = guarded();
    let token = token(&place, "studio", "ann", "render:write,asset:read,asset:write");
    let ann = server.with_token(secret(&token));
    let initialize: Value = serde_json::from_str(INITIALIZE).unwrap();
    let strangers = [server.client.clone(), server.with_token("vrt_wrong")];
    for stranger in &strangers {
        for answer in [
            stranger.rpc("", "initialize", &initialize),
            stranger.ask("GET", "/mcp", "Accept: text/event-stream\r\n", b""),
            stranger.upload("", &picture(100, 1)),
            stranger.get(&format!("/assets/uploads/{}", "0".repeat(64))),
        ] {
            assert_eq!(answer.status, 401, "{answer:?}");
            let challenge = answer.header("www-authenticate");
            assert!(
                challenge.starts_with("Bearer ") && challenge.contains("scope="),
                "{challenge}"
            );
            // The protocol's own endpoint answers in JSON-RPC, the rest with the envelope.
            let said = answer.json();
            assert!(said["code"] == "unauthenticated" || said["error"].is_object(), "{said}");
            assert!(!said.to_string().contains("insufficient_scope"), "{said}");
        }
    }
    assert_eq!(server.client.get("/readyz").status, 200);

    let begun = ann.rpc("", "initialize", &initialize);
    assert_eq!(begun.status, 200, "{begun:?}");
    assert_eq!(ann.upload("", &picture(100, 1)).status, 201);
    place.json(&["token", "revoke", token["token_id"].as_str().unwrap()]);
    let session = format!("Mcp-Session-Id: {}\r\n", begun.header("mcp-session-id"));
    let refused = ann.rpc(&session, "tools/list", &json!({}));
    assert_eq!(refused.status, 401, "{refused:?}");
    assert!(refused.header("www-authenticate").contains("invalid_token"));
    assert_eq!(ann.upload("", &picture(100, 1)).status, 401);
    assert!(!server.log().contains(secret(&token)), "{}", server.log());
}

#[test]
fn a_token_does_what_its_scopes_say() {
    let (place, server) = guarded();
    let reader = token(&place, "studio", "reader", "asset:read");
    let reader = server.with_token(secret(&reader));
    let refused = reader.upload("", &picture(100, 1));
    assert_eq!(refused.status, 403, "{refused:?}");
    assert_eq!(refused.json()["code"], "insufficient_scope");
    assert_eq!(refused.json()["details"]["required_scopes"], json!(["asset:write"]));
    let challenge = refused.header("www-authenticate");
    assert_eq!(challenge, "Bearer error=\"insufficient_scope\", scope=\"asset:write\"");
    let arguments = json!({ "source_asset_id": "as_abc" });
    let called = reader.call_tool("video_render", &arguments);
    let error = &called["result"]["structuredContent"];
    assert_eq!(error["code"], "insufficient_scope", "{called}");
}

#[test]
fn a_tenant_has_its_own_assets() {
    let (place, server) = guarded();
    let everything = "render:write,asset:read,asset:write";
    let tokens = ["studio", "rival"].map(|tenant| token(&place, tenant, "ann", everything));
    let [studio, rival] = tokens.each_ref().map(|token| server.with_token(secret(token)));
    let bytes = picture(2000, 1);
    let asset = studio.upload("?name=ours", &bytes).json();
    let hash = asset["sha256"].as_str().unwrap();
    // The same bytes are unknown to the other one.
    let path = format!("/assets/uploads/{hash}");
    assert_eq!(studio.get(&path).json(), asset);
    assert_eq!(rival.get(&path).json(), json!({ "received": 0 }));
    let id = asset["asset_id"].as_str().unwrap();
    let of = |tenant| place.run(&["asset", "show", id, "--tenant", tenant]).status.code();
    assert_eq!((of("studio"), of("rival"), of("local")), (Some(0), Some(3), Some(3)));
    let called = rival.call_tool("video_render", &json!({ "source_asset_id": id }));
    let error = &called["result"]["structuredContent"];
    assert_eq!(error["code"], "source_not_found", "{called}");
}

#[test]
fn tokens_are_issued_listed_and_revoked() {
    let place = Place::new();
    let one = token(&place, "studio", "ann", "render:write");
    let two = place.json(&[
        "token",
        "create",
        "--tenant",
        "rival",
        "--subject",
        "bob",
        "--scope",
        "asset:read",
        "--scope",
        "asset:write",
        "--expires",
        "90d",
        "--label",
        "CI",
    ]);
    assert_ne!(secret(&one), secret(&two));
    assert_eq!(two["scopes"], json!(["asset:read", "asset:write"]));
    assert!(two["expires_at"].is_string() && one["expires_at"].is_null());
    let list = place.json(&["token", "list"]);
    assert_eq!(list["tokens"].as_array().unwrap().len(), 2);
    assert!(!list.to_string().contains(secret(&one)), "secrets are not kept");
    let listed = place.json(&["token", "list", "--tenant", "studio"]);
    assert_eq!(listed["tokens"][0]["token_id"], one["token_id"]);
    let revoked = place.json(&["token", "revoke", one["token_id"].as_str().unwrap()]);
    assert_eq!(revoked["standing"], "revoked");
    // The plain answer is the secret alone, for programs to take up.
    let args = ["--tenant", "t", "--subject", "s", "--scope", "asset:read"];
    let ran = place.run(&[&["token", "create"], &args[..]].concat());
    let printed = String::from_utf8(ran.stdout).unwrap();
    assert!(printed.starts_with("vrt_") && printed.lines().count() == 1, "{printed}");
    assert!(String::from_utf8(ran.stderr).unwrap().contains("auth = \"tokens\""));

    for (args, code, word) in [
        (&["token", "revoke", "token_x"][..], 3, "no token token_x"),
        (&["token", "create", "--tenant", "t", "--subject", "s"], 2, "--scope"),
        (&["token", "create", "--tenant", "t", "--subject", "s", "--scope", "all"], 2, "no scope"),
        (
            &["token", "create", "--tenant", " ", "--subject", "s", "--scope", "asset:read"],
            3,
            "tenant",
        ),
    ] {
        let (found, stderr) = place.fails(args);
        assert_eq!(found, code, "{args:?}: {stderr}");
        assert!(stderr.contains(word), "{args:?}: {stderr}");
    }
}
