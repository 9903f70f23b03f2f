//! A running tool, its end, and the certainty of it.

use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::{Exit, Job, Spawner, Tool, Verdict, Watchdog, tail};
use crate::{Ffmpeg, MediaError};

/// How long a tool may take to end by itself after SIGTERM.
const TERM_GRACE: Duration = Duration::from_millis(500);

/// How long to read on from stderr after the tool ended. Nobody else holds it, so this is only
/// to be sure of an end.
const STDERR_GRACE: Duration = Duration::from_secs(5);

/// A tool that was started. A task of its own drains its stderr and waits for it; the tool is
/// killed with its whole process group, and reaped, when this value is dropped.
#[derive(Debug)]
pub struct Child {
    id: Option<u32>,
    end: End,
    /// Dropping it, or sending, ends the child.
    stop: Option<oneshot::Sender<()>>,
    /// Keeps the thread alive whose end would kill the child.
    _spawner: Arc<Spawner>,
}

#[derive(Debug)]
enum End {
    Awaited(JoinHandle<Result<Exit, MediaError>>),
    Known(Exit),
    /// The supervisor failed; it was said once why.
    Lost,
}

impl Ffmpeg {
    /// Starts `job` in the jail.
    ///
    /// Fails with [`MediaError::JailUnavailable`] if the launcher cannot be started. What goes
    /// wrong in the launcher is the error of [`Child::wait`].
    pub async fn spawn(&self, job: Job) -> Result<Child, MediaError> {
        let (tool, spawner) = (job.tool(), self.spawner());
        let command = job.into_command(self.tools(), self.launcher(), self.limits())?;
        let child = spawner.spawn(command).await.map_err(|error| MediaError::JailUnavailable {
            message: format!("its launcher did not start: {error}"),
        })?;
        let (stop, stopped) = oneshot::channel();
        Ok(Child {
            id: child.id(),
            end: End::Awaited(tokio::spawn(supervise(tool, child, stopped))),
            stop: Some(stop),
            _spawner: Arc::clone(spawner),
        })
    }
}

impl Child {
    /// The process id, which is also that of its process group. It may belong to somebody else
    /// once the child was waited for.
    pub fn id(&self) -> Option<u32> {
        self.id
    }

    /// Waits until the tool has ended. May be cancelled and called again.
    ///
    /// Fails with [`MediaError::JailUnavailable`] if the jail did not start the tool; that the
    /// tool failed is an `Ok`: see [`Exit::check`].
    pub async fn wait(&mut self) -> Result<Exit, MediaError> {
        let exit = match &mut self.end {
            End::Known(exit) => return Ok(exit.clone()),
            End::Lost => return Err(MediaError::host("waiting for a process", "it is lost")),
            End::Awaited(supervisor) => supervisor
                .await
                .unwrap_or_else(|error| Err(MediaError::host("waiting for a process", error))),
        };
        self.end = exit.as_ref().map_or(End::Lost, |exit| End::Known(exit.clone()));
        exit
    }

    /// Waits like [`Child::wait`] while `watchdog` looks at `progress`, which must grow as long
    /// as the tool works; kills the tool when the watchdog says so.
    pub async fn wait_watched(
        &mut self,
        mut watchdog: Watchdog,
        progress: impl Fn() -> u64,
    ) -> Result<Exit, MediaError> {
        let started = Instant::now();
        loop {
            if let Ok(end) = timeout(watchdog.interval(), self.wait()).await {
                return end;
            }
            let verdict;
            (watchdog, verdict) = watchdog.look(started.elapsed(), progress());
            let error = match verdict {
                Verdict::Fine => continue,
                Verdict::Stalled { limit } => MediaError::Stalled { limit },
                Verdict::Overdue { limit } => MediaError::TimedOut { limit },
            };
            self.kill().await;
            return Err(error);
        }
    }

    /// Ends the tool: SIGTERM to its process group, half a second later SIGKILL. Returns when it
    /// has been reaped; does nothing if it has ended.
    pub async fn kill(&mut self) {
        if let Some(stop) = self.stop.take() {
            // An error means that it has ended.
            let _ = stop.send(());
        }
        // How it ended is of no interest any more.
        let _ = self.wait().await;
    }
}

/// Waits for `child`, or ends it when `stopped` says so or its sender is dropped.
async fn supervise(
    tool: Tool,
    mut child: tokio::process::Child,
    stopped: oneshot::Receiver<()>,
) -> Result<Exit, MediaError> {
    let said = child.stderr.take().map(|stderr| tokio::spawn(tail::drain(stderr)));
    let order = tokio::select! {
        biased;
        ended = child.wait() => return end_of(tool, ended, said).await,
        order = stopped => order,
    };
    if order.is_ok() {
        signal(&child, Signal::SIGTERM);
        if let Ok(ended) = timeout(TERM_GRACE, child.wait()).await {
            return end_of(tool, ended, said).await;
        }
    }
    signal(&child, Signal::SIGKILL);
    let ended = child.wait().await;
    end_of(tool, ended, said).await
}

/// Signals the process group of `child` if it has not been reaped, so that its id is still its.
fn signal(child: &tokio::process::Child, signal: Signal) {
    if let Some(id) = child.id().and_then(|id| i32::try_from(id).ok()) {
        // It may have ended by itself: nothing to do then.
        let _ = killpg(Pid::from_raw(id), signal);
    }
}

async fn end_of(
    tool: Tool,
    ended: std::io::Result<ExitStatus>,
    said: Option<JoinHandle<String>>,
) -> Result<Exit, MediaError> {
    let status = ended.map_err(|error| MediaError::host("waiting for a process", error))?;
    let stderr_tail = match said {
        Some(said) => timeout(STDERR_GRACE, said).await.ok().and_then(Result::ok),
        None => None,
    };
    let exit = Exit { tool, status, stderr_tail: stderr_tail.unwrap_or_default() };
    exit.refusal().map_or(Ok(exit), Err)
}
