//! How the tools of a run end, for everybody who has to know.

use std::sync::Arc;

use tokio::sync::watch;

use crate::jail::JailLimits;
use crate::process::{Exit, Job, Watchdog};
use crate::{Ffmpeg, MediaError};

use super::pulse::Pulse;
use super::session::Session;

/// The end of a tool that a task of the session waits for.
#[derive(Clone, Debug)]
pub(super) struct Ending {
    outcome: watch::Receiver<Option<Result<Exit, MediaError>>>,
    limits: JailLimits,
}

impl Ending {
    /// Starts `job` and has the session wait for it, and end it if `pulse` stands still.
    pub(super) async fn of(
        engine: &Ffmpeg,
        job: Job,
        session: &Arc<Session>,
        pulse: &Arc<Pulse>,
    ) -> Result<Self, MediaError> {
        let mut child = engine.spawn(job).await?;
        let (tell, outcome) = watch::channel(None);
        let watchdog = Watchdog::new(Some(engine.limits().stall), None);
        let pulse = Arc::clone(pulse);
        session.spawn(async move {
            let outcome = child.wait_watched(watchdog, || pulse.look()).await;
            tell.send_replace(Some(outcome));
        });
        Ok(Self { outcome, limits: engine.limits().jail })
    }

    /// Waits for a good end; any other is the error. May be cancelled and called again.
    pub(super) async fn good(&self) -> Result<Exit, MediaError> {
        let mut outcome = self.outcome.clone();
        let outcome = outcome.wait_for(Option::is_some).await;
        let stopped = || MediaError::host("waiting for ffmpeg", "the run was stopped");
        match outcome.ok().as_deref() {
            Some(Some(Ok(exit))) => exit.check(&self.limits).map(|()| exit.clone()),
            Some(Some(Err(error))) => Err(error.again()),
            _ => Err(stopped()),
        }
    }

    /// Why a pipe of the tool broke off: the end of the tool, if that was bad, or else what was
    /// seen of it.
    pub(super) async fn reason(&self, symptom: MediaError) -> MediaError {
        self.good().await.err().unwrap_or(symptom)
    }
}
