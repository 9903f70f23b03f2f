//! Renders: from admission to their end, with the questions that they ask.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Reply;
use crate::clock::Millis;
use crate::draft::Draft;
use crate::page::{Page, PageRequest};

mod question;

pub use question::{Answer, Decided, Decision, NewQuestion, Question, Suspended};

/// Where a render stands, as far as the store has to know. Steps within it are
/// the product's own ([`Render::step`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nobody works on it: just admitted, or just answered.
    Queued,
    /// An attempt works on it, or died over it.
    Working,
    /// A question waits for an answer.
    Waiting,
    /// It ended with an output.
    Completed,
    /// It ended without one.
    Failed,
    /// It was cancelled.
    Cancelled,
}

impl Status {
    /// Whether it is an end. A render that has ended never changes.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// A render.
#[derive(Clone, Debug, PartialEq)]
pub struct Render {
    /// Its id: opaque, 130 bits of chance.
    pub id: String,
    /// Who owns it.
    pub tenant: String,
    /// Which identity of the tenant asked for it.
    pub owner: String,
    /// Where it stands.
    pub status: Status,
    /// Where it stands exactly, in the product's words.
    pub step: String,
    /// Rises by one with every change.
    pub version: u64,
    /// The latest attempt, from 1; 0 before the first one.
    pub attempt: u64,
    /// What was asked for.
    pub request: Value,
    /// What was decided so far, and whatever else the product carries along.
    pub plans: Value,
    /// Why it failed or was cancelled.
    pub failure: Option<Value>,
    /// What it says about its output.
    pub report: Option<Value>,
    /// When it was admitted.
    pub created: Millis,
    /// When it last changed.
    pub updated: Millis,
    /// From when on it is unknown.
    pub expires: Millis,
    /// The latest question, answered or not.
    pub question: Option<Question>,
}

impl Render {
    /// What whoever works on it must show to change it.
    #[must_use]
    pub fn lease(&self) -> Lease {
        Lease { id: self.id.clone(), version: self.version, attempt: self.attempt }
    }
}

/// The right to change a render: that of its latest attempt, as it was last
/// read. Every change gives the render, and so the lease, anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The render.
    pub id: String,
    /// The version that is changed.
    pub version: u64,
    /// The attempt that changes it.
    pub attempt: u64,
}

/// A render to be admitted.
#[derive(Clone, Debug)]
pub struct Admission {
    /// Who will own it.
    pub tenant: String,
    /// Which identity asks.
    pub owner: String,
    /// What is asked for.
    pub request: Value,
    /// The product's word for its first step.
    pub step: String,
    /// The assets that it names. They cannot be removed before it ends.
    pub assets: Vec<String>,
    /// How long it is kept, from now on.
    pub ttl: Duration,
    /// The caller's key, if it gave one.
    pub idempotency: Option<Idempotency>,
    /// The most renders of the tenant that have not ended, this one included.
    pub at_most: Option<u32>,
}

/// A caller's key for one call, however often it is sent.
#[derive(Clone, Debug)]
pub struct Idempotency {
    /// The key as given.
    pub key: String,
    /// A hash of the arguments, with defaults filled in.
    pub arguments: [u8; 32],
}

/// What became of an admission.
#[derive(Clone, Debug, PartialEq)]
pub enum Admitted {
    /// The render is new.
    Created(Box<Render>),
    /// The same call was made before; this is its render as it stands.
    Existing(Box<Render>),
    /// The key was used for other arguments within its 30 minutes.
    Conflict,
    /// The tenant has as many unfinished renders as it may.
    TooMany,
    /// The tenant has no such asset.
    NoAsset(String),
}

/// A render that somebody has begun to work on.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The render, with the number of this attempt.
    pub render: Render,
    /// What its latest question left behind, if it has asked.
    pub suspended: Option<Suspended>,
}

/// A render that has not ended, in few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRender {
    /// Its id.
    pub id: String,
    /// Who owns it.
    pub tenant: String,
    /// Where it stands.
    pub status: Status,
    /// Its version.
    pub version: u64,
    /// Until when a person may answer, where it waits.
    pub deadline: Option<Millis>,
    /// When it last changed; where somebody works on it, when that began.
    pub updated: Millis,
    /// From when on it is unknown.
    pub expires: Millis,
}

/// What a render has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArtifactKind {
    /// The finished file.
    Output,
    /// The picture that the latest question is about.
    Preview,
}

/// A file to be kept with a render.
#[derive(Debug)]
pub struct NewArtifact {
    /// What it is.
    pub kind: ArtifactKind,
    /// Its media type, such as `video/mp4`.
    pub media_type: String,
    /// The file. It is made durable and moved into the store.
    pub file: Draft,
}

/// A file that is kept with a render, until the render expires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// The render.
    pub render: String,
    /// Who owns it.
    pub tenant: String,
    /// What it is.
    pub kind: ArtifactKind,
    /// Its media type.
    pub media_type: String,
    /// Its size.
    pub bytes: u64,
    /// When it was made.
    pub created: Millis,
    /// A name for exactly these bytes, fit for an entity tag.
    pub tag: String,
}

/// What became of a cancellation.
#[derive(Clone, Debug, PartialEq)]
pub enum Cancelled {
    /// It is cancelled now.
    Now(Box<Render>),
    /// It was cancelled before.
    Before(Box<Render>),
    /// It has ended in another way.
    Finished(Box<Render>),
}

/// The lives of renders.
///
/// A tenant sees only its own: a foreign id is [`Error::NotFound`] like an
/// unknown one, and [`Error::Expired`] for a day after the render's time.
/// Whoever works on a render shows a [`Lease`]; if it is not the latest any
/// more, because somebody cancelled or took over, the answer is
/// [`Error::LostRace`] and nothing has changed. All methods fail with
/// [`Error::Full`], [`Error::Locked`], [`Error::Corrupt`], [`Error::Closed`]
/// and [`Error::Io`] as well.
///
/// [`Error::NotFound`]: crate::Error::NotFound
/// [`Error::Expired`]: crate::Error::Expired
/// [`Error::LostRace`]: crate::Error::LostRace
/// [`Error::Full`]: crate::Error::Full
/// [`Error::Locked`]: crate::Error::Locked
/// [`Error::Corrupt`]: crate::Error::Corrupt
/// [`Error::Closed`]: crate::Error::Closed
/// [`Error::Io`]: crate::Error::Io
pub trait Renders: Send + Sync {
    /// Admits a render, or finds the one that the same call made before. Of
    /// concurrent twins one creates and the others find. A key counts for 30
    /// minutes from its first use, and no longer than the render; a temporary
    /// failure or a cancellation frees it.
    fn admit(&self, admission: Admission) -> Reply<Admitted>;

    /// A render of the tenant.
    fn render(&self, tenant: &str, id: &str) -> Reply<Render>;

    /// The tenant's renders, newest first.
    fn renders(&self, tenant: &str, page: PageRequest) -> Reply<Page<Render>>;

    /// Everything that has not ended, oldest first; what a starting server has
    /// to take up again.
    fn open_renders(&self) -> Reply<Vec<OpenRender>>;

    /// Begins an attempt at a queued render, or takes over one whose attempt
    /// has died. From now on every earlier attempt is refused. `LostRace` if
    /// the render is not at this version any more or is not to be worked on.
    fn claim(&self, id: &str, version: u64) -> Reply<Claim>;

    /// Commits a step of the work.
    fn advance(&self, lease: Lease, step: &str, plans: Value) -> Reply<Render>;

    /// Commits a question: from now on the render waits. The plugins that it
    /// names are kept until the render has ended; `NotFound` if one is not
    /// there. An earlier preview is replaced.
    fn suspend(
        &self,
        lease: Lease,
        step: &str,
        plans: Value,
        question: NewQuestion,
        preview: Option<NewArtifact>,
    ) -> Reply<Render>;

    /// Ends the render with its output, both in one transaction. If it is
    /// refused the file is gone.
    fn complete(
        &self,
        lease: Lease,
        step: &str,
        report: Value,
        artifacts: Vec<NewArtifact>,
    ) -> Reply<Render>;

    /// Ends the render without output. A temporary failure frees its key, so
    /// that the same call may be made again.
    fn fail(&self, lease: Lease, step: &str, failure: Value, temporary: bool) -> Reply<Render>;

    /// Cancels a render of the tenant, whoever works on it. Its key is free.
    fn cancel(&self, tenant: &str, id: &str, step: &str, failure: Value) -> Reply<Cancelled>;

    /// Answers a question of a render of the tenant. The first decision wins,
    /// whatever its way; from then on the render is queued.
    fn decide(&self, tenant: &str, id: &str, answer: Answer) -> Reply<Decided>;

    /// Fails waiting renders whose deadline has passed, `limit` at most, and
    /// gives them.
    fn expire_questions(&self, step: &str, failure: Value, limit: u32) -> Reply<Vec<Render>>;

    /// What the latest question of a render left behind, whatever has become of
    /// the render; for telling a stage that nobody has answered.
    fn suspended(&self, tenant: &str, id: &str) -> Reply<Suspended>;

    /// When the next deadline or the next expiry is due; one timer is enough
    /// for all of them.
    fn next_due(&self) -> Reply<Option<Millis>>;

    /// An artifact, opened for reading. The file stays readable while it is
    /// open, whatever becomes of the render.
    fn open_artifact(
        &self,
        tenant: &str,
        id: &str,
        kind: ArtifactKind,
    ) -> Reply<(Artifact, std::fs::File)>;

    /// An artifact without its bytes.
    fn artifact(&self, tenant: &str, id: &str, kind: ArtifactKind) -> Reply<Artifact>;

    /// The tenant's artifacts, newest first.
    fn artifacts(&self, tenant: &str, page: PageRequest) -> Reply<Page<Artifact>>;
}
