//! What the state machine asks for, done.

use std::time::Instant;

use stage::model::{Answer, Job, Resumption, Stage, Verdict, Warning};

use super::{Asked, Host, MAX_QUESTIONS, Render, internal};
use crate::catalogue::Code;
use crate::failure::Failure;
use crate::faults::plugin_fault;
use crate::preview;
use crate::publish::Draft;
use crate::report::{PluginUsed, Report};
use crate::request::Mark;
use crate::runner::{self, Worker};
use crate::state::{Effect, Event};
use crate::suspension::Question;
use crate::watch::Step;

impl Render {
    pub(super) async fn perform(&mut self, effect: Effect) -> Result<Option<Event>, Failure> {
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
}
