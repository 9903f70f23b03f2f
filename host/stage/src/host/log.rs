//! What a plugin writes to its standard output and error.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use tokio::io::AsyncWrite;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamResult};

/// The most bytes of a line that are forwarded at once.
const LINE_BYTES: usize = 4096;

/// The log of one instance: forwards whole lines to the host's own log, up to a limit.
pub(crate) struct Log {
    plugin: String,
    state: Mutex<State>,
}

struct State {
    room: u64,
    dropped: u64,
    out: Vec<u8>,
    err: Vec<u8>,
    last_words: Option<String>,
}

#[derive(Clone, Copy)]
enum Channel {
    Out,
    Err,
}

impl Log {
    /// A log that keeps so many bytes.
    pub(crate) fn new(plugin: &str, room: u64) -> Arc<Self> {
        let state = State { room, dropped: 0, out: vec![], err: vec![], last_words: None };
        Arc::new(Self { plugin: plugin.to_owned(), state: Mutex::new(state) })
    }

    pub(super) fn stdout(self: &Arc<Self>) -> Stream {
        Stream { log: Arc::clone(self), channel: Channel::Out }
    }

    pub(super) fn stderr(self: &Arc<Self>) -> Stream {
        Stream { log: Arc::clone(self), channel: Channel::Err }
    }

    /// The last line on standard error, remarks of the language's runtime apart.
    pub(crate) fn last_words(&self) -> Option<String> {
        self.with(|state| {
            state.end_line(&self.plugin, Channel::Err);
            state.last_words.clone()
        })
    }

    fn write(&self, channel: Channel, bytes: &[u8]) {
        self.with(|state| state.write(&self.plugin, channel, bytes));
    }

    fn with<T>(&self, use_state: impl FnOnce(&mut State) -> T) -> T {
        use_state(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        let plugin = &self.plugin;
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        state.end_line(plugin, Channel::Out);
        state.end_line(plugin, Channel::Err);
        if state.dropped > 0 {
            tracing::warn!(
                plugin,
                bytes = state.dropped,
                "the plugin wrote too much; the rest is dropped"
            );
        }
    }
}

impl State {
    fn write(&mut self, plugin: &str, channel: Channel, bytes: &[u8]) {
        let kept = usize::try_from(self.room).unwrap_or(usize::MAX).min(bytes.len());
        let (kept, dropped) = bytes.split_at_checked(kept).unwrap_or((bytes, &[]));
        self.room -= kept.len() as u64;
        self.dropped += dropped.len() as u64;
        for byte in kept {
            let line = self.line(channel);
            if *byte != b'\n' {
                line.push(*byte);
            }
            if *byte == b'\n' || line.len() >= LINE_BYTES {
                self.end_line(plugin, channel);
            }
        }
    }

    fn line(&mut self, channel: Channel) -> &mut Vec<u8> {
        match channel {
            Channel::Out => &mut self.out,
            Channel::Err => &mut self.err,
        }
    }

    fn end_line(&mut self, plugin: &str, channel: Channel) {
        let line = std::mem::take(self.line(channel));
        let line = printable(&String::from_utf8_lossy(&line));
        if line.is_empty() {
            return;
        }
        match channel {
            Channel::Out => tracing::info!(plugin, stream = "stdout", "{line}"),
            Channel::Err => {
                tracing::info!(plugin, stream = "stderr", "{line}");
                if !line.starts_with("note: ") {
                    self.last_words = Some(line);
                }
            }
        }
    }
}

/// The text without what could steer a terminal or fake a line.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect::<String>().trim().to_owned()
}

/// One of the two streams, as WASI wants it.
#[derive(Clone)]
pub(super) struct Stream {
    log: Arc<Log>,
    channel: Channel,
}

impl IsTerminal for Stream {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Stream {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }

    // Not the default adapter: it writes later, and the last line is wanted as soon as a call ends.
    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for Stream {
    async fn ready(&mut self) {}
}

impl OutputStream for Stream {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.log.write(self.channel, &bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(64 << 10)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, b: &[u8]) -> Poll<io::Result<usize>> {
        self.log.write(self.channel, b);
        Poll::Ready(Ok(b.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_an_error_is_kept_without_control_characters() {
        let log = Log::new("p", 1000);
        log.write(Channel::Err, b"panicked:\n\x1b[31mno ra");
        log.write(Channel::Out, b"something else\n");
        log.write(Channel::Err, b"ster\x07\nnote: run again\n\n");
        assert_eq!(log.last_words().as_deref(), Some("[31mno raster"));
    }

    #[test]
    fn an_unfinished_line_counts() {
        let log = Log::new("p", 1000);
        log.write(Channel::Err, b"half");
        assert_eq!(log.last_words().as_deref(), Some("half"));
    }

    #[test]
    fn what_is_too_much_is_dropped_and_counted() {
        let log = Log::new("p", 5);
        log.write(Channel::Out, b"abc");
        log.write(Channel::Err, b"defg");
        assert_eq!(log.last_words().as_deref(), Some("de"));
        assert_eq!(log.with(|state| (state.room, state.dropped)), (0, 2));
    }
}
