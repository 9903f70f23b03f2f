//! Sessions with their event logs, and requests that wait for an answer.

use serde_json::Value;

use crate::Reply;
use crate::clock::Millis;

/// A session to be opened.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// Its id, made by the caller so that nobody can guess it.
    pub id: String,
    /// Whom it belongs to.
    pub principal: String,
    /// What else there is to know.
    pub data: Value,
    /// The most sessions of the principal, this one included.
    pub at_most: Option<u32>,
}

/// A session.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// Whom it belongs to.
    pub principal: String,
    /// What else there is to know.
    pub data: Value,
    /// When it was opened.
    pub created: Millis,
    /// When it was last used.
    pub touched: Millis,
}

/// A stream of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// Its name within the session.
    pub name: String,
    /// What it is for.
    pub about: Value,
    /// The number of its latest event; 0 if it has none.
    pub last: u64,
    /// Whether its last event has been appended.
    pub ended: bool,
}

/// An event to be appended.
#[derive(Clone, Debug)]
pub struct NewEvent {
    /// The stream.
    pub stream: String,
    /// What is sent.
    pub payload: String,
    /// Whether the stream ends with it.
    pub last: bool,
}

/// An event of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its number: rises through the whole session, with gaps in a stream.
    pub number: u64,
    /// When it was appended.
    pub at: Millis,
    /// What is sent.
    pub payload: String,
    /// Whether the stream ends with it.
    pub last: bool,
}

/// What a stream holds after an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    /// The events in their order.
    pub events: Vec<Event>,
    /// Whether events of this stream between the one that was named and these
    /// are gone, because the log is bounded.
    pub gap: bool,
    /// Whether the stream has ended, with or before the last of `events`; if
    /// `limit` cut them off there may still be more.
    pub ended: bool,
}

/// A request to the other side that waits for its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Pending {
    /// The session that it was sent in.
    pub session: String,
    /// Its id in the session.
    pub id: String,
    /// What it belongs to, such as a render, so that all of it can be dropped.
    pub topic: String,
    /// What else there is to know.
    pub about: Value,
    /// When it was made.
    pub created: Millis,
}

/// Sessions. A session belongs to a principal; to anybody else it is
/// [`Error::NotFound`]. One that is not used for a time is swept away.
///
/// [`Error::NotFound`]: crate::Error::NotFound
pub trait Sessions: Send + Sync {
    /// Opens a session; `TooMany`, `Invalid` if the id is taken.
    fn open_session(&self, session: NewSession) -> Reply<Session>;

    /// The principal's session; `NotFound`.
    fn session(&self, id: &str, principal: &str) -> Reply<Session>;

    /// Says that a session is in use. Costs next to nothing: it is written
    /// along with something else, or by the next sweep, and is forgotten by a
    /// crash before that.
    fn touch_session(&self, id: &str);

    /// Replaces the data of a session; `NotFound`.
    fn save_session(&self, id: &str, data: Value) -> Reply<()>;

    /// Ends a session and all that belongs to it; `NotFound`.
    fn close_session(&self, id: &str, principal: &str) -> Reply<()>;

    /// Opens a stream, before its first event; `NotFound` if there is no such
    /// session, `Invalid` if the name is taken.
    fn open_stream(&self, session: &str, name: &str, about: Value) -> Reply<()>;

    /// The streams of a session.
    fn streams(&self, session: &str) -> Reply<Vec<Stream>>;

    /// Appends to streams of a session, all or nothing, and gives the numbers.
    /// `NotFound` if there is no such session or stream, `Invalid` for one that
    /// has ended. The oldest events of the session make room.
    fn append(&self, session: &str, events: Vec<NewEvent>) -> Reply<Vec<u64>>;

    /// What a stream holds after the event of this number (0: from its
    /// beginning), `limit` events at most; `NotFound` if there is no such
    /// stream, `Invalid` for a number that the session has not come to.
    fn tail(&self, session: &str, stream: &str, after: u64, limit: u32) -> Reply<Tail>;

    /// Keeps a request; `NotFound` if there is no such session, `Invalid` if
    /// its id is taken.
    fn add_pending(&self, pending: Pending) -> Reply<()>;

    /// The requests of a session that wait, oldest first.
    fn pending(&self, session: &str) -> Reply<Vec<Pending>>;

    /// Takes a request whose answer has come, so that only one answer counts;
    /// `NotFound` the second time.
    fn take_pending(&self, session: &str, id: &str) -> Reply<Pending>;

    /// Drops every request of a topic, in all sessions, and gives them.
    fn drop_pending(&self, topic: &str) -> Reply<Vec<Pending>>;
}
