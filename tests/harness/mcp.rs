//! The program as a server, and agents that speak with it by hand: every message both ways is kept,
//! and what the server says is checked against the protocol's schema and the tools' own.

pub mod client;
pub mod golden;
pub mod http;
pub mod registry;
pub mod schema;
pub mod server;
pub mod wire;

pub use client::{Client, Stream};
pub use server::Server;
pub use wire::{Said, Wire};

use std::time::{Duration, Instant};

use serde_json::Value;

/// How long something that must happen may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// The key under which a message names the task that it belongs to.
pub const RELATED: &str = "/_meta/io.modelcontextprotocol~1related-task/taskId";

/// Asks until there is an answer.
#[track_caller]
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A text inside a message.
#[track_caller]
pub fn text<'a>(message: &'a Value, pointer: &str) -> &'a str {
    let found = message.pointer(pointer).and_then(Value::as_str);
    found.unwrap_or_else(|| panic!("no text at {pointer}: {message:#}"))
}
