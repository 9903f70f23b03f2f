//! The Model Context Protocol over streamable HTTP, for any tool server.
//!
//! A tool server implements [`Handler`]; [`Server`] serves it. Handlers know nothing of revisions,
//! sessions or streams. A codec translates: `legacy` speaks 2025-11-25, 2025-06-18 and 2025-03-26;
//! the stateless revisions are to stand beside it.
//!
//! In `legacy`, everything that a client is sent on a stream is an event of its session's log, and
//! every connection is a tail of that log (`legacy/log.rs`). Which stream carries which request of
//! the server is decided by a pure function (`legacy/routing.rs`). What must survive a restart goes
//! through [`Storage`] before it is sent.

mod caller;
mod clock;
mod config;
mod context;
mod error;
mod handler;
mod http;
mod ids;
mod jsonrpc;
mod legacy;
pub mod model;
mod notifier;
mod server;
pub mod storage;

pub use caller::{Authenticator, Caller, Challenge, ClientFacts, Open, Principal};
pub use clock::{Clock, SystemClock, Timestamp};
pub use config::{Allowed, Config};
pub use context::{AskError, Context, LogLevel};
pub use error::{
    INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR,
    RESOURCE_NOT_FOUND, RpcError,
};
pub use handler::Handler;
pub use http::checks::{host_allowed, origin_allowed};
pub use ids::{Ids, SystemIds};
pub use jsonrpc::{Params, RequestId};
pub use notifier::Notifier;
pub use server::{Environment, Server};
pub use storage::{MemoryStorage, Storage};
