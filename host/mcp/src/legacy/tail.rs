//! One connection that reads a stream.

use std::{convert::Infallible, sync::Arc};

use bytes::Bytes;
use futures::{Stream, stream};
use tokio::{sync::watch, time::Instant};

use super::{
    lock,
    log::{Next, event_id},
    session::Session,
};
use crate::{http::sse, storage::Place};

/// Reads a stream from a place on, at the pace of its connection. Dropping it tells the session
/// that the connection is gone.
pub(crate) struct Tail {
    session: Arc<Session>,
    place: Place,
    generation: u64,
    news: watch::Receiver<()>,
    begun: bool,
    done: bool,
}

impl Tail {
    pub(crate) fn new(
        session: Arc<Session>,
        place: Place,
        generation: u64,
        news: watch::Receiver<()>,
    ) -> Self {
        Self { session, place, generation, news, begun: false, done: false }
    }

    /// As a body.
    pub(crate) fn into_stream(self) -> impl Stream<Item = Result<Bytes, Infallible>> + Send {
        stream::unfold(self, async |mut tail| tail.chunk().await.map(|chunk| (Ok(chunk), tail)))
    }

    async fn chunk(&mut self) -> Option<Bytes> {
        let retry = self.session.config.retry;
        // The first event that a client can resume from. Older clients would read its empty data
        // as JSON.
        if !self.begun && self.session.has_tasks() {
            self.begun = true;
            return Some(sse::event(&event_id(self.place), Some(retry), ""));
        }
        loop {
            if self.done {
                return None;
            }
            self.news.mark_unchanged();
            let next = lock(&self.session.log).next(self.place, self.generation, Instant::now());
            match next {
                Next::Message(seq, text) => {
                    self.place.seq = seq;
                    let retry = (!std::mem::replace(&mut self.begun, true)).then_some(retry);
                    return Some(sse::event(&event_id(self.place), retry, &text));
                }
                Next::Wait => tokio::select! {
                    _ = self.news.changed() => {}
                    () = tokio::time::sleep(self.session.config.keep_alive) => {
                        return Some(sse::KEEP_ALIVE);
                    }
                },
                Next::Finished => {
                    self.done = true;
                    self.session.finished(self.place.stream).await;
                }
                Next::Left => self.done = true,
            }
        }
    }
}

impl Drop for Tail {
    fn drop(&mut self) {
        self.session.left(self.place.stream, Some(self.generation));
    }
}
