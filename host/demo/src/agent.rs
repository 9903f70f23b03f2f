//! The agent: a client of MCP 2025-11-25 over streamable HTTP.

use std::io::{BufReader, Read as _};
use std::time::Duration;

use serde_json::{Value, json};
use ureq::Body;
use ureq::http::Response;

use crate::Outcome;
use crate::exchange::{Exchange, From};

const REVISION: &str = "2025-11-25";
/// How long one request may take, a held result and a person's thinking included.
const PATIENCE: Duration = Duration::from_secs(900);
/// How often a result is asked for whose stream ends early.
const ATTEMPTS: u32 = 3;
/// How much one answer or stream may hold; a preview is well under it.
const ANSWER_BYTES: u64 = 16 << 20;

/// One session with the server.
pub(crate) struct Agent {
    client: ureq::Agent,
    endpoint: String,
    session: Option<String>,
    last_id: u64,
}

/// Answers a request that the server makes while it holds ours.
pub(crate) type Answer<'a> = dyn FnMut(&mut Exchange, &Value) -> Outcome<Value> + 'a;

impl Agent {
    /// An agent without a session yet.
    pub(crate) fn new(endpoint: String) -> Self {
        let client = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .build()
            .into();
        Self { client, endpoint, session: None, last_id: 0 }
    }

    /// Opens the session.
    pub(crate) fn initialize(&mut self, exchange: &mut Exchange) -> Outcome<Value> {
        let params = json!({
            "protocolVersion": REVISION,
            "capabilities": { "elicitation": { "form": {} } },
            "clientInfo": { "name": "demo", "version": env!("CARGO_PKG_VERSION") },
        });
        let result = self.call(exchange, "initialize", params, true, &mut refuse)?;
        let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        exchange.message(From::Agent, Some("notifications/initialized"), &note)?;
        self.post(&note)?;
        Ok(result)
    }

    /// Makes a request and waits for its result, answering what the server asks meanwhile.
    ///
    /// # Errors
    /// The server answers with an error, in another form, or not within the limits.
    pub(crate) fn call(
        &mut self,
        exchange: &mut Exchange,
        method: &str,
        params: Value,
        shown: bool,
        answer: &mut Answer<'_>,
    ) -> Outcome<Value> {
        self.last_id += 1;
        let id = json!(self.last_id);
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        exchange.message(From::Agent, shown.then_some(method), &request)?;
        for _ in 0..ATTEMPTS {
            if let Some(result) = self.attempt(exchange, &request, method, shown, answer)? {
                return Ok(result);
            }
            // A held result is there to be asked for again; what starts something is not.
            if method != "tasks/result" {
                break;
            }
            exchange.note("the stream ended early; asking again");
        }
        Err(format!("the stream ended before the result of {method}").into())
    }

    /// Sends a request; nothing, if the stream ends before the result.
    fn attempt(
        &mut self,
        exchange: &mut Exchange,
        request: &Value,
        method: &str,
        shown: bool,
        answer: &mut Answer<'_>,
    ) -> Outcome<Option<Value>> {
        let id = request.get("id");
        let response = self.post(request)?;
        if let Some(session) = header(&response, "mcp-session-id") {
            self.session = Some(session);
        }
        let is_stream = header(&response, "content-type")
            .is_some_and(|kind| kind.starts_with("text/event-stream"));
        let mut reader = BufReader::new(response.into_body().into_reader().take(ANSWER_BYTES));
        loop {
            let message = if is_stream {
                match event(&mut reader)? {
                    Some(message) => message,
                    None => return Ok(None),
                }
            } else {
                serde_json::from_reader(&mut reader)?
            };
            if message.get("method").is_none() && message.get("id") == id {
                return finish(exchange, method, &message, shown).map(Some);
            }
            let name = message.get("method").and_then(Value::as_str).unwrap_or("?");
            let Some(asked) = message.get("id") else {
                // Progress and status: whole in the file, not on the terminal.
                exchange.message(From::Server, None, &message)?;
                continue;
            };
            exchange.message(From::Server, Some(name), &message)?;
            let result = answer(exchange, &message)?;
            let reply = json!({ "jsonrpc": "2.0", "id": asked, "result": result });
            exchange.message(From::Agent, Some("(answer)"), &reply)?;
            self.post(&reply)?;
        }
    }

    fn post(&self, message: &Value) -> Outcome<Response<Body>> {
        let mut request = self
            .client
            .post(&self.endpoint)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        if let Some(session) = &self.session {
            request =
                request.header("mcp-session-id", session).header("mcp-protocol-version", REVISION);
        }
        let mut response = request.send(message.to_string())?;
        if response.status().is_success() {
            return Ok(response);
        }
        let said = response.body_mut().read_to_string().unwrap_or_default();
        Err(format!("the server answered {}: {said}", response.status()).into())
    }
}

/// For requests during which the server has nothing to ask.
pub(crate) fn refuse(_: &mut Exchange, message: &Value) -> Outcome<Value> {
    Err(format!("the server asked out of turn: {message}").into())
}

fn finish(exchange: &mut Exchange, method: &str, message: &Value, shown: bool) -> Outcome<Value> {
    exchange.message(From::Server, shown.then_some(method), message)?;
    match message.get("result") {
        Some(result) => Ok(result.clone()),
        None => Err(format!("{method} failed: {message}").into()),
    }
}

fn header(response: &Response<Body>, name: &str) -> Option<String> {
    response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

/// The next message of a stream, if it has not ended; comments and events without data are passed over.
fn event(reader: &mut impl std::io::BufRead) -> Outcome<Option<Value>> {
    let (mut data, mut line) = (String::new(), String::new());
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let text = line.trim_end_matches(['\r', '\n']);
        if let Some(part) = text.strip_prefix("data:") {
            data.push_str(part.strip_prefix(' ').unwrap_or(part));
            data.push('\n');
        } else if text.is_empty() && !data.is_empty() {
            if !data.trim().is_empty() {
                return Ok(Some(serde_json::from_str(&data)?));
            }
            data.clear();
        }
    }
}
