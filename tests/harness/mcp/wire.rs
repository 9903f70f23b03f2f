//! What was said, both ways.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::schema;

/// A message as it went over the wire.
#[derive(Clone, Debug)]
pub struct Said {
    /// Whether the server said it.
    pub by_server: bool,
    /// The method of the request on whose stream it came; `GET` for the standalone stream.
    pub on: String,
    /// The message.
    pub message: Value,
}

/// Everything that one client and its server have said. Clones share it.
#[derive(Clone, Default)]
pub struct Wire(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    said: Vec<Said>,
    /// Method and tool of each request of the client, by its id.
    asked: HashMap<String, (String, String)>,
    /// The output schema of each tool.
    outputs: HashMap<String, Value>,
    /// Whether something that the server said was wrong.
    wrong: bool,
}

/// Notices when a check fails.
struct Noticed<'a>(&'a Wire);

impl Drop for Noticed<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.inner().wrong = true;
        }
    }
}

impl Wire {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything so far.
    pub fn all(&self) -> Vec<Said> {
        self.inner().said.clone()
    }

    /// What the server has said with this method.
    pub fn told(&self, method: &str) -> Vec<Value> {
        let all = self.all().into_iter().filter(|said| said.by_server);
        all.map(|said| said.message).filter(|message| message["method"] == method).collect()
    }

    /// The client says something.
    pub(super) fn sent(&self, message: &Value) {
        let mut inner = self.inner();
        let method = message["method"].as_str().unwrap_or_default().to_owned();
        if let (false, Some(id)) = (method.is_empty(), message.get("id")) {
            let tool = message["params"]["name"].as_str().unwrap_or_default().to_owned();
            inner.asked.insert(id.to_string(), (method.clone(), tool));
        }
        inner.said.push(Said { by_server: false, on: method, message: message.clone() });
    }

    /// Whether something that the server said was wrong. Why is on standard error, said by the
    /// thread that has read it.
    pub fn is_wrong(&self) -> bool {
        self.inner().wrong
    }

    /// The server says something; it is checked.
    pub(super) fn heard(&self, on: &str, message: &Value) {
        let _noticed = Noticed(self);
        self.check(on, message);
    }

    fn check(&self, on: &str, message: &Value) {
        let mut inner = self.inner();
        inner.said.push(Said { by_server: true, on: on.to_owned(), message: message.clone() });
        schema::message(message);
        let Some(result) = message.get("result") else { return };
        let Some((method, tool)) = inner.asked.get(&message["id"].to_string()).cloned() else {
            panic!("an answer to nothing: {message}");
        };
        schema::result(&method, result);
        if method == "tools/list" {
            for tool in result["tools"].as_array().into_iter().flatten() {
                let name = tool["name"].as_str().unwrap_or_default().to_owned();
                inner.outputs.insert(name, tool["outputSchema"].clone());
            }
        }
        let tool = if method == "tasks/result" { "video_render".to_owned() } else { tool };
        if let (Some(structured), Some(schema)) =
            (result.get("structuredContent"), inner.outputs.get(&tool))
        {
            schema::fits(&tool, schema, structured);
        }
    }
}
