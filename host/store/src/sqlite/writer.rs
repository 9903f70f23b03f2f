//! The one thread that writes.
//!
//! Whatever waits when a transaction begins is put into it, each job in a
//! savepoint of its own, and everybody is answered after the one commit. A sync
//! of the disk is what a commit costs, so a busy store is no slower for each
//! than an idle one.

use std::sync::Arc;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::files::Placed;
use super::touches::Touches;
use crate::error::{Error, Result};

/// The most jobs of one transaction.
const BATCH: usize = 128;

/// What is done in the transaction, or why it cannot be; it gives what is done
/// after the commit, and why the whole transaction is lost if it is.
pub(crate) type Job = Box<dyn FnOnce(Result<&Connection>) -> (Answering, Option<Error>) + Send>;

/// Told how the commit went.
pub(crate) type Answering = Box<dyn FnOnce(Result<()>) + Send>;

/// Makes a job of `work`. The files are kept if the work succeeds and is
/// committed, and removed if not.
pub(crate) fn job<T: Send + 'static>(
    mut files: Vec<Placed>,
    work: impl FnOnce(&Connection, &mut [Placed]) -> Result<T> + Send + 'static,
) -> (Job, oneshot::Receiver<Result<T>>) {
    let (answer, answered) = oneshot::channel();
    let job: Job = Box::new(move |connection| {
        let result = connection.clone().and_then(|c| apart(c, &mut files, work));
        let lost = connection.is_ok_and(Connection::is_autocommit);
        let fault = result.as_ref().err().filter(|_| lost).cloned();
        let answering: Answering = Box::new(move |committed| {
            let result = match (result, committed) {
                (Ok(value), Ok(())) => {
                    files.iter_mut().for_each(Placed::keep);
                    Ok(value)
                }
                (Ok(_), Err(error)) => {
                    // After a failed sync nobody knows what the next start will
                    // find, so the sweep decides about the files.
                    if error != Error::Full {
                        files.iter_mut().for_each(Placed::keep);
                    }
                    Err(error)
                }
                (Err(error), _) => Err(error),
            };
            // What is refused is gone before its owner hears of it.
            drop(files);
            drop(answer.send(result));
        });
        (answering, fault)
    });
    (job, answered)
}

/// Does the work so that it can be undone without what came before it.
fn apart<T>(
    connection: &Connection,
    files: &mut [Placed],
    work: impl FnOnce(&Connection, &mut [Placed]) -> Result<T>,
) -> Result<T> {
    connection.prepare_cached("SAVEPOINT work")?.execute([])?;
    let result = work(connection, files);
    // SQLite gives up the whole transaction by itself when the disk is full.
    if result.is_err() && !connection.is_autocommit() {
        connection.prepare_cached("ROLLBACK TO work")?.execute([])?;
    }
    if !connection.is_autocommit() {
        connection.prepare_cached("RELEASE work")?.execute([])?;
    }
    result
}

/// Writes until nobody can ask any more.
pub(crate) fn run(connection: &Connection, mut jobs: mpsc::Receiver<Job>, touches: &Arc<Touches>) {
    while let Some(first) = jobs.blocking_recv() {
        let mut waiting = Some(first);
        let mut answering = Vec::new();
        let mut fault = begin(connection).err();
        while let Some(job) = waiting.take() {
            let (tell, lost) = job(fault.clone().map_or(Ok(connection), Err));
            answering.push(tell);
            fault = fault.or(lost);
            if answering.len() < BATCH {
                waiting = jobs.try_recv().ok();
            }
        }
        let committed = match fault {
            None => touches.write(connection, false).and_then(|()| commit(connection)),
            Some(error) => Err(error),
        };
        if committed.is_err() && !connection.is_autocommit() {
            drop(connection.execute_batch("ROLLBACK"));
        }
        for tell in answering {
            tell(committed.clone());
        }
    }
    // The last touches; a failure costs a session a minute of its life.
    drop(begin(connection).and_then(|()| touches.write(connection, true)));
    drop(commit(connection));
}

fn begin(connection: &Connection) -> Result<()> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    Ok(())
}

fn commit(connection: &Connection) -> Result<()> {
    connection.prepare_cached("COMMIT")?.execute([])?;
    Ok(())
}
