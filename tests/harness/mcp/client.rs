//! An agent that speaks the protocol by hand.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::http::{self, Answer, Cut};
use super::{PATIENCE, Wire};

static NEXT: AtomicU64 = AtomicU64::new(1);

/// How long something is waited for that should not come.
const QUIET: Duration = Duration::from_millis(400);

/// An agent. A clone goes on with the same session.
#[derive(Clone)]
pub struct Client {
    /// Where its server is.
    pub address: SocketAddr,
    /// Its session.
    pub session: Option<String>,
    /// Its token.
    pub token: Option<String>,
    /// The revision that was agreed on.
    pub revision: Option<String>,
    /// Headers that are sent in place of the usual ones; an empty value leaves one out.
    pub headers: Vec<(String, String)>,
    /// All that was said.
    pub wire: Wire,
    /// What the server said of itself.
    pub server: Value,
    /// The tools.
    pub tools: Value,
}

impl Drop for Client {
    fn drop(&mut self) {
        if !thread::panicking() {
            assert!(!self.wire.is_wrong(), "the server said something wrong, see above");
        }
    }
}

impl Client {
    /// A client without a session.
    pub fn new(address: SocketAddr) -> Self {
        Self {
            address,
            session: None,
            token: None,
            revision: None,
            headers: Vec::new(),
            wire: Wire::default(),
            server: Value::Null,
            tools: Value::Null,
        }
    }

    /// A client with a session, which has read the list of tools.
    pub fn connect(address: SocketAddr, token: Option<&str>, can: &Value) -> Self {
        let mut client = Self::new(address);
        client.token = token.map(str::to_owned);
        client.begin("2025-11-25", can);
        client
    }

    /// Begins a session.
    pub fn begin(&mut self, revision: &str, can: &Value) {
        let params = json!({
            "protocolVersion": revision,
            "capabilities": can,
            "clientInfo": { "name": "test", "version": "1" },
        });
        let message = request("initialize", params);
        self.wire.sent(&message);
        let (mut answer, _) = self.send("POST", "/mcp", message.to_string().as_bytes());
        let body: Value = serde_json::from_slice(&answer.bytes().unwrap()).unwrap();
        assert_eq!(answer.status, 200, "{body}");
        self.session = Some(answer.header("mcp-session-id").to_owned());
        self.wire.heard("initialize", &body);
        self.server = body["result"].clone();
        self.revision = self.server["protocolVersion"].as_str().map(str::to_owned);
        self.notify("notifications/initialized", json!({}));
        self.tools = self.result("tools/list", json!({}))["tools"].clone();
    }

    /// The same with another header.
    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut client = self.clone();
        client.headers.push((name.to_owned(), value.to_owned()));
        client
    }

    /// Sends anything.
    #[track_caller]
    pub fn send(&self, method: &str, path: &str, body: &[u8]) -> (Answer, Cut) {
        let mut headers = match method {
            "POST" => vec![
                ("content-type".to_owned(), "application/json".to_owned()),
                ("accept".to_owned(), "application/json, text/event-stream".to_owned()),
            ],
            _ => vec![("accept".to_owned(), "text/event-stream".to_owned())],
        };
        let mut say = |name: &str, value: &Option<String>, before: &str| {
            headers.extend(value.iter().map(|v| (name.to_owned(), format!("{before}{v}"))));
        };
        say("mcp-session-id", &self.session, "");
        say("mcp-protocol-version", &self.revision, "");
        say("authorization", &self.token, "Bearer ");
        for (name, value) in &self.headers {
            headers.retain(|(known, _)| known != name);
            headers.push((name.clone(), value.clone()));
        }
        http::send(self.address, method, path, &headers, body).unwrap()
    }

    /// Sends a body and reads the whole answer: status and JSON, null if it is none.
    #[track_caller]
    pub fn raw(&self, method: &str, body: &str) -> (u16, Value) {
        let (mut answer, _) = self.send(method, "/mcp", body.as_bytes());
        let bytes = answer.bytes().unwrap();
        (answer.status, serde_json::from_slice(&bytes).unwrap_or_default())
    }

    /// Posts a message that is no request.
    #[track_caller]
    fn post(&self, message: &Value) -> u16 {
        self.wire.sent(message);
        self.raw("POST", &message.to_string()).0
    }

    /// Says something that needs no answer.
    #[track_caller]
    pub fn notify(&self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        assert_eq!(self.post(&message), 202, "{message}");
    }

    /// Answers a request of the server; gives the status.
    #[track_caller]
    pub fn respond(&self, request: &Value, result: Value) -> u16 {
        self.post(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": result }))
    }

    /// Answers a request of the server with an error; gives the status.
    #[track_caller]
    pub fn fail(&self, request: &Value, code: i64, message: &str) -> u16 {
        let error = json!({ "code": code, "message": message });
        self.post(&json!({ "jsonrpc": "2.0", "id": request["id"], "error": error }))
    }

    /// Asks, and leaves it open.
    #[track_caller]
    pub fn open(&self, method: &str, params: Value) -> Stream {
        let message = request(method, params);
        self.wire.sent(&message);
        let (answer, cut) = self.send("POST", "/mcp", message.to_string().as_bytes());
        assert_eq!(answer.status, 200, "{message}");
        Stream::read(answer, cut, method, &self.wire)
    }

    /// The standalone stream.
    #[track_caller]
    pub fn listen(&self) -> Stream {
        let (answer, cut) = self.send("GET", "/mcp", b"");
        assert_eq!(answer.status, 200);
        Stream::read(answer, cut, "GET", &self.wire)
    }

    /// Goes on with a stream after an event.
    #[track_caller]
    pub fn resume(&self, after: &str) -> Stream {
        let (answer, cut) = self.with("last-event-id", after).send("GET", "/mcp", b"");
        assert_eq!(answer.status, 200);
        Stream::read(answer, cut, "GET", &self.wire)
    }

    /// The whole answer to a request.
    #[track_caller]
    pub fn ask(&self, method: &str, params: Value) -> Value {
        self.open(method, params).answer()
    }

    /// The result of a request.
    #[track_caller]
    pub fn result(&self, method: &str, params: Value) -> Value {
        let answer = self.ask(method, params);
        answer.get("result").unwrap_or_else(|| panic!("{method}: {answer:#}")).clone()
    }

    /// The error of a request.
    #[track_caller]
    pub fn error(&self, method: &str, params: Value) -> Value {
        let answer = self.ask(method, params);
        answer.get("error").unwrap_or_else(|| panic!("{method}: {answer:#}")).clone()
    }

    /// The result of a tool.
    #[track_caller]
    pub fn tool(&self, name: &str, arguments: Value) -> Value {
        self.result("tools/call", json!({ "name": name, "arguments": arguments }))
    }

    /// What a tool says when all is well.
    #[track_caller]
    pub fn told(&self, name: &str, arguments: Value) -> Value {
        let result = self.tool(name, arguments);
        assert!(!result["isError"].as_bool().unwrap_or(false), "{result:#}");
        result["structuredContent"].clone()
    }

    /// What a tool says when something is wrong; the code must be this.
    #[track_caller]
    pub fn refused(&self, name: &str, arguments: Value, code: &str) -> Value {
        let result = self.tool(name, arguments);
        assert_eq!(result["isError"], true, "{result:#}");
        assert_eq!(result["structuredContent"]["code"], code, "{result:#}");
        result["structuredContent"].clone()
    }

    /// Begins a render as a task; returns its id.
    #[track_caller]
    pub fn create(&self, arguments: Value) -> String {
        let call = json!({ "name": "video_render", "arguments": arguments, "task": {} });
        super::text(&self.result("tools/call", call), "/task/taskId").to_owned()
    }

    /// A task as it stands.
    #[track_caller]
    pub fn task(&self, id: &str) -> Value {
        self.result("tasks/get", json!({ "taskId": id }))
    }

    /// Waits until a task has this status; any other end is a failure.
    #[track_caller]
    pub fn wait_for(&self, id: &str, status: &str) -> Value {
        super::until(&format!("{id} is {status}"), || {
            let task = self.task(id);
            let ended =
                matches!(super::text(&task, "/status"), "completed" | "failed" | "cancelled");
            assert!(!ended || task["status"] == status, "not {status}: {task:#}");
            (task["status"] == status).then_some(task)
        })
    }

    /// The answer of `tasks/result`, left open.
    #[track_caller]
    pub fn hold(&self, id: &str) -> Stream {
        self.open("tasks/result", json!({ "taskId": id }))
    }

    /// A render's status by the fallback tool.
    #[track_caller]
    pub fn status(&self, id: &str) -> Value {
        self.told("video_get_render_status", json!({ "render_id": id }))
    }

    /// Fetches a file of the server by its whole address.
    #[track_caller]
    pub fn fetch(&self, url: &str) -> (u16, Vec<u8>) {
        let path = url.strip_prefix(&format!("http://{}", self.address));
        let path = path.unwrap_or_else(|| panic!("not of this server: {url}"));
        let mut stranger = Self::new(self.address);
        stranger.headers.push(("accept".to_owned(), String::new()));
        let (mut answer, _) = stranger.send("GET", path, b"");
        (answer.status, answer.bytes().unwrap())
    }
}

/// A request with an id of its own.
pub fn request(method: &str, params: Value) -> Value {
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// An event of a stream.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its id, if it has one.
    pub id: Option<String>,
    /// The message; null where there is none.
    pub message: Value,
}

/// An answer while it is read by a thread of its own. Dropping it cuts the connection.
pub struct Stream {
    /// Whether it is a stream of events.
    pub is_stream: bool,
    events: Receiver<Event>,
    cut: Cut,
    /// All that was taken from it.
    pub seen: Vec<Event>,
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.cut.cut();
    }
}

impl Stream {
    fn read(mut answer: Answer, cut: Cut, on: &str, wire: &Wire) -> Self {
        let (sender, events) = channel();
        let is_stream = answer.header("content-type").starts_with("text/event-stream");
        let (on, wire) = (on.to_owned(), wire.clone());
        thread::spawn(move || {
            if !is_stream {
                let message: Value = serde_json::from_slice(&answer.bytes().unwrap()).unwrap();
                wire.heard(&on, &message);
                let _ = sender.send(Event { id: None, message });
                return;
            }
            let mut text = Vec::new();
            while let Some(block) = answer.block(&mut text) {
                let event = event(&block);
                if !event.message.is_null() {
                    wire.heard(&on, &event.message);
                }
                if (event.id.is_some() || !event.message.is_null()) && sender.send(event).is_err() {
                    return;
                }
            }
        });
        Self { is_stream, events, cut, seen: Vec::new() }
    }

    /// The id of the newest event that was taken.
    pub fn last(&self) -> String {
        let ids = self.seen.iter().rev().find_map(|event| event.id.clone());
        ids.expect("an event with an id")
    }

    /// The next event; none at the end.
    #[track_caller]
    pub fn event(&mut self) -> Option<Event> {
        match self.events.recv_timeout(PATIENCE) {
            Ok(event) => {
                self.seen.push(event.clone());
                Some(event)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("nothing comes; so far: {:#?}", self.seen),
        }
    }

    /// The next message; none at the end.
    #[track_caller]
    pub fn message(&mut self) -> Option<Value> {
        loop {
            let event = self.event()?;
            if !event.message.is_null() {
                return Some(event.message);
            }
        }
    }

    /// The next message with this method.
    #[track_caller]
    pub fn wait_for(&mut self, method: &str) -> Value {
        loop {
            let message = self.message();
            let message = message.unwrap_or_else(|| panic!("no {method}: {:#?}", self.seen));
            if message["method"] == method {
                return message;
            }
            assert!(message.get("method").is_some(), "no {method} but {message:#}");
        }
    }

    /// The answer, which ends the stream.
    #[track_caller]
    pub fn answer(&mut self) -> Value {
        loop {
            let message = self.message().unwrap_or_else(|| panic!("no answer: {:#?}", self.seen));
            if message.get("method").is_none() {
                assert!(self.message().is_none(), "the stream goes on after its answer");
                return message;
            }
        }
    }

    /// Nothing comes for a while; progress does not count.
    #[track_caller]
    pub fn is_quiet(&mut self) {
        if let Ok(event) = self.events.recv_timeout(QUIET) {
            let quiet = event.message.is_null();
            self.seen.push(event);
            assert!(quiet, "not quiet: {:#?}", self.seen.last());
        }
    }

    /// Cuts the connection.
    pub fn cut(self) {
        drop(self);
    }
}

fn event(block: &str) -> Event {
    let mut event = Event { id: None, message: Value::Null };
    for line in block.lines() {
        match line.split_once(':') {
            Some(("id", id)) => event.id = Some(id.trim().to_owned()),
            Some(("data", data)) if !data.trim().is_empty() => {
                event.message = serde_json::from_str(data).unwrap();
            }
            _ => {}
        }
    }
    event
}
