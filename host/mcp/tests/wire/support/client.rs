use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use axum::http::{HeaderMap, Method, Request, StatusCode};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};

use super::schema;

/// How long something may take that should come.
const SOON: Duration = Duration::from_secs(5);
/// How long something is waited for that should not come.
const QUIET: Duration = Duration::from_millis(300);

static NEXT: AtomicU64 = AtomicU64::new(1);

/// A client. Every request has a connection of its own.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) address: SocketAddr,
    pub(crate) session: Option<String>,
    pub(crate) token: Option<String>,
    pub(crate) revision: Option<String>,
    /// Sent in place of the usual ones; an empty value leaves a header out.
    pub(crate) headers: Vec<(&'static str, String)>,
}

/// An answer.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    body: Incoming,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self { address, session: None, token: None, revision: None, headers: Vec::new() }
    }

    pub(crate) fn with(&self, name: &'static str, value: &str) -> Self {
        let mut client = self.clone();
        client.headers.push((name, value.to_owned()));
        client
    }

    pub(crate) async fn send(&self, method: Method, body: impl Into<Bytes>) -> Reply {
        let stream = tokio::net::TcpStream::connect(self.address).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let mut headers = vec![("host", self.address.to_string())];
        if method == Method::POST {
            headers.push(("content-type", "application/json".to_owned()));
            headers.push(("accept", "application/json, text/event-stream".to_owned()));
        } else {
            headers.push(("accept", "text/event-stream".to_owned()));
        }
        headers.extend(self.session.iter().map(|session| ("mcp-session-id", session.clone())));
        headers.extend(self.token.iter().map(|token| ("authorization", format!("Bearer {token}"))));
        headers.extend(self.revision.iter().map(|r| ("mcp-protocol-version", r.clone())));
        for (name, value) in &self.headers {
            headers.retain(|(known, _)| known != name);
            if !value.is_empty() {
                headers.push((name, value.clone()));
            }
        }
        let mut request = Request::builder().method(method).uri("/mcp");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let request = request.body(Full::new(body.into())).unwrap();
        let response = tokio::time::timeout(SOON, sender.send_request(request)).await;
        let (head, body) = response.expect("an answer in time").unwrap().into_parts();
        Reply { status: head.status, headers: head.headers, body }
    }

    pub(crate) async fn post(&self, message: &Value) -> Reply {
        self.send(Method::POST, message.to_string()).await
    }

    pub(crate) async fn get(&self) -> Events {
        self.send(Method::GET, "").await.events()
    }

    pub(crate) async fn resume(&self, after: &str) -> Reply {
        self.with("last-event-id", after).send(Method::GET, "").await
    }

    /// Begins a session and returns the result.
    pub(crate) async fn initialize(&mut self, revision: &str, capabilities: Value) -> Value {
        let params = json!({
            "protocolVersion": revision,
            "capabilities": capabilities,
            "clientInfo": { "name": "test", "version": "1" },
        });
        let reply = self.post(&request("initialize", params)).await;
        assert_eq!(reply.status, StatusCode::OK);
        let session = reply.headers.get("mcp-session-id").expect("a session");
        self.session = Some(session.to_str().unwrap().to_owned());
        let answer = reply.json().await;
        schema::check_result("initialize", &answer["result"]);
        self.revision = answer["result"]["protocolVersion"].as_str().map(str::to_owned);
        let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(self.post(&told).await.status, StatusCode::ACCEPTED);
        answer["result"].clone()
    }

    /// The answer to a request that comes as plain JSON.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        let reply = self.post(&request(method, params)).await;
        assert_eq!(reply.status, StatusCode::OK, "{method}");
        let answer = reply.json().await;
        if let Some(result) = answer.get("result") {
            schema::check_result(method, result);
        }
        answer
    }

    pub(crate) async fn result(&self, method: &str, params: Value) -> Value {
        let answer = self.ask(method, params).await;
        answer.get("result").unwrap_or_else(|| panic!("{method}: {answer}")).clone()
    }

    pub(crate) async fn error(&self, method: &str, params: Value) -> i64 {
        let answer = self.ask(method, params).await;
        answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("{method}: {answer}"))
    }

    /// The answer to a request that comes as a stream.
    pub(crate) async fn open(&self, method: &str, params: Value) -> Events {
        self.post(&request(method, params)).await.events()
    }

    /// Answers a request of the server.
    pub(crate) async fn respond(&self, id: &Value, result: Value) -> StatusCode {
        self.post(&json!({ "jsonrpc": "2.0", "id": id, "result": result })).await.status
    }

    pub(crate) async fn notify(&self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        assert_eq!(self.post(&message).await.status, StatusCode::ACCEPTED);
    }
}

/// A request with an id of its own.
pub(crate) fn request(method: &str, params: Value) -> Value {
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

impl Reply {
    pub(crate) async fn bytes(self) -> Bytes {
        self.body.collect().await.unwrap().to_bytes()
    }

    pub(crate) async fn json(self) -> Value {
        assert_eq!(self.headers["content-type"], "application/json", "{}", self.status);
        let message = serde_json::from_slice(&self.bytes().await).unwrap();
        schema::check(&message);
        message
    }

    pub(crate) fn events(self) -> Events {
        assert_eq!(self.status, StatusCode::OK);
        assert_eq!(self.headers["content-type"], "text/event-stream");
        assert_eq!(self.headers["x-accel-buffering"], "no");
        Events { body: self.body, text: String::new(), last: None, seen: Vec::new() }
    }
}

/// One event.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) retry: Option<u64>,
    pub(crate) data: String,
}

/// A stream that is being read. Dropping it cuts the connection.
pub(crate) struct Events {
    body: Incoming,
    text: String,
    /// The id of the newest event.
    pub(crate) last: Option<String>,
    /// All events so far.
    pub(crate) seen: Vec<Event>,
}

impl Events {
    /// The next event; `None` at the end.
    pub(crate) async fn event(&mut self) -> Option<Event> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                let event = read(&block);
                self.last = Some(event.id.clone());
                self.seen.push(event.clone());
                return Some(event);
            }
            let frame = self.body.frame().await?;
            let Ok(frame) = frame else { return None };
            self.text.push_str(std::str::from_utf8(&frame.into_data().unwrap()).unwrap());
        }
    }

    /// The next message, without priming events; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let message = async {
            loop {
                let event = self.event().await?;
                if !event.data.is_empty() {
                    return Some(serde_json::from_str(&event.data).unwrap());
                }
            }
        };
        let message = tokio::time::timeout(SOON, message).await.expect("an event in time");
        message.inspect(schema::check)
    }

    /// The next message, which must come.
    pub(crate) async fn message(&mut self) -> Value {
        self.next().await.expect("a message before the end")
    }

    /// The next message with this method.
    pub(crate) async fn wait_for(&mut self, method: &str) -> Value {
        loop {
            let message = self.message().await;
            if message["method"] == method {
                return message;
            }
        }
    }

    /// The answer, and every message before it.
    pub(crate) async fn answer(&mut self) -> (Value, Vec<Value>) {
        let mut before = Vec::new();
        loop {
            let message = self.message().await;
            if message.get("method").is_none() {
                assert_eq!(self.next().await, None, "the stream ends after the answer");
                return (message, before);
            }
            before.push(message);
        }
    }

    /// Nothing comes for a while.
    pub(crate) async fn is_quiet(&mut self) {
        if let Ok(event) = tokio::time::timeout(QUIET, self.event()).await
            && event.as_ref().is_none_or(|event| !event.data.is_empty())
        {
            panic!("not quiet: {event:?}");
        }
    }

    /// Whether a keep-alive comes.
    pub(crate) async fn keeps_alive(&mut self) -> bool {
        let waiting = async {
            while !self.text.contains(": keep-alive\n") {
                let frame = self.body.frame().await.unwrap().unwrap();
                self.text.push_str(std::str::from_utf8(&frame.into_data().unwrap()).unwrap());
            }
        };
        tokio::time::timeout(SOON, waiting).await.is_ok()
    }
}

fn read(block: &str) -> Event {
    let mut event = Event { id: String::new(), retry: None, data: String::new() };
    for line in block.lines() {
        match line.split_once(':').unwrap() {
            ("", _comment) => {}
            ("id", id) => event.id = id.trim().to_owned(),
            ("retry", retry) => event.retry = Some(retry.trim().parse().unwrap()),
            ("data", data) => event.data = data.trim().to_owned(),
            other => panic!("{other:?}"),
        }
    }
    assert!(!event.id.is_empty(), "every event has an id: {block}");
    event
}
