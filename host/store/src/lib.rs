//! What must survive: renders and their questions, assets, artifacts, plugins
//! that a waiting render still needs, sessions with their event logs, tokens.
//!
//! The traits say what the product does with them, one transaction an
//! operation; [`Sqlite`] keeps everything in one data directory. The store
//! knows what a render's life may look like ([`Status`]), who owns what and
//! when things end. Requests, plans, reports and sessions are JSON of somebody
//! else's making that it keeps as it is.
//!
//! Every method gives a future that owns what it needs. Nothing happens before
//! it is first polled; what has begun is carried out even if the future is
//! dropped. An answer `Ok` of a writing method means that it is on the disk.

mod assets;
mod clock;
mod draft;
mod error;
mod ids;
mod page;
mod plugins;
mod renders;
mod sessions;
mod sqlite;
mod tokens;
mod upkeep;

use std::pin::Pin;

pub use assets::{Asset, Assets, NewAsset};
pub use clock::{Clock, Millis, SystemClock};
pub use draft::{Draft, Upload};
pub use error::{Error, Result};
pub use ids::{Ids, SystemIds};
pub use page::{Page, PageRequest};
pub use plugins::Plugins;
pub use renders::{
    Admission, Admitted, Answer, Artifact, ArtifactKind, Cancelled, Claim, Decided, Decision,
    Idempotency, Lease, NewArtifact, NewQuestion, OpenRender, Question, Render, Renders, Status,
    Suspended,
};
pub use sessions::{Event, Pending, Session, Sessions, StoredSession};
pub use sqlite::{Mode, Options, Sqlite};
pub use tokens::{Issued, NewToken, Token, Tokens};
pub use upkeep::{Ended, Swept, Upkeep};

/// What a method of the store gives: a future of its result.
pub type Reply<T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'static>>;

/// Everything that a server keeps. Fit for `Arc<dyn Store>`.
pub trait Store: Renders + Assets + Plugins + Sessions + Tokens + Upkeep {}

impl<T: Renders + Assets + Plugins + Sessions + Tokens + Upkeep> Store for T {}
