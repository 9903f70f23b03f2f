//! One render from admission to its end: the effects of the state machine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use media::{Ffmpeg, Input};
use stage::model::{Answer, Blob, Job, Resumption, Stage, Suspension, Verdict, Warning};

use crate::admission;
use crate::catalogue::Code;
use crate::chain::Chain;
use crate::clock::Clock;
use crate::convert;
use crate::digest::hex;
use crate::failure::Failure;
use crate::faults::{media_error, plugin_fault};
use crate::picture_file;
use crate::plans::Plans;
use crate::preview;
use crate::publish::{Draft, Finished};
use crate::report::{PluginUsed, Report, Seconds, TrackMade};
use crate::request::{Mark, Request};
use crate::runner::{self, Shown, Worker};
use crate::state::{self, Effect, Event, State};
use crate::suspension::{self, Question, Suspended};
use crate::watch::{Step, Watcher};

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
    /// Admits a render and drives it until it ends or asks.
    ///
    /// # Errors
    ///
    /// A [`Failure`] for whatever ends it without output; nothing is left
    /// behind then.
    pub async fn start(host: Host, chain: Chain, request: Request) -> Result<Outcome, Failure> {
        host.watcher.step(Step::Admit);
        chain.check_container(request.container)?;
        chain.check_mark(&request.watermark)?;
        let mut render = Self::admit(host, chain, request).await?;
        render.warnings.extend(admission::source_warnings(&render.source));
        render.drive(Event::Begin).await
    }

    /// Takes up a stored render where it was waiting. `chain` holds the pinned
    /// plugins; [`Suspended::check`] has compared the rest.
    ///
    /// # Errors
    ///
    /// `resume_refused` if the source is not the one that was asked about, and
    /// whatever opening it can fail with.
    pub async fn restore(host: Host, chain: Chain, stored: Suspended) -> Result<Self, Failure> {
        stored.waiting_stage()?;
        let mut render = Self::admit(host, chain, stored.request).await?;
        if render.source_sha256().await? != stored.source_sha256 {
            return Err(suspension::refused(
                "The source file has changed since the question was asked.",
            ));
        }
        if render.image_sha256()? != stored.image_sha256 {
            return Err(suspension::refused(
                "The watermark image has changed since the question was asked.",
            ));
        }
        render.state = stored.state;
        render.plans = stored.plans;
        render.warnings = stored.warnings;
        render.questions = stored.question.number;
        render.asked = Some(Asked {
            preview: Vec::new(),
            question: stored.question,
            suspension: stored.suspension,
            shown: stored.shown,
        });
        Ok(render)
    }

    async fn admit(host: Host, chain: Chain, request: Request) -> Result<Self, Failure> {
        let mut seconds = Seconds::default();
        let clock = Instant::now();
        request.check()?;
        let input = Input::open(&request.input).map_err(media_error)?;
        let image = picture_file::open(&request.watermark)?;
        admission::check_output(&request)?;
        let source = host.ffmpeg.probe(&input).await.map_err(media_error)?;
        seconds.probe = clock.elapsed();
        Ok(Self {
            facts: Arc::new(convert::source(&source)),
            asked_for: Arc::new(request.for_stages(image.clone())),
            image,
            host,
            chain,
            request,
            input,
            source,
            state: State::Admitted,
            plans: Plans::default(),
            warnings: Vec::new(),
            seconds,
            questions: 0,
            suspension: None,
            asked: None,
            approved: None,
            finished: None,
            tracks: Vec::new(),
            report: None,
        })
    }

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

    async fn perform(&mut self, effect: Effect) -> Result<Option<Event>, Failure> {
        match effect {
            Effect::Start(stage) => self.decide(stage, None).await.map(Some),
            Effect::Resume(stage, answer) => {
                let asked =
                    self.asked.take().ok_or_else(|| internal("There is no question to answer."))?;
                if answer == Answer::Yes {
                    self.approved = asked.shown;
                }
                let resumption = Resumption {
                    answer,
                    state: asked.suspension.state,
                    state_version: asked.suspension.state_version,
                    shown_plan: asked.suspension.confirms,
                };
                let event = self.decide(stage, Some(&resumption)).await?;
                Ok((!self.state.is_terminal()).then_some(event))
            }
            Effect::Park(stage) => self.park(stage).await.map(|()| None),
            Effect::Run => self.run().await.map(|()| Some(Event::Written)),
            Effect::Commit => self.commit().await.map(|()| Some(Event::Published)),
            Effect::Discard => {
                self.finished = None;
                Ok(None)
            }
        }
    }

    /// Enters a stage, for the first time or with an answer.
    async fn decide(
        &mut self,
        stage: Stage,
        resumption: Option<&Resumption>,
    ) -> Result<Event, Failure> {
        self.host.watcher.step(Step::Plan(stage));
        let clock = Instant::now();
        let link = self.chain.link(stage)?;
        let job = self.job(stage)?;
        let decision = match resumption {
            None => link.plugin.start(stage, &job, &link.terms).await,
            Some(resumption) => link.plugin.resume(stage, &job, resumption, &link.terms).await,
        };
        let decision = decision.map_err(plugin_fault)?;
        self.seconds.plan += clock.elapsed();
        self.warnings.extend(decision.warnings);
        match decision.verdict {
            Verdict::Ready(plan) => {
                self.plans.set(plan);
                Ok(Event::Decided)
            }
            Verdict::Suspend(suspension) => {
                self.suspension = Some(suspension);
                Ok(Event::Asked)
            }
        }
    }

    fn job(&self, stage: Stage) -> Result<Job, Failure> {
        Ok(Job {
            source: self.facts.clone(),
            request: self.asked_for.clone(),
            parameters: self.chain.link(stage)?.parameters.clone(),
            encode_plan: self.plans.encode.clone(),
        })
    }

    /// Renders the picture that the question is about, by the very plan that a
    /// yes would confirm.
    async fn park(&mut self, stage: Stage) -> Result<(), Failure> {
        self.host.watcher.step(Step::Preview);
        let clock = Instant::now();
        let suspension =
            self.suspension.take().ok_or_else(|| internal("A stage asked without a question."))?;
        let number = self.questions.saturating_add(1);
        if number > MAX_QUESTIONS {
            let name = &self.chain.link(stage)?.name;
            let message = format!("The plugin `{name}` asked more than {MAX_QUESTIONS} questions.");
            return Err(Failure::new(Code::PluginFailed, message).with("plugin", name.clone()));
        }
        self.questions = number;
        let mut plans = self.plans.clone();
        plans.set(suspension.confirms.clone());
        let link = self.chain.link(Stage::Watermark)?;
        let mut job = self.job(Stage::Watermark)?;
        job.encode_plan.clone_from(&plans.encode);
        let watermark = Worker { link, job: &job };
        let Self { host: Host { ffmpeg, .. }, input, source, .. } = &*self;
        let preview = preview::render(ffmpeg, input, source, &plans, watermark).await?;
        let asked_at = self.host.clock.now();
        self.asked = Some(Asked {
            question: Question {
                text: suspension.question.clone(),
                number,
                preview_frame: preview.frame,
                asked_at,
                deadline: asked_at.after(self.host.approval_time),
            },
            suspension,
            preview: preview.png,
            shown: preview.shown,
        });
        self.seconds.preview += clock.elapsed();
        Ok(())
    }

    async fn run(&mut self) -> Result<(), Failure> {
        self.host.watcher.step(Step::Encode);
        let clock = Instant::now();
        let [encode, watermark, mux] = [Stage::Encode, Stage::Watermark, Stage::Mux];
        let jobs = [self.job(encode)?, self.job(watermark)?, self.job(mux)?];
        let [encode, watermark, mux] = [
            Worker { link: self.chain.link(encode)?, job: &jobs[0] },
            Worker { link: self.chain.link(watermark)?, job: &jobs[1] },
            Worker { link: self.chain.link(mux)?, job: &jobs[2] },
        ];
        let inputs = runner::Inputs {
            ffmpeg: &self.host.ffmpeg,
            input: &self.input,
            source: &self.source,
            composition: &self.plans.composition()?,
            encode,
            watermark,
            mux,
            frames: self.plans.frames(),
            approved: self.approved.as_ref(),
            watcher: self.host.watcher.as_ref(),
        };
        let done = runner::run(inputs, || Draft::create(&self.request.output)).await?;
        let runner::Done { finished, tracks, warnings } = done;
        self.seconds.encode = clock.elapsed();
        self.warnings.extend(warnings);
        self.tracks = tracks;
        self.finished = Some(finished);
        Ok(())
    }

    async fn commit(&mut self) -> Result<(), Failure> {
        self.host.watcher.step(Step::Commit);
        let clock = Instant::now();
        let finished =
            self.finished.take().ok_or_else(|| internal("There is no file to publish."))?;
        let encode =
            self.plans.encode.as_ref().ok_or_else(|| internal("There is no encode plan."))?;
        let muxer = &self.chain.link(Stage::Mux)?.name;
        let checked = finished
            .check(&self.host.ffmpeg, self.request.container, muxer, encode, &self.source)
            .await?;
        if self.request.watermark != Mark::None && !self.plans.draws() {
            let name = &self.chain.link(Stage::Watermark)?.name;
            let message = format!("The watermark plugin `{name}` drew nothing.");
            self.warnings.push(Warning { code: "watermark_not_applied".into(), message });
        }
        let bytes = finished.publish(&self.request)?;
        self.seconds.commit = clock.elapsed();
        self.report = Some(Report {
            output: self.request.output.clone(),
            container: self.request.container,
            width: encode.raster.size.width,
            height: encode.raster.size.height,
            duration_seconds: checked.duration_seconds,
            frames: checked.frames,
            bytes,
            watermark_applied: self.plans.draws(),
            tracks: std::mem::take(&mut self.tracks),
            plugins: self
                .chain
                .links()
                .map(|(stage, link)| (stage, PluginUsed::of(link)))
                .collect(),
            seconds: self.seconds.clone(),
            warnings: self.warnings.clone(),
        });
        Ok(())
    }

    async fn source_sha256(&self) -> Result<String, Failure> {
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
