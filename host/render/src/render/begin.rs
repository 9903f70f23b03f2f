//! How a render begins: anew, or where it was waiting.

use std::sync::Arc;
use std::time::Instant;

use media::Input;
use stage::model::Blob;

use super::{Asked, Host, Outcome, Render};
use crate::admission;
use crate::chain::Chain;
use crate::convert;
use crate::failure::Failure;
use crate::faults::media_error;
use crate::picture_file;
use crate::plans::Plans;
use crate::report::Seconds;
use crate::request::Request;
use crate::state::{Event, State};
use crate::suspension::{self, Suspended};
use crate::watch::Step;

/// The files that a render reads.
pub struct Opened {
    /// The source.
    pub input: Input,
    /// The picture of an image mark.
    pub image: Option<Blob>,
    /// SHA-256 of the source in hexadecimal digits, where it is known already.
    pub source_sha256: Option<String>,
}

impl Opened {
    /// Opens what a request names.
    fn by_name(request: &Request) -> Result<Self, Failure> {
        request.check()?;
        let input = Input::open(&request.input).map_err(media_error)?;
        let image = picture_file::open(&request.watermark)?;
        Ok(Self { input, image, source_sha256: None })
    }
}

impl Render {
    /// Admits a render and drives it until it ends or asks.
    ///
    /// # Errors
    ///
    /// A [`Failure`] for whatever ends it without output; nothing is left
    /// behind then.
    pub async fn start(host: Host, chain: Chain, request: Request) -> Result<Outcome, Failure> {
        let opened = Opened::by_name(&request)?;
        Self::start_opened(host, chain, request, opened).await
    }

    /// Like [`Render::start`], of files that are open already.
    ///
    /// # Errors
    ///
    /// As [`Render::start`].
    pub async fn start_opened(
        host: Host,
        chain: Chain,
        request: Request,
        opened: Opened,
    ) -> Result<Outcome, Failure> {
        host.watcher.step(Step::Admit);
        chain.check_container(request.container)?;
        chain.check_mark(&request.watermark)?;
        let mut render = Self::admit(host, chain, request, opened).await?;
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
        let opened = Opened::by_name(&stored.request)?;
        Self::restore_opened(host, chain, stored, opened).await
    }

    /// Like [`Render::restore`], of files that are open already.
    ///
    /// # Errors
    ///
    /// As [`Render::restore`].
    pub async fn restore_opened(
        host: Host,
        chain: Chain,
        stored: Suspended,
        opened: Opened,
    ) -> Result<Self, Failure> {
        stored.waiting_stage()?;
        let mut render = Self::admit(host, chain, stored.request, opened).await?;
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
        let mut confirmed = stored.plans.clone();
        confirmed.set(stored.suspension.confirms.clone());
        if confirmed.frames().look_ahead.is_some() && stored.shown.is_none() {
            return Err(suspension::refused(
                "The stored render does not say which picture was shown; it is damaged.",
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

    async fn admit(
        host: Host,
        chain: Chain,
        request: Request,
        opened: Opened,
    ) -> Result<Self, Failure> {
        let mut seconds = Seconds::default();
        let clock = Instant::now();
        request.check()?;
        let Opened { input, image, source_sha256 } = opened;
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
            source_sha256,
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
}
