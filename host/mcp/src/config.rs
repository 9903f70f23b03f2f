//! What an operator may set about the protocol.

use std::time::Duration;

/// Settings of a server. Every limit has a default that suits a server for a few hundred clients.
#[derive(Clone, Debug)]
pub struct Config {
    /// The path of the endpoint.
    pub path: String,
    /// Which `Host` a request may name. Guards against names that were made to point here.
    pub hosts: Allowed,
    /// Which `Origin` a request may come from, if it names one.
    pub origins: Allowed,
    /// How large a body may be.
    pub max_body: usize,
    /// How long the body of a request may take to come.
    pub body_time: Duration,
    /// How often an idle stream says that it is there.
    pub keep_alive: Duration,
    /// After what time a client is to come back when its stream ended.
    pub retry: Duration,
    /// How long a call may take before its answer becomes a stream.
    pub answer_grace: Duration,
    /// How long a stream that carries a request may be gone before the request is put on another.
    /// Longer than [`retry`](Self::retry), so that who comes back is not asked twice.
    pub carrier_grace: Duration,
    /// How long a reader may leave unread what waits for it.
    pub stalled_reader: Duration,
    /// How long a session lives without use.
    pub session_idle: Duration,
    /// How many sessions a principal may have; the longest unused makes room for a new one.
    pub max_sessions: usize,
    /// How many calls of one session may run at a time.
    pub max_calls: usize,
    /// How many calls of one session may wait for tasks at a time.
    pub max_waits: usize,
    /// How many requests may wait for a session's answer at a time.
    pub max_pending: usize,
    /// How many resources a session may subscribe to.
    pub max_subscriptions: usize,
    /// How many tasks a session may follow at a time.
    pub max_following: usize,
    /// How many bytes a session's log keeps.
    pub log_bytes: usize,
    /// How long a session's log keeps an event.
    pub log_age: Duration,
    /// How many events of a session are kept that are not worth storing: progress and log messages.
    pub passing_events: usize,
    /// How often what has expired is looked for.
    pub sweep: Duration,
}

/// Which names are let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// Those of this machine, with any port.
    Loopback,
    /// Exactly these, for hosts with or without a port. Those of this machine are not among them
    /// unless they are named.
    These(Vec<String>),
    /// All. Only behind something that checks.
    Any,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            path: "/mcp".to_owned(),
            hosts: Allowed::Loopback,
            origins: Allowed::Loopback,
            max_body: 1 << 20,
            body_time: Duration::from_secs(30),
            keep_alive: Duration::from_secs(15),
            retry: Duration::from_secs(1),
            answer_grace: Duration::from_millis(250),
            carrier_grace: Duration::from_secs(3),
            stalled_reader: Duration::from_secs(30),
            session_idle: Duration::from_secs(3600),
            max_sessions: 64,
            max_calls: 64,
            max_waits: 1024,
            max_pending: 64,
            max_subscriptions: 256,
            max_following: 256,
            log_bytes: 1 << 20,
            log_age: Duration::from_secs(3600),
            passing_events: 256,
            sweep: Duration::from_secs(10),
        }
    }
}
