//! Threads that wait for work, each with something of its own.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use tokio::sync::{mpsc, oneshot};

use crate::error::{Error, Result};

type Task<C> = Box<dyn FnOnce(&mut C) + Send>;

/// Some threads behind one bounded queue. Whoever comes when it is full waits.
pub(crate) struct Workers<C> {
    queue: mpsc::Sender<Task<C>>,
}

impl<C: Send + 'static> Workers<C> {
    pub(crate) fn start(
        name: &str,
        own: Vec<C>,
        queue: usize,
        threads: &mut Vec<JoinHandle<()>>,
    ) -> Result<Self> {
        let (sender, receiver) = mpsc::channel::<Task<C>>(queue);
        let receiver = Arc::new(Mutex::new(receiver));
        for mut own in own {
            let receiver = Arc::clone(&receiver);
            let work = move || {
                loop {
                    // One of them waits for work, the others for their turn to wait.
                    let task =
                        receiver.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv();
                    let Some(task) = task else { break };
                    task(&mut own);
                }
            };
            threads.push(thread::Builder::new().name(name.into()).spawn(work)?);
        }
        Ok(Self { queue: sender })
    }

    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut C) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (answer, answered) = oneshot::channel();
        let task: Task<C> = Box::new(move |own| drop(answer.send(work(own))));
        self.queue.send(task).await.map_err(|_| Error::Closed)?;
        answered.await.map_err(|_| Error::Closed)?
    }
}
