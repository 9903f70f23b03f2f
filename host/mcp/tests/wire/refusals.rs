//! Bad input: each has its status and body, and changes nothing.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Client, quick, start, start_with};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

async fn refused(client: &Client, method: Method, body: &str) -> (u16, Value) {
    let reply = client.send(method, body.to_owned()).await;
    let status = reply.status.as_u16();
    (status, reply.json().await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_status_table() {
    let server = start().await;
    let client = server.connect().await;
    let none = server.client();
    let mut unknown = client.clone();
    unknown.session = Some("0123456789abcdef".to_owned());
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let response = r#"{"jsonrpc":"2.0","id":"x","result":{}}"#;
    let future = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":
        {"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
    let deep =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{}"#, "{\"a\":".repeat(999));
    let (post, get, delete) = (Method::POST, Method::GET, Method::DELETE);
    let cases = [
        ("foreign origin", client.with("origin", "http://evil.example"), &post, PING, 403, -32600),
        (
            "foreign origin, GET",
            client.with("origin", "http://evil.example"),
            &get,
            "",
            403,
            -32600,
        ),
        ("foreign host", client.with("host", "evil.example"), &post, PING, 403, -32600),
        ("no session", none.clone(), &post, PING, 400, -32600),
        ("no session, notification", none.clone(), &post, notification, 400, -32600),
        ("no session, response", none.clone(), &post, response, 400, -32600),
        ("no session, GET", none.clone(), &get, "", 400, -32600),
        ("no session, DELETE", none.clone(), &delete, "", 400, -32600),
        ("unknown session", unknown.clone(), &post, PING, 404, -32600),
        ("unknown session, GET", unknown.clone(), &get, "", 404, -32600),
        ("unknown session, DELETE", unknown, &delete, "", 404, -32600),
        (
            "session that is no text",
            client.with("mcp-session-id", "\u{fc}"),
            &post,
            PING,
            404,
            -32600,
        ),
        (
            "unknown revision",
            client.with("mcp-protocol-version", "2024-01-01"),
            &post,
            PING,
            400,
            -32600,
        ),
        ("unknown revision, GET", client.with("mcp-protocol-version", "x"), &get, "", 400, -32600),
        (
            "later revision",
            client.with("mcp-protocol-version", "2026-07-28"),
            &post,
            PING,
            400,
            -32600,
        ),
        ("later envelope", none, &post, future, 400, -32600),
        ("PUT", client.clone(), &Method::PUT, PING, 405, -32600),
        ("PATCH", client.clone(), &Method::PATCH, PING, 405, -32600),
        ("accepts nothing", client.with("accept", ""), &post, PING, 406, -32600),
        ("accepts no stream", client.with("accept", "application/json"), &post, PING, 406, -32600),
        ("accepts no JSON", client.with("accept", "text/event-stream"), &post, PING, 406, -32600),
        ("GET without streams", client.with("accept", "application/json"), &get, "", 406, -32600),
        ("no type", client.with("content-type", ""), &post, PING, 415, -32600),
        ("other type", client.with("content-type", "text/plain"), &post, PING, 415, -32600),
        ("no JSON", client.clone(), &post, "{", 400, -32700),
        ("nothing", client.clone(), &post, "", 400, -32700),
        ("too deep", client.clone(), &post, &deep, 400, -32700),
        ("batch", client.clone(), &post, &format!("[{PING}]"), 400, -32600),
        ("empty batch", client.clone(), &post, "[]", 400, -32600),
        ("text", client.clone(), &post, "\"ping\"", 400, -32600),
        ("no version", client.clone(), &post, r#"{"id":1,"method":"ping"}"#, 400, -32600),
        (
            "null id",
            client.clone(),
            &post,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            400,
            -32600,
        ),
        (
            "list of params",
            client.clone(),
            &post,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
            400,
            -32600,
        ),
        (
            "no token",
            {
                let mut c = client.clone();
                c.token = Some("nobody".to_owned());
                c
            },
            &post,
            PING,
            401,
            -32600,
        ),
    ];
    for (what, client, method, body, status, code) in cases {
        let (found, message) = refused(&client, method.clone(), body).await;
        assert_eq!((found, message["error"]["code"].as_i64()), (status, Some(code)), "{what}");
        assert!(message["error"]["message"].as_str().unwrap().len() > 10, "{what}: {message}");
    }
    for (body, status) in [(notification, 202), (response, 202)] {
        let reply = client.send(Method::POST, body).await;
        assert_eq!((reply.status.as_u16(), reply.bytes().await.len()), (status, 0), "{body}");
    }
    assert_eq!(client.send(Method::POST, PING).await.status, StatusCode::OK, "all goes on");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn errors_carry_the_id_where_it_can_be_read() {
    let server = start().await;
    let (_, message) = refused(&server.client(), Method::POST, PING).await;
    assert_eq!(message["id"], 1);
    let (_, message) = refused(&server.client(), Method::POST, "[]").await;
    assert!(message.get("id").is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_allowed_is_said() {
    let server = start().await;
    let reply = server.client().send(Method::PUT, "").await;
    assert_eq!(reply.headers["allow"], "POST, GET, DELETE, OPTIONS");
    let mut nobody = server.client();
    nobody.token = Some("nobody".to_owned());
    for method in [Method::POST, Method::GET, Method::DELETE] {
        let reply = nobody.send(method, PING).await;
        assert_eq!(reply.status, StatusCode::UNAUTHORIZED);
        assert!(reply.headers["www-authenticate"].to_str().unwrap().starts_with("Bearer "));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revision_that_is_served_will_do_though_another_was_agreed_on() {
    let server = start().await;
    let client = server.connect().await;
    for revision in ["2025-11-25", "2025-06-18", "2025-03-26", ""] {
        let reply = client.with("mcp-protocol-version", revision).send(Method::POST, PING).await;
        assert_eq!(reply.status, StatusCode::OK, "{revision}");
    }
    let tools = client
        .with("mcp-protocol-version", "2025-03-26")
        .result("tools/list", json!({ "cursor": "2" }))
        .await;
    assert!(tools.to_string().contains("taskSupport"), "what was agreed on is spoken");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_may_be_as_large_as_is_allowed_and_no_larger() {
    let server = start_with(mcp::Config { max_body: 1000, ..quick() }).await;
    let client = server.connect().await;
    let padded = |size: usize| format!("{PING}{}", " ".repeat(size - PING.len()));
    assert_eq!(client.send(Method::POST, padded(1000)).await.status, StatusCode::OK);
    let (status, message) = refused(&client, Method::POST, &padded(1001)).await;
    assert_eq!((status, message["error"]["code"].as_i64()), (413, Some(-32600)));
    let (status, _) = refused(&client, Method::POST, &padded(5_000_000)).await;
    assert_eq!(status, 413, "told although it goes on sending");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_does_not_come_is_not_waited_for() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    let body_time = std::time::Duration::from_millis(200);
    let server = start_with(mcp::Config { body_time, ..quick() }).await;
    let mut stream = tokio::net::TcpStream::connect(server.client().address).await.unwrap();
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
        Accept: application/json, text/event-stream\r\nContent-Length: 50\r\n\r\n{";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = vec![0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(answer, b"HTTP/1.1 408");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_method_does_not_take_is_an_error_of_the_protocol() {
    let server = start().await;
    let client = server.connect().await;
    for (method, params, code) in [
        ("nothing/known", json!({}), -32601),
        ("prompts/list", json!({}), -32601),
        ("completion/complete", json!({}), -32601),
        ("tasks/list", json!({}), -32601),
        ("server/discover", json!({}), -32601),
        ("tools/call", json!({}), -32602),
        ("tools/call", json!({ "name": 5 }), -32602),
        ("tools/call", json!({ "name": "unknown" }), -32602),
        ("tools/call", json!({ "name": "echo", "arguments": [] }), -32602),
        ("tools/call", json!({ "name": "echo", "_meta": 1 }), -32602),
        ("tools/call", json!({ "name": "render", "task": true }), -32602),
        ("tools/call", json!({ "name": "render", "task": { "ttl": -1 } }), -32602),
        ("tools/call", json!({ "name": "render", "task": { "ttl": "1" } }), -32602),
        ("tools/call", json!({ "name": "echo", "task": {} }), -32601),
        ("tools/call", json!({ "name": "must" }), -32601),
        ("tasks/get", json!({}), -32602),
        ("tasks/get", json!({ "taskId": 1 }), -32602),
        ("tasks/get", json!({ "taskId": "unknown" }), -32602),
        ("tasks/result", json!({ "taskId": "unknown" }), -32602),
        ("tasks/cancel", json!({ "taskId": "unknown" }), -32602),
        ("resources/read", json!({}), -32602),
        ("resources/read", json!({ "uri": "test://unknown" }), -32002),
        ("resources/subscribe", json!({ "uri": "test://unknown" }), -32002),
        ("logging/setLevel", json!({ "level": "loud" }), -32602),
        ("logging/setLevel", json!({}), -32602),
    ] {
        assert_eq!(client.error(method, params.clone()).await, code, "{method} {params}");
    }
    let unknown = client.ask("resources/read", json!({ "uri": "test://unknown" })).await;
    assert_eq!(unknown["error"]["data"], json!({ "uri": "test://unknown" }));
    let (status, message) =
        refused(&server.client(), Method::POST, &PING.replace("ping", "initialize")).await;
    assert_eq!((status, message["error"]["code"].as_i64()), (200, Some(-32602)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unknown_fields_and_notifications_harm_nobody() {
    let server = start().await;
    let client = server.connect().await;
    client.notify("notifications/unknown", json!({ "x": 1 })).await;
    client.notify("notifications/cancelled", json!({})).await;
    client.notify("notifications/cancelled", json!({ "requestId": "never" })).await;
    client.notify("notifications/roots/list_changed", json!({})).await;
    let params = json!({ "name": "echo", "arguments": { "text": "t", "more": 1 }, "extra": {} });
    let result = client.result("tools/call", params).await;
    assert_eq!(result["content"], json!([{ "type": "text", "text": "t" }]));
    assert_eq!(result["isError"], false);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handler_that_panics_is_an_internal_error() {
    let server = start().await;
    let client = server.connect().await;
    assert_eq!(client.error("tools/call", json!({ "name": "panic" })).await, -32603);
    assert_eq!(client.result("ping", json!({})).await, json!({}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_more_calls_at_a_time_than_are_allowed() {
    let server = start_with(mcp::Config { max_calls: 1, ..quick() }).await;
    let client = server.connect().await;
    let mut held = client.open("tools/call", json!({ "name": "wait" })).await;
    let (status, message) = refused(&client, Method::POST, PING).await;
    assert_eq!((status, message["id"].as_i64()), (429, Some(1)));
    server.product.go();
    held.answer().await;
    assert_eq!(client.result("ping", json!({})).await, json!({}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_id_that_is_in_use_is_refused() {
    let server = start().await;
    let client = server.connect().await;
    let call =
        json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": { "name": "wait" } });
    let mut held = client.post(&call).await.events();
    let (status, message) = refused(&client, Method::POST, &PING.replace(":1,", ":7,")).await;
    assert_eq!((status, message["error"]["code"].as_i64()), (400, Some(-32600)));
    server.product.go();
    held.answer().await;
    assert_eq!(
        client.post(&json!({ "jsonrpc": "2.0", "id": 7, "method": "ping" })).await.status,
        StatusCode::OK
    );
}
