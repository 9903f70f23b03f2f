//! Which stream carries which request of the server, as a pure function.
//!
//! A request goes to an open stream that waits for its task (the newest), else to the session's
//! standalone stream, else it waits for whichever opens first. It is never on two streams: when
//! the stream that carries it is lost before the answer came, it moves, under the same id, to
//! another one. A stream that ended in good order took nothing with it.

use std::collections::BTreeMap;

/// What a stream is open for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Serves {
    /// Everything of the session.
    Session,
    /// One task.
    Task(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Nowhere,
    /// On a stream, which may be gone.
    On(u64),
    /// Delivered by a stream that ended in good order.
    Delivered,
    Answered,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Request {
    task: String,
    at: At,
}

/// Something that happened in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A task asks. The number orders requests and names this one.
    Asked { request: u64, task: String },
    /// The same, restored from the storage with the stream that carried it.
    Restored { request: u64, task: String, on: Option<u64>, answered: bool },
    /// A connection reads a stream, for the first time or again.
    Opened { stream: u64, serves: Serves },
    /// The connection is gone; it may come back.
    Closed { stream: u64 },
    /// The connection has not come back in time.
    Lost { stream: u64 },
    /// The stream has said its last.
    Ended { stream: u64 },
    /// The client answered.
    Answered { request: u64 },
    /// The task does not ask any more.
    Withdrawn { request: u64 },
}

/// What is to be done about it, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Put the request on a stream.
    Send { request: u64, to: u64 },
    /// Take it from the stream that carried it, and put it on another.
    Move { request: u64, to: u64 },
    /// Tell the client that an answer is not wanted any more, on this stream, if there is one.
    Recall { request: u64, on: Option<u64> },
}

/// The requests and open streams of a session.
#[derive(Debug, Default)]
pub(crate) struct Routing {
    requests: BTreeMap<u64, Request>,
    /// Oldest first.
    open: Vec<(u64, Serves)>,
}

impl Routing {
    /// Takes note of an event and says what must be done.
    pub(crate) fn apply(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Asked { request, task } => {
                self.requests.insert(request, Request { task, at: At::Nowhere });
                self.settle(|_| true)
            }
            Event::Restored { request, task, on, answered } => {
                let at = match on {
                    _ if answered => At::Answered,
                    Some(stream) => At::On(stream),
                    None => At::Nowhere,
                };
                self.requests.insert(request, Request { task, at });
                Vec::new()
            }
            Event::Opened { stream, serves } => {
                self.open.retain(|(open, _)| *open != stream);
                self.open.push((stream, serves));
                self.settle(|_| true)
            }
            Event::Closed { stream } => {
                self.open.retain(|(open, _)| *open != stream);
                Vec::new()
            }
            Event::Lost { stream } => self.settle(|on| on == stream),
            Event::Ended { stream } => {
                self.open.retain(|(open, _)| *open != stream);
                for request in self.requests.values_mut() {
                    if request.at == At::On(stream) {
                        request.at = At::Delivered;
                    }
                }
                Vec::new()
            }
            Event::Answered { request } => {
                if let Some(request) = self.requests.get_mut(&request) {
                    request.at = At::Answered;
                }
                Vec::new()
            }
            Event::Withdrawn { request } => match self.requests.remove(&request) {
                None | Some(Request { at: At::Answered, .. }) => Vec::new(),
                Some(known) => {
                    let on = match known.at {
                        At::On(stream) if self.is_open(stream) => Some(stream),
                        At::On(_) | At::Delivered => self.choose(&known.task),
                        At::Nowhere | At::Answered => None,
                    };
                    vec![Effect::Recall { request, on }]
                }
            },
        }
    }

    fn is_open(&self, stream: u64) -> bool {
        self.open.iter().any(|(open, _)| *open == stream)
    }

    /// The open stream on which something about a task goes.
    pub(crate) fn choose(&self, task: &str) -> Option<u64> {
        let of_task = |(_, serves): &&(u64, Serves)| matches!(serves, Serves::Task(t) if t == task);
        let of_session = |(_, serves): &&(u64, Serves)| *serves == Serves::Session;
        let open = || self.open.iter().rev();
        open().find(of_task).or_else(|| open().find(of_session)).map(|(stream, _)| *stream)
    }

    /// Finds a stream for every request that has none, or whose stream is gone and is one of those
    /// that are meant.
    fn settle(&mut self, meant: impl Fn(u64) -> bool) -> Vec<Effect> {
        let mut effects = Vec::new();
        for (&request, known) in &self.requests {
            let moves = match known.at {
                At::Nowhere => false,
                At::On(stream) if !self.is_open(stream) && meant(stream) => true,
                At::On(_) | At::Delivered | At::Answered => continue,
            };
            if let Some(to) = self.choose(&known.task) {
                effects.push(if moves {
                    Effect::Move { request, to }
                } else {
                    Effect::Send { request, to }
                });
            }
        }
        for effect in &effects {
            if let Effect::Send { request, to } | Effect::Move { request, to } = effect
                && let Some(known) = self.requests.get_mut(request)
            {
                known.at = At::On(*to);
            }
        }
        effects
    }
}

#[cfg(test)]
mod tests;
