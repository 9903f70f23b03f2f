//! One attempt at a render: from its last committed step to the next one.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use contract::arguments::{RenderArguments, Watermark};
use media::Input;
use serde_json::json;
use stage::model::{Answer, Blob, Stage};
use store::{ArtifactKind, Claim, Draft, Lease, NewArtifact, NewQuestion};

use super::live::{Now, Teller};
use super::view::{FilmKept, store_failure};
use super::{Service, backoff};
use crate::catalogue::Code;
use crate::chain::Chain;
use crate::clock::{Clock, Timestamp};
use crate::digest::hex;
use crate::failure::Failure;
use crate::faults::media_error;
use crate::render::{Host, Opened, Outcome, Render};
use crate::report::Report;
use crate::request::{Container, Mark, Request};
use crate::suspension::Suspended;
use crate::watch::{Encoding, Step, Watcher};

/// How long before a render expires its question does.
const ANSWER_MARGIN: Duration = Duration::from_mins(10);

/// Works on a render, if it still is as it was when it was queued.
pub(super) async fn attempt(service: &Service, id: &str, version: u64) {
    let attempt = service.inner.live.begin(id);
    // What is admitted is not left lying because the store failed for a moment.
    let claiming = backoff::retry(|| service.inner.store.claim(id, version), tokio::time::sleep);
    let claimed = tokio::select! {
        claimed = claiming => claimed,
        () = attempt.stopped() => return,
    };
    let claim = match claimed {
        Ok(claim) => claim,
        // Somebody else has it, or it is over.
        Err(store::Error::LostRace | store::Error::NotFound(_) | store::Error::Expired) => return,
        Err(error) => {
            tracing::error!(render = id, "the render cannot be taken up: {error}");
            return;
        }
    };
    service.inner.live.changed(id);
    let lease = claim.render.lease();
    let went = tokio::select! {
        went = go_on(service, &claim, attempt.teller()) => went,
        // Whoever stopped it has already said in the store how it ended.
        () = attempt.stopped() => return,
    };
    let ended = match went {
        Ok(Went::Completed(report, film)) => complete(service, lease, &report, film).await,
        Ok(Went::Asked(waiting)) => suspend(service, lease, &waiting).await,
        Err(failure) => fail(service, lease, &failure).await,
    };
    match ended {
        Ok(render) => {
            drop(attempt);
            service.inner.live.changed(&render.id);
        }
        Err(store::Error::LostRace | store::Error::NotFound(_) | store::Error::Expired) => {
            tracing::info!(render = id, "the render was ended by somebody else");
        }
        Err(error) => tracing::error!(render = id, "what came of the render is lost: {error}"),
    }
}

/// Where an attempt has come to.
enum Went {
    Completed(Box<Report>, Draft),
    Asked(Box<Render>),
}

/// Goes on from the last step that was committed.
async fn go_on(service: &Service, claim: &Claim, teller: Teller) -> Result<Went, Failure> {
    let job = Job::of(service, claim).await?;
    let host = Host {
        ffmpeg: service.inner.ffmpeg.clone(),
        clock: Arc::new(Seconds(service.inner.clock.clone())),
        approval_time: job.approval_time,
        watcher: Arc::new(teller),
    };
    let outcome = match &claim.suspended {
        None => {
            let tenant = &claim.render.tenant;
            let chain = service.inner.chains.configured(tenant, job.request.container).await?;
            Render::start_opened(host, chain, job.request, job.opened).await?
        }
        Some(suspended) => {
            let answer = match &suspended.question.decision {
                Some(decision) if decision.approved => Answer::Yes,
                Some(_) => Answer::No,
                None => Answer::Expired,
            };
            let mut stored = stored(suspended)?;
            stored.request = job.request;
            let chain = pinned_chain(service, &stored).await?;
            let render = Render::restore_opened(host, chain, stored, job.opened).await?;
            render.answer(answer).await?
        }
    };
    Ok(match outcome {
        Outcome::Completed(report) => Went::Completed(report, job.draft),
        Outcome::Waiting(waiting) => Went::Asked(waiting),
    })
}

/// What an attempt works with.
struct Job {
    request: Request,
    opened: Opened,
    draft: Draft,
    approval_time: Duration,
}

impl Job {
    async fn of(service: &Service, claim: &Claim) -> Result<Self, Failure> {
        let render = &claim.render;
        let asked: RenderArguments = serde_json::from_value(render.request.clone())
            .map_err(|error| internal(format!("The stored request cannot be read: {error}.")))?;
        let store = &service.inner.store;
        let word = |what: String| internal(format!("The stored request is wrong: {what}."));
        let container: Container = asked.output_format.parse().map_err(word)?;
        let (source, file) = store
            .open_asset(&render.tenant, &asked.source_asset_id)
            .await
            .map_err(|error| store_failure(&error))?;
        let image = match &asked.watermark {
            Watermark::Image { image_asset_id, .. } => {
                let opened = store.open_asset(&render.tenant, image_asset_id).await;
                let (_, file) = opened.map_err(|error| store_failure(&error))?;
                let blob = Blob::new(file);
                Some(blob.map_err(|error| Failure::storage("reading the image", &error))?)
            }
            _ => None,
        };
        let draft = store.draft(&format!(".{container}")).map_err(|error| store_failure(&error))?;
        let place = PathBuf::from(&asked.source_asset_id);
        let input = Input::of(file, &place).map_err(media_error)?;
        let (mark, position) = match asked.watermark {
            Watermark::None => (Mark::None, None),
            Watermark::Text { text, position } => (Mark::Text(text), Some(position)),
            Watermark::Image { image_asset_id, position } => {
                (Mark::Image(image_asset_id.into()), Some(position))
            }
        };
        let request = Request {
            input: place,
            output: draft.path().to_owned(),
            // The draft is ours.
            overwrite: true,
            container,
            resolution: asked.resolution.parse().map_err(word)?,
            watermark: mark,
            position: position.map_or(Ok(<_>::default()), |word| word.parse()).map_err(word)?,
            approval_required: asked.require_watermark_approval,
        };
        let opened = Opened { input, image, source_sha256: Some(hex(&source.sha256)) };
        let left = Duration::from_millis(render.expires.0.saturating_sub(service.now().0));
        let approval_time =
            service.inner.settings.approval_time.min(left.saturating_sub(ANSWER_MARGIN));
        Ok(Self { request, opened, draft, approval_time })
    }
}

/// The waiting render as it was stored with its question.
fn stored(suspended: &store::Suspended) -> Result<Suspended, Failure> {
    let mut stored: Suspended = serde_json::from_value(suspended.pins.clone())
        .map_err(|error| internal(format!("The stored question cannot be read: {error}.")))?;
    stored.suspension.state.clone_from(&suspended.state);
    Ok(stored)
}

async fn pinned_chain(service: &Service, stored: &Suspended) -> Result<Chain, Failure> {
    let mut components: BTreeMap<Stage, Vec<u8>> = BTreeMap::new();
    for (stage, pin) in &stored.pins {
        let bytes = service.inner.store.plugin(&pin.digest.to_string()).await;
        let bytes = bytes.map_err(|error| {
            internal(format!("The plugin `{}` that asked is gone: {error}", pin.name))
        })?;
        components.insert(*stage, bytes);
    }
    service.inner.chains.pinned(stored.pins.clone(), components).await
}

/// Commits a finished render.
async fn complete(
    service: &Service,
    lease: Lease,
    report: &Report,
    file: Draft,
) -> Result<store::Render, store::Error> {
    let id = lease.id.clone();
    let film = NewArtifact {
        kind: ArtifactKind::Output,
        media_type: report.container.media_type().to_owned(),
        file,
    };
    let kept = json!(FilmKept::of(report));
    let render = service.inner.store.complete(lease, "completed", kept, vec![film]).await?;
    service.inner.listener.resource(&render.tenant, &contract::answers::film_uri(&id));
    Ok(render)
}

/// Commits a question; from now on nothing of the render is alive.
async fn suspend(
    service: &Service,
    lease: Lease,
    waiting: &Render,
) -> Result<store::Render, store::Error> {
    let store = &service.inner.store;
    let lost = |failure: Failure| store::Error::Io(failure.message);
    let mut stored = waiting.suspend().await.map_err(lost)?;
    let state = std::mem::take(&mut stored.suspension.state);
    let mut plugins = Vec::new();
    for (_, link) in waiting.chain().links() {
        plugins.push(store.keep_plugin(link.component.to_vec()).await?);
    }
    let png = waiting.question().map(|(_, png)| png.to_vec()).unwrap_or_default();
    let preview = store.draft(".png")?;
    std::io::Write::write_all(&mut preview.writer()?, &png)?;
    let preview = NewArtifact {
        kind: ArtifactKind::Preview,
        media_type: "image/png".to_owned(),
        file: preview,
    };
    let question = NewQuestion {
        text: stored.question.text.clone(),
        deadline: store::Millis(stored.question.deadline.0.saturating_mul(1000)),
        detail: json!({ "preview_frame": stored.question.preview_frame }),
        state,
        pins: json!(stored),
        plugins,
    };
    let plans = json!({});
    let id = lease.id.clone();
    let render = store.suspend(lease, "awaiting_approval", plans, question, Some(preview)).await?;
    service.inner.listener.resource(&render.tenant, &contract::answers::preview_uri(&id));
    Ok(render)
}

/// Commits a failure.
async fn fail(
    service: &Service,
    lease: Lease,
    failure: &Failure,
) -> Result<store::Render, store::Error> {
    // Operators find the reason here; agents may be told less.
    tracing::warn!(render = lease.id, code = %failure.code, "the render failed: {failure}");
    let temporary = failure.code.is_temporary();
    service.inner.store.fail(lease, "failed", json!(failure), temporary).await
}

/// Tells the stage that asked that nobody has answered; what it says to that
/// changes nothing.
pub(super) async fn tell_expired(service: &Service, render: &store::Render) {
    let suspended = service.inner.store.suspended(&render.tenant, &render.id).await;
    let Ok(suspended) = suspended else { return };
    let claim = Claim { render: render.clone(), suspended: Some(suspended) };
    let teller = service.inner.live.begin(&render.id).teller();
    if let Err(failure) = go_on(service, &claim, teller).await {
        tracing::debug!(render = render.id, "the question has expired: {failure}");
    }
}

impl Service {
    pub(super) fn now(&self) -> store::Millis {
        self.inner.clock.now()
    }
}

/// The store's clock in whole seconds.
struct Seconds(Arc<dyn store::Clock>);

impl Clock for Seconds {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.now().0 / 1000)
    }
}

impl Watcher for Teller {
    fn step(&self, step: Step) {
        let (fraction, message) = match step {
            Step::Admit => (0.01, "Reading the source.".to_owned()),
            Step::Plan(stage) => (0.02, format!("Planning: {stage}.")),
            Step::Preview => (0.03, "Rendering the preview.".to_owned()),
            Step::Encode => (ENCODING.0, "Encoding.".to_owned()),
            Step::Commit => (ENCODING.1, "Checking the film.".to_owned()),
        };
        self.tell(Now { fraction, message });
    }

    fn encoding(&self, progress: Encoding) {
        let Encoding { frame, frames, .. } = progress;
        #[expect(clippy::cast_precision_loss, reason = "a share, for people")]
        let share = (frame as f64 / frames.max(1) as f64).clamp(0.0, 1.0);
        let fraction = ENCODING.0 + share * (ENCODING.1 - ENCODING.0);
        let message = format!("Encoded {:.0}% of the frames.", share * 100.0);
        self.tell(Now { fraction, message });
    }
}

/// Between which shares of a render its encoding lies.
const ENCODING: (f64, f64) = (0.05, 0.97);

fn internal(message: String) -> Failure {
    Failure::new(Code::Internal, message)
}
