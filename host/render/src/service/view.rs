//! A render as callers see it.

use contract::answers::{Film, Notice, Pending, State, Status, Warning};
use contract::arguments::{RenderArguments, Watermark};
use contract::catalogue::Code;
use contract::envelope::Envelope;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{ArtifactKind, Decision};

use super::{Service, rfc3339};
use crate::failure::Failure;
use crate::report::Report;
use crate::service::repairs;

pub use super::live::Now;

/// A render with how far it is now.
#[derive(Clone, Debug)]
pub struct View {
    /// The render as it is kept.
    pub render: store::Render,
    /// How far it is, while somebody works on it.
    pub now: Option<Now>,
}

impl View {
    pub(super) fn of(service: &Service, render: store::Render) -> Self {
        let now = service.inner.live.now(&render.id);
        Self { render, now }
    }

    /// What was asked for.
    #[must_use]
    pub fn arguments(&self) -> Option<RenderArguments> {
        serde_json::from_value(self.render.request.clone()).ok()
    }

    /// Where it stands.
    #[must_use]
    pub fn state(&self) -> State {
        match self.render.status {
            // Having been answered it goes on, however short of places the server is.
            store::Status::Queued if self.render.question.is_some() => State::Rendering,
            store::Status::Queued => State::Queued,
            store::Status::Working => State::Rendering,
            store::Status::Waiting => State::AwaitingWatermarkApproval,
            store::Status::Completed => State::Completed,
            store::Status::Failed => State::Failed,
            store::Status::Cancelled => State::Cancelled,
        }
    }

    /// What is going on, in a sentence; for a failure the code and the reason.
    #[must_use]
    pub fn message(&self) -> String {
        match self.state() {
            State::Queued => "The render waits for its turn.".into(),
            State::Rendering => match &self.now {
                Some(now) => now.message.clone(),
                None => "The render goes on.".into(),
            },
            State::AwaitingWatermarkApproval => {
                let question = self.question().map(|question| question.text.as_str());
                format!("Waiting for an answer: {}", question.unwrap_or("is the watermark right?"))
            }
            State::Completed => "The film is ready.".into(),
            State::Failed | State::Cancelled => self.failure().map_or_else(
                || "The render ended without a film.".into(),
                |failure| format!("{}: {}", failure.code, failure.message),
            ),
        }
    }

    /// From 0 to 1.
    #[must_use]
    pub fn progress(&self) -> Option<f64> {
        match self.state() {
            State::Completed => Some(1.0),
            // What was being done may end a moment later than the render.
            State::Failed | State::Cancelled => None,
            _ => self.now.as_ref().map(|now| now.fraction),
        }
    }

    /// The question that waits for its answer.
    #[must_use]
    pub fn question(&self) -> Option<&store::Question> {
        let waits = self.render.status == store::Status::Waiting;
        self.render.question.as_ref().filter(|_| waits)
    }

    /// The finished film.
    #[must_use]
    pub fn film(&self) -> Option<Film> {
        let kept: FilmKept = serde_json::from_value(self.render.report.clone()?).ok()?;
        Some(kept.film)
    }

    /// What ended it without a film.
    #[must_use]
    pub fn failure(&self) -> Option<Failure> {
        let failure = serde_json::from_value::<Failure>(self.render.failure.clone()?).ok()?;
        // What a person said belongs to what came of it.
        let feedback = self.decision().and_then(|decision| decision.feedback.clone());
        Some(match (failure.code, feedback) {
            (Code::WatermarkRejected, Some(feedback)) => failure.with("feedback", feedback),
            _ => failure,
        })
    }

    /// The failure as an agent gets it, with what helps.
    #[must_use]
    pub fn envelope(&self) -> Option<Envelope> {
        let failure = self.failure()?;
        let arguments = self.arguments();
        Some(repairs::with_repair(Envelope::new(failure), arguments.as_ref()))
    }

    fn decision(&self) -> Option<&Decision> {
        self.render.question.as_ref()?.decision.as_ref()
    }

    /// Whether there is a preview to look at.
    #[must_use]
    pub fn has_preview(&self) -> bool {
        self.render.question.is_some()
    }

    /// What was drawn, in a few words, for naming the film.
    #[must_use]
    pub fn mark_in_words(&self) -> Option<String> {
        match self.arguments()?.watermark {
            Watermark::None => None,
            Watermark::Text { text, position } => {
                Some(format!("watermark '{text}' {}", position.replace('_', "-")))
            }
            Watermark::Image { position, .. } => {
                Some(format!("image watermark {}", position.replace('_', "-")))
            }
        }
    }

    /// Its status as the fallback tools tell it. `notices` is what this caller
    /// cannot do by itself.
    #[must_use]
    pub fn status(&self, request_id: &str, fingerprint: &str, notices: Vec<Notice>) -> Status {
        Status {
            render_id: self.render.id.clone(),
            state: self.state(),
            message: self.message(),
            progress: self.progress(),
            has_preview: self.has_preview(),
            pending: self.question().map(|question| Pending {
                question_id: question.id.clone(),
                question: question.text.clone(),
                deadline: rfc3339(question.deadline),
            }),
            film: self.film(),
            error: self.envelope().map(|envelope| envelope.to_json(request_id, fingerprint)),
            notices,
            expires_at: rfc3339(self.render.expires),
        }
    }
}

/// What is kept of a finished render.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct FilmKept {
    /// What agents are told.
    film: Film,
    /// All that is known, for operators.
    report: Value,
}

impl FilmKept {
    pub(super) fn of(report: &Report) -> Self {
        let warnings = report.warnings.iter().map(|warning| Warning {
            code: warning.code.clone(),
            message: warning.message.clone(),
        });
        let film = Film {
            output_format: report.container.to_string(),
            duration_seconds: report.duration_seconds,
            width: report.width,
            height: report.height,
            watermark_applied: report.watermark_applied,
            warnings: warnings.collect(),
        };
        let mut report = serde_json::to_value(report).unwrap_or_default();
        if let Some(report) = report.as_object_mut() {
            // A place in the store that means nothing to anybody.
            report.remove("output");
        }
        Self { film, report }
    }
}

impl Service {
    /// A render of the caller's tenant.
    ///
    /// # Errors
    ///
    /// `insufficient_scope`, `render_not_found`, `render_expired`.
    pub async fn render(&self, caller: &super::Caller, id: &str) -> Result<View, Failure> {
        caller.need_reading()?;
        let render = self.inner.store.render(&caller.tenant, id).await;
        Ok(View::of(self, render.map_err(|error| store_failure(&error))?))
    }

    /// A render of the caller's tenant as it is and then as it changes, to its
    /// end. Who reads slowly sees only the newest.
    ///
    /// # Errors
    ///
    /// As [`Service::render`].
    pub async fn watch(&self, caller: &super::Caller, id: &str) -> Result<Watching, Failure> {
        let news = self.inner.live.watch(id);
        let watching = Watching {
            service: self.clone(),
            caller: caller.clone(),
            id: id.to_owned(),
            news,
            first: true,
            ended: false,
        };
        self.render(caller, id).await?;
        Ok(watching)
    }

    /// What the tenant's renders have made, newest first.
    ///
    /// # Errors
    ///
    /// `insufficient_scope`, `invalid_field` for a cursor that is none.
    pub async fn artifacts(
        &self,
        caller: &super::Caller,
        page: store::PageRequest,
    ) -> Result<store::Page<store::Artifact>, Failure> {
        caller.need_reading()?;
        let listed = self.inner.store.artifacts(&caller.tenant, page).await;
        listed.map_err(|error| match error {
            store::Error::Invalid(message) => Failure::invalid_field("cursor", message),
            error => store_failure(&error),
        })
    }

    /// An artifact of a render, opened for reading.
    ///
    /// # Errors
    ///
    /// As [`Service::render`]; `render_not_found` where there is none (yet).
    pub async fn artifact(
        &self,
        caller: &super::Caller,
        id: &str,
        kind: ArtifactKind,
    ) -> Result<(store::Artifact, std::fs::File), Failure> {
        caller.need_reading()?;
        let opened = self.inner.store.open_artifact(&caller.tenant, id, kind).await;
        opened.map_err(|error| store_failure(&error))
    }
}

/// A render that is being watched.
pub struct Watching {
    service: Service,
    caller: super::Caller,
    id: String,
    news: tokio::sync::watch::Receiver<Option<Now>>,
    first: bool,
    ended: bool,
}

impl Watching {
    /// The render as it is now, at the first call; then after its next change.
    /// None after its end, and when it is gone.
    pub async fn next(&mut self) -> Option<View> {
        if self.ended {
            return None;
        }
        if !self.first && self.news.changed().await.is_err() {
            return None;
        }
        self.first = false;
        self.news.mark_unchanged();
        let view = self.service.render(&self.caller, &self.id).await.ok()?;
        self.ended = view.render.status.is_terminal();
        Some(view)
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // Its own receiver is still counted; a new one takes its place to be dropped first.
        let (_, gone) = tokio::sync::watch::channel(None);
        self.news = gone;
        self.service.inner.live.unwatch(&self.id);
    }
}

/// What an error of the store means for a caller.
pub(super) fn store_failure(error: &store::Error) -> Failure {
    match error {
        store::Error::NotFound(_) => Failure::new(Code::RenderNotFound, "There is no such render."),
        store::Error::Expired => {
            Failure::new(Code::RenderExpired, "The render's time is over; what it made is gone.")
        }
        store::Error::Full => Failure::new(Code::StorageFull, error.to_string()),
        error => Failure::new(Code::Internal, error.to_string()),
    }
}
