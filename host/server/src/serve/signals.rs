//! The signals by which a server is told to end.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// All of them, from now on.
pub(crate) struct Signals([Option<Signal>; 4]);

impl Signals {
    /// Takes them over from the system, which would end the process at once.
    pub(crate) fn new() -> Self {
        let kinds = [
            SignalKind::interrupt(),
            SignalKind::terminate(),
            SignalKind::hangup(),
            SignalKind::quit(),
        ];
        Self(kinds.map(|kind| signal(kind).ok()))
    }

    /// The next of them.
    pub(crate) async fn next(&mut self) {
        let [interrupt, terminate, hangup, quit] = &mut self.0;
        tokio::select! {
            () = received(interrupt) => {}
            () = received(terminate) => {}
            () = received(hangup) => {}
            () = received(quit) => {}
        }
    }
}

async fn received(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}
