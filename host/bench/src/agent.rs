//! An agent that speaks the protocol over one connection that is kept.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::Outcome;

/// How long an event is waited for that must come.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long one request may take.
const ANSWER: Duration = Duration::from_secs(60);
const REVISION: &str = "2025-11-25";

/// A session with a server, over one connection.
pub(crate) struct Agent {
    connection: SendRequest<Full<Bytes>>,
    address: SocketAddr,
    token: Option<String>,
    session: Option<String>,
    last_id: u64,
}

/// An answer that is a stream and goes on. Dropping it cuts the connection.
pub(crate) struct Held {
    body: Incoming,
    /// What reads the connection.
    _connection: SendRequest<Full<Bytes>>,
}

impl Agent {
    /// Begins a session.
    pub(crate) async fn connect(address: SocketAddr, token: Option<&str>) -> Outcome<Self> {
        let connection = connect(address).await?;
        let token = token.map(str::to_owned);
        let mut agent = Self { connection, address, token, session: None, last_id: 0 };
        let hello = json!({
            "protocolVersion": REVISION,
            // The official SDK answers about tasks only to those who say that they know them.
            "capabilities": {
                "elicitation": {},
                "extensions": { "io.modelcontextprotocol/tasks": {} },
            },
            "clientInfo": { "name": "bench", "version": "1" },
        });
        let message = agent.request("initialize", &hello);
        let response = agent.post(&message).await?;
        let session = response.headers().get("mcp-session-id");
        let session = session.ok_or("the server began no session")?.to_str()?.to_owned();
        result(&body(response).await?)?;
        agent.session = Some(session);
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        body(agent.post(&ready).await?).await?;
        Ok(agent)
    }

    /// The result of a request.
    pub(crate) async fn ask(&mut self, method: &str, params: &Value) -> Outcome<Value> {
        let message = self.request(method, params);
        let response = self.post(&message).await?;
        result(&timeout(ANSWER, body(response)).await??)
    }

    /// Begins a render as a task; gives its id.
    pub(crate) async fn render(&mut self, arguments: &Value) -> Outcome<String> {
        let call = json!({ "name": "video_render", "arguments": arguments, "task": {} });
        let created = self.ask("tools/call", &call).await?;
        let id = created.pointer("/task/taskId").and_then(Value::as_str);
        Ok(id.ok_or_else(|| format!("no task was created: {created}"))?.to_owned())
    }

    /// A task as it stands.
    pub(crate) async fn task(&mut self, id: &str) -> Outcome<Value> {
        self.ask("tasks/get", &json!({ "taskId": id })).await
    }

    /// Asks for a task's result and leaves the answer open; the session ends its use with it.
    pub(crate) async fn hold(mut self, id: &str) -> Outcome<Held> {
        let message = self.request("tasks/result", &json!({ "taskId": id }));
        let response = self.post(&message).await?;
        Ok(Held { body: response.into_body(), _connection: self.connection })
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.last_id += 1;
        json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params })
    }

    async fn post(&mut self, message: &Value) -> Outcome<Response<Incoming>> {
        let mut request = Request::post("/mcp")
            .header("host", self.address.to_string())
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        if let Some(session) = &self.session {
            request =
                request.header("mcp-session-id", session).header("mcp-protocol-version", REVISION);
        }
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let request = request.body(Full::from(message.to_string()))?;
        self.connection.ready().await?;
        let sent = self.connection.send_request(request);
        let response = timeout(ANSWER, sent).await??;
        if ![StatusCode::OK, StatusCode::ACCEPTED].contains(&response.status()) {
            let status = response.status();
            let said = body(response).await?;
            let said = String::from_utf8_lossy(&said);
            return Err(format!("the server answered {message} with {status}: {said}").into());
        }
        Ok(response)
    }
}

impl Held {
    /// Reads until the server has asked a person.
    pub(crate) async fn is_asked(&mut self) -> Outcome {
        timeout(PATIENCE, self.read_until("elicitation/create")).await?
    }

    async fn read_until(&mut self, word: &str) -> Outcome {
        let mut text = String::new();
        while let Some(frame) = self.body.frame().await {
            if let Ok(data) = frame?.into_data() {
                text.push_str(&String::from_utf8_lossy(&data));
            }
            if text.contains(word) {
                return Ok(());
            }
        }
        Err(format!("a held stream ended: {text}").into())
    }
}

async fn connect(address: SocketAddr) -> Outcome<SendRequest<Full<Bytes>>> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    // Ends with the sender; what breaks is told to whoever waits for an answer.
    tokio::spawn(async move { drop(connection.await) });
    Ok(sender)
}

async fn body(response: Response<Incoming>) -> Outcome<Bytes> {
    Ok(response.into_body().collect().await?.to_bytes())
}

/// The result in an answer: plain JSON, or the last event of a stream.
fn result(body: &[u8]) -> Outcome<Value> {
    let text = std::str::from_utf8(body)?.trim();
    let message = if text.starts_with('{') {
        text
    } else {
        let data = text.lines().rev().find_map(|line| line.strip_prefix("data:"));
        data.map(str::trim).filter(|data| !data.is_empty()).ok_or("an answer without a message")?
    };
    let mut message: Value = serde_json::from_str(message)?;
    let result = message.get_mut("result").map(Value::take);
    result.ok_or_else(|| format!("an answer without a result: {message}").into())
}
