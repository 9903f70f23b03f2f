//! HTTP by hand, so that a request may also be a wrong one.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// A header by its name in lower case; empty if there is none.
    pub(crate) fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }
}

/// A client of one server, with a token or none.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) address: SocketAddr,
    pub(crate) token: Option<String>,
}

impl Client {
    /// Opens a connection and sends the head of a request; headers end with `\r\n` each.
    pub(crate) fn begin(&self, method: &str, path: &str, headers: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let token = self.token.as_ref().map(|token| format!("Authorization: Bearer {token}\r\n"));
        let host = if headers.contains("Host:") {
            String::new()
        } else {
            format!("Host: {}\r\n", self.address)
        };
        let head = format!(
            "{method} {path} HTTP/1.1\r\n{host}Connection: close\r\n{}{headers}\r\n",
            token.unwrap_or_default()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }

    /// Begins an upload of so many bytes, and waits until the server takes it in.
    pub(crate) fn begin_upload(&self, path: &str, bytes: usize) -> TcpStream {
        let headers = format!("Content-Length: {bytes}\r\nExpect: 100-continue\r\n");
        let mut stream = self.begin("POST", path, &headers);
        let mut head = [0; 25];
        stream.read_exact(&mut head).unwrap();
        assert_eq!(&head, b"HTTP/1.1 100 Continue\r\n\r\n");
        stream
    }

    /// A whole exchange.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        let length = match body {
            [] if method != "POST" => String::new(),
            body => format!("Content-Length: {}\r\n", body.len()),
        };
        let mut stream = self.begin(method, path, &format!("{headers}{length}"));
        // A server that refuses need not read it all.
        let _ = stream.write_all(body);
        answer(stream)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "", b"")
    }

    pub(crate) fn upload(&self, query: &str, body: &[u8]) -> Answer {
        self.ask("POST", &format!("/assets{query}"), "", body)
    }

    /// Calls a tool in a session of its own.
    #[track_caller]
    pub(crate) fn call_tool(&self, name: &str, arguments: &Value) -> Value {
        let initialize = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        let begun = self.rpc("", "initialize", &initialize);
        assert_eq!(begun.status, 200, "{begun:?}");
        let session = format!("Mcp-Session-Id: {}\r\n", begun.header("mcp-session-id"));
        let call = json!({ "name": name, "arguments": arguments });
        let called = self.rpc(&session, "tools/call", &call);
        assert_eq!(called.status, 200, "{called:?}");
        if called.header("content-type") == "application/json" {
            return called.json();
        }
        // It took a moment, so it came as a stream of events.
        let body = String::from_utf8(called.body).unwrap();
        let data = body.lines().filter_map(|line| line.strip_prefix("data:"));
        let last = data.map(str::trim).rfind(|data| data.starts_with('{'));
        serde_json::from_str(last.unwrap_or_else(|| panic!("{body}"))).unwrap()
    }

    /// A request of the protocol.
    pub(crate) fn rpc(&self, headers: &str, method: &str, params: &Value) -> Answer {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let usual = "Content-Type: application/json\r\n\
                     Accept: application/json, text/event-stream\r\n";
        self.ask("POST", "/mcp", &format!("{usual}{headers}"), body.to_string().as_bytes())
    }
}

/// Reads the answer to its end.
#[track_caller]
pub(crate) fn answer(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    if let Err(error) = stream.read_to_end(&mut bytes) {
        assert!(!bytes.is_empty(), "no answer: {error}");
    }
    let end = bytes.windows(4).position(|end| end == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let body = bytes[end + 4..].to_vec();
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.map(|line| {
        let (name, value) = line.split_once(':').unwrap();
        (name.to_lowercase(), value.trim().to_owned())
    });
    Answer { status, headers: headers.collect(), body }
}
