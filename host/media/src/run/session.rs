//! What belongs to one run stands and falls together.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::AbortHandle;

/// The tasks of a run. The tools that they wait for are killed when they are stopped.
#[derive(Debug, Default)]
pub(super) struct Session {
    tasks: Mutex<Vec<AbortHandle>>,
}

impl Session {
    /// Starts a task that ends with the session.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let task = tokio::spawn(task).abort_handle();
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).push(task);
    }

    /// A part of the session.
    pub(super) fn part(self: &Arc<Self>) -> Part {
        Part { session: Arc::clone(self), done: false }
    }

    fn stop(&self) {
        for task in self.tasks.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            task.abort();
        }
    }
}

/// What somebody holds of a run: dropped before its work is done, it ends all of it.
#[derive(Debug)]
pub(super) struct Part {
    session: Arc<Session>,
    done: bool,
}

impl Part {
    /// Its work is done: dropping it is of no consequence any more.
    pub(super) fn done(&mut self) {
        self.done = true;
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.done {
            self.session.stop();
        }
    }
}
