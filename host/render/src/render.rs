//! One render from admission to its end: the effects of the state machine.

mod begin;
mod steps;

use std::sync::Arc;
use std::time::Duration;

use media::{Ffmpeg, Input};
use stage::model::{Answer, Blob, Suspension, Warning};

use crate::catalogue::Code;
use crate::chain::Chain;
use crate::clock::Clock;
use crate::digest::hex;
use crate::failure::Failure;
use crate::picture_file;
use crate::plans::Plans;
use crate::publish::Finished;
use crate::report::{Report, Seconds, TrackMade};
use crate::request::Request;
use crate::runner::Shown;
use crate::state::{self, Event, State};
use crate::suspension::{self, Question, Suspended};
use crate::watch::Watcher;

pub use begin::Opened;

/// The most questions of one render, so that a stage that asks for ever ends
/// even where every answer is given beforehand.
const MAX_QUESTIONS: u32 = 16;

/// What every render of a host shares.
#[derive(Clone)]
pub struct Host {
    /// The codec engine.
    pub ffmpeg: Ffmpeg,
    /// The time of day, for deadlines.
    pub clock: Arc<dyn Clock>,
    /// How long a person has to answer a question.
    pub approval_time: Duration,
    /// Who is told how renders go.
    pub watcher: Arc<dyn Watcher>,
}

/// Where a render has come to rest.
pub enum Outcome {
    /// The output is there.
    Completed(Box<Report>),
    /// A stage asks a person; nothing of a plugin is alive.
    Waiting(Box<Render>),
}

/// One render. Dropping it ends everything that belongs to it and removes what
/// is not the final output.
pub struct Render {
    host: Host,
    chain: Chain,
    request: Request,
    input: Input,
    /// SHA-256 of the source in hexadecimal digits, where it is known already.
    source_sha256: Option<String>,
    source: media::Source,
    /// The picture of an image mark.
    image: Option<Blob>,
    facts: Arc<stage::model::Source>,
    asked_for: Arc<stage::model::Request>,
    state: State,
    plans: Plans,
    warnings: Vec<Warning>,
    seconds: Seconds,
    questions: u32,
    /// What a stage has just answered with, until it is parked.
    suspension: Option<Suspension>,
    asked: Option<Asked>,
    /// The last picture that a person approved, where a plugin worked on it.
    approved: Option<Shown>,
    finished: Option<Finished>,
    tracks: Vec<TrackMade>,
    report: Option<Report>,
}

/// A question that is waiting for its answer.
struct Asked {
    question: Question,
    suspension: Suspension,
    /// A PNG; empty where the render was restored.
    preview: Vec<u8>,
    shown: Option<Shown>,
}

impl Render {
    /// The question, its preview as a PNG, and the deadline; none unless the
    /// render waits.
    #[must_use]
    pub fn question(&self) -> Option<(&Question, &[u8])> {
        self.asked.as_ref().map(|asked| (&asked.question, asked.preview.as_slice()))
    }

    /// Goes on with an answer. An answer after the deadline counts as none.
    ///
    /// # Errors
    ///
    /// `watermark_rejected` or `approval_expired` if the answer ends the
    /// render, and whatever else ends it.
    pub async fn answer(self, answer: Answer) -> Result<Outcome, Failure> {
        let late = self
            .asked
            .as_ref()
            .is_some_and(|asked| self.host.clock.now() >= asked.question.deadline);
        self.drive(Event::Answered(if late { Answer::Expired } else { answer })).await
    }

    /// The waiting render as it is stored.
    ///
    /// # Errors
    ///
    /// `internal` if it does not wait or the source cannot be read any more.
    pub async fn suspend(&self) -> Result<Suspended, Failure> {
        let asked =
            self.asked.as_ref().ok_or_else(|| internal("Only a waiting render can be stored."))?;
        Ok(Suspended {
            format: suspension::FORMAT,
            state: self.state,
            request: self.request.clone(),
            question: asked.question.clone(),
            suspension: asked.suspension.clone(),
            plans: self.plans.clone(),
            warnings: self.warnings.clone(),
            pins: self.chain.pins(),
            source_sha256: self.source_sha256().await?,
            image_sha256: self.image_sha256()?,
            shown: asked.shown.clone(),
        })
    }

    /// The components of the chain, to be kept with a stored render.
    #[must_use]
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Feeds an event to the state machine and performs what it asks for, until
    /// there is nothing more to do.
    async fn drive(mut self, first: Event) -> Result<Outcome, Failure> {
        let mut pending = Some(first);
        while let Some(event) = pending.take() {
            let (state, effects) =
                state::next(self.state, event).map_err(|error| internal(error.to_string()))?;
            self.state = state;
            for effect in effects {
                match self.perform(effect).await {
                    Ok(Some(event)) => pending = Some(event),
                    Ok(None) => {}
                    // The ending's own reason stands, whatever the plugin said to it.
                    Err(_) if self.state.is_terminal() => {}
                    Err(failure) => {
                        self.fail(failure.code);
                        return Err(failure);
                    }
                }
            }
        }
        match self.state {
            State::Waiting(_) => Ok(Outcome::Waiting(Box::new(self))),
            State::Completed => {
                let report = self
                    .report
                    .take()
                    .ok_or_else(|| internal("A completed render has no report."))?;
                Ok(Outcome::Completed(Box::new(report)))
            }
            State::Failed(code) => Err(Failure::new(code, code_sentence(code))),
            state => Err(internal(format!("The render stopped while it was {state:?}."))),
        }
    }

    fn fail(&mut self, code: Code) {
        if let Ok((state, _)) = state::next(self.state, Event::Failed(code)) {
            self.state = state;
        }
        self.finished = None;
    }

    async fn source_sha256(&self) -> Result<String, Failure> {
        if let Some(known) = &self.source_sha256 {
            return Ok(known.clone());
        }
        let input = self.input.clone();
        let hash = tokio::task::spawn_blocking(move || input.hash())
            .await
            .map_err(|error| internal(error.to_string()))?
            .map_err(|error| Failure::storage("reading the source", &error))?;
        Ok(hex(&hash))
    }

    fn image_sha256(&self) -> Result<Option<String>, Failure> {
        self.image.as_ref().map(picture_file::sha256).transpose()
    }
}

fn internal(message: impl Into<String>) -> Failure {
    Failure::new(Code::Internal, message)
}

fn code_sentence(code: Code) -> &'static str {
    match code {
        Code::ApprovalExpired => {
            "The question was not answered before its deadline; the render ended without output."
        }
        code => code.next_step(),
    }
}
