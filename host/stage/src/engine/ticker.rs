//! The thread that drives the time limits.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::TICK_MS;

/// Advances an engine's epoch at every tick until it is dropped.
pub(super) struct Ticker {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    pub(super) fn start(engine: &wasmtime::Engine) -> io::Result<Self> {
        let engine = engine.weak();
        let (stop, stopped) = mpsc::channel();
        let run = move || {
            let tick = Duration::from_millis(TICK_MS);
            while stopped.recv_timeout(tick) == Err(RecvTimeoutError::Timeout) {
                match engine.upgrade() {
                    Some(engine) => engine.increment_epoch(),
                    None => break,
                }
            }
        };
        let thread = thread::Builder::new().name("plugin-ticker".into()).spawn(run)?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            // The thread cannot fail in a way that matters to whoever drops the engine.
            let _ = thread.join();
        }
    }
}
