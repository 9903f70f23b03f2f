//! Server-sent events as bytes.

use std::time::Duration;

use bytes::Bytes;

/// Says that the stream is there. One line: a blank line after it would end an event, and some
/// parsers then hand out an empty one.
pub(crate) const KEEP_ALIVE: Bytes = Bytes::from_static(b": keep-alive\n");

/// One event. The text is JSON on one line.
pub(crate) fn event(id: &str, retry: Option<Duration>, text: &str) -> Bytes {
    let retry = match retry {
        Some(retry) => format!("retry: {}\n", retry.as_millis()),
        None => String::new(),
    };
    let space = if text.is_empty() { "" } else { " " };
    format!("id: {id}\n{retry}data:{space}{text}\n\n").into()
}
