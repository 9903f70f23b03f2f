//! Sessions with their event logs, and requests that wait for an answer.
//!
//! Numbers and moments are the caller's: it keeps the log of a live session in
//! memory as well, and reads this one back after a restart.

use serde_json::Value;

use crate::Reply;
use crate::clock::Millis;

/// A session.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Its id, made by the caller so that nobody can guess it.
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

/// An event of a session's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its number, unique in the session and rising.
    pub number: u64,
    /// The stream that it belongs to.
    pub stream: u64,
    /// When it was written.
    pub at: Millis,
    /// What is sent.
    pub payload: String,
}

/// A request to the other side that waits for its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Pending {
    /// The session that it belongs to.
    pub session: String,
    /// Its id in the session.
    pub id: String,
    /// What it is about, such as a render, so that all of that can be dropped.
    pub topic: String,
    /// What else there is to know.
    pub data: Value,
}

/// Everything of one session.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredSession {
    /// The session.
    pub session: Session,
    /// Its requests, in the order in which they were first saved.
    pub pending: Vec<Pending>,
    /// Its log, in order.
    pub events: Vec<Event>,
}

/// Sessions. Who may use one is decided by comparing [`Session::principal`].
///
/// Errors beside those named as for [`Renders`](crate::Renders).
pub trait Sessions: Send + Sync {
    /// Adds a session, or replaces its data and the moment of its last use.
    /// `Invalid` if the id is another principal's.
    fn save_session(&self, session: Session) -> Reply<()>;

    /// Everything of a session.
    fn load_session(&self, id: &str) -> Reply<Option<StoredSession>>;

    /// Says that a session is in use now. Costs next to nothing: it is written
    /// along with something else or by the next sweep, and is forgotten by a
    /// crash before that.
    fn touch_session(&self, id: &str);

    /// The principal's sessions and when each was last used, longest unused
    /// first.
    fn sessions_of(&self, principal: &str) -> Reply<Vec<(String, Millis)>>;

    /// Sessions that were last used before a moment.
    fn idle_sessions(&self, before: Millis) -> Reply<Vec<String>>;

    /// The ids of all sessions.
    fn all_sessions(&self) -> Reply<Vec<String>>;

    /// Removes a session with its requests and its log, and says whether it was
    /// there.
    fn remove_session(&self, id: &str) -> Reply<bool>;

    /// Adds a request, or replaces what is known of it; `NotFound` if there is
    /// no such session.
    fn save_pending(&self, pending: Pending) -> Reply<()>;

    /// Removes a request and says whether it was there: of several answers to
    /// it only one hears yes.
    fn remove_pending(&self, session: &str, id: &str) -> Reply<bool>;

    /// Drops every request of a topic, in all sessions, and gives them.
    fn drop_pending(&self, topic: &str) -> Reply<Vec<Pending>>;

    /// Adds to the end of a session's log, all or nothing. `NotFound` if there
    /// is no such session, `Invalid` if the numbers do not rise. Where the log
    /// has come to its bounds, the oldest events make room.
    fn append_events(&self, session: &str, events: Vec<Event>) -> Reply<()>;

    /// The events of a stream after a number, `limit` at most.
    fn events_after(&self, session: &str, stream: u64, after: u64, limit: u32)
    -> Reply<Vec<Event>>;

    /// Removes events by their numbers. What is not there is no error.
    fn remove_events(&self, session: &str, numbers: Vec<u64>) -> Reply<()>;
}
