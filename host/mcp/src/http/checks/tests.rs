use axum::http::{HeaderName, HeaderValue};

use super::*;

fn headers(name: HeaderName, values: &[&str]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for value in values {
        headers.append(&name, HeaderValue::from_str(value).unwrap());
    }
    headers
}

fn these(names: &[&str]) -> Allowed {
    Allowed::These(names.iter().map(|name| (*name).to_owned()).collect())
}

#[test]
fn hosts() {
    for (allowed, host, yes) in [
        (Allowed::Loopback, "localhost", true),
        (Allowed::Loopback, "LOCALHOST:8080", true),
        (Allowed::Loopback, "127.0.0.1:1", true),
        (Allowed::Loopback, "[::1]:9", true),
        (Allowed::Loopback, "[::1]", true),
        (Allowed::Loopback, "evil.example", false),
        (Allowed::Loopback, "localhost.evil.example", false),
        (Allowed::Loopback, "localhost:80:80", false),
        (Allowed::Loopback, "", false),
        (these(&["render.example"]), "render.example:443", true),
        (these(&["render.example"]), "other.example", false),
        (these(&["render.example"]), "localhost", false),
        (these(&["render.example:8443"]), "render.example:8443", true),
        (these(&["render.example:8443"]), "render.example", false),
        (Allowed::Any, "evil.example", true),
    ] {
        let found = host_allowed(&allowed, &headers(header::HOST, &[host]), &Uri::default());
        assert_eq!(found, yes, "{allowed:?} {host}");
    }
    assert!(!host_allowed(&Allowed::Loopback, &HeaderMap::new(), &Uri::default()));
    let named = Uri::from_static("http://localhost/mcp");
    assert!(host_allowed(&Allowed::Loopback, &HeaderMap::new(), &named));
}

#[test]
fn origins() {
    for (allowed, origins, yes) in [
        (Allowed::Loopback, &[][..], true),
        (Allowed::Loopback, &["http://localhost:6274"], true),
        (Allowed::Loopback, &["https://127.0.0.1"], true),
        (Allowed::Loopback, &["http://evil.example"], false),
        (Allowed::Loopback, &["http://localhost.evil.example"], false),
        (Allowed::Loopback, &["null"], false),
        (Allowed::Loopback, &["http://localhost", "http://evil.example"], false),
        (these(&["https://app.example"]), &["https://app.example"], true),
        (these(&["https://app.example"]), &["http://app.example"], false),
        (these(&["https://app.example"]), &[], true),
        (Allowed::Any, &["http://evil.example"], true),
    ] {
        let found = origin_allowed(&allowed, &headers(header::ORIGIN, origins));
        assert_eq!(found, yes, "{allowed:?} {origins:?}");
    }
}

#[test]
fn content_types() {
    for (value, yes) in [
        ("application/json", true),
        ("Application/JSON; charset=utf-8", true),
        ("application/jsonx", false),
        ("text/plain", false),
        ("", false),
    ] {
        assert_eq!(is_json(&headers(header::CONTENT_TYPE, &[value])), yes, "{value}");
    }
    assert!(!is_json(&HeaderMap::new()));
}

#[test]
fn accepted_types() {
    for (values, json, stream) in [
        (&["application/json, text/event-stream"][..], true, true),
        (&["application/json", "text/event-stream"], true, true),
        (&["*/*"], true, true),
        (&["application/*;q=0.5"], true, false),
        (&["application/json"], true, false),
        (&["text/event-stream;q=0.1"], false, true),
        (&["application/json, text/event-stream;q=0"], true, false),
        (&["text/html"], false, false),
        (&[], false, false),
    ] {
        let headers = headers(header::ACCEPT, values);
        assert_eq!(accepts(&headers, "application/json"), json, "{values:?}");
        assert_eq!(accepts(&headers, "text/event-stream"), stream, "{values:?}");
    }
}
