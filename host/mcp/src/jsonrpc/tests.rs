use super::*;

fn code(body: &str) -> (Option<RequestId>, i64) {
    let malformed = parse(body.as_bytes()).unwrap_err();
    (malformed.id, malformed.error.code)
}

#[test]
fn ids_keep_their_type() {
    for (body, id) in [
        (r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#, json!(7)),
        (r#"{"jsonrpc":"2.0","id":"7","method":"ping","params":{}}"#, json!("7")),
        (r#"{"jsonrpc":"2.0","id":-1,"method":"ping"}"#, json!(-1)),
        (r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}"#, json!(u64::MAX)),
    ] {
        let Message::Request { id: read, method, params } = parse(body.as_bytes()).unwrap() else {
            panic!("no request: {body}")
        };
        assert_eq!((read.to_value(), method.as_str(), params.len()), (id.clone(), "ping", 0));
        assert_eq!(answer(&read, Ok(json!({})))["id"], id);
    }
}

#[test]
fn notifications_and_responses_are_told_apart() {
    let told = parse(br#"{"jsonrpc":"2.0","method":"m","params":{"a":1}}"#).unwrap();
    assert!(matches!(told, Message::Notification { params, .. } if params["a"] == 1));
    let result = parse(br#"{"jsonrpc":"2.0","id":"x","result":null}"#).unwrap();
    assert!(matches!(result, Message::Response { outcome: Ok(Value::Null), .. }));
    let error = parse(br#"{"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":"no"}}"#).unwrap();
    assert!(matches!(error, Message::Response { outcome: Err(e), .. } if e.code == -1));
}

#[test]
fn what_is_no_message_is_refused_with_the_id_where_it_can_be_read() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let seven = Some(RequestId::Number(7.into()));
    for (body, expected) in [
        ("", (None, PARSE_ERROR)),
        ("{", (None, PARSE_ERROR)),
        ("\u{fffd}", (None, PARSE_ERROR)),
        (deep.as_str(), (None, PARSE_ERROR)),
        (r#"{"jsonrpc":"2.0","id":7,"method":"ping"} x"#, (None, PARSE_ERROR)),
        ("[]", (None, INVALID_REQUEST)),
        (r#"[{"jsonrpc":"2.0","id":7,"method":"ping"}]"#, (None, INVALID_REQUEST)),
        ("7", (None, INVALID_REQUEST)),
        ("{}", (None, INVALID_REQUEST)),
        (r#"{"id":7,"method":"ping"}"#, (seven.clone(), INVALID_REQUEST)),
        (r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, (seven.clone(), INVALID_REQUEST)),
        (r#"{"jsonrpc":2.0,"id":7,"method":"ping"}"#, (seven.clone(), INVALID_REQUEST)),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, (None, INVALID_REQUEST)),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, (None, INVALID_REQUEST)),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, (None, INVALID_REQUEST)),
        (r#"{"jsonrpc":"2.0","id":7,"method":1}"#, (seven.clone(), INVALID_REQUEST)),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}"#,
            (seven.clone(), INVALID_REQUEST),
        ),
        (r#"{"jsonrpc":"2.0","id":7}"#, (seven.clone(), INVALID_REQUEST)),
        (
            r#"{"jsonrpc":"2.0","id":7,"result":1,"error":{"code":1,"message":""}}"#,
            (seven.clone(), INVALID_REQUEST),
        ),
        (r#"{"jsonrpc":"2.0","id":7,"error":{"code":"1","message":""}}"#, (seven, INVALID_REQUEST)),
        (r#"{"jsonrpc":"2.0","result":1}"#, (None, INVALID_REQUEST)),
    ] {
        assert_eq!(code(body), expected, "{}", body.get(..80).unwrap_or(body));
    }
}

#[test]
fn an_error_without_a_known_id_has_none() {
    let error = RpcError::new(PARSE_ERROR, "no");
    assert!(failure(None, &error).get("id").is_none());
    assert!(notification("n", json!({})).get("params").is_none());
}
