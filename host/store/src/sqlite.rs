//! The store in one data directory: SQLite, and files beside it.
//!
//! One thread writes, some read, some move files about; each behind a bounded
//! queue, so that whoever is too fast waits. Readers see the last commit and
//! never wait for the writer (write-ahead log).

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use tokio::sync::mpsc;

mod artifacts;
mod assets;
mod directory;
mod files;
mod migrate;
mod plugins;
mod questions;
mod renders;
mod rows;
mod sessions;
mod sweep;
mod tokens;
mod touches;
mod values;
mod work;
mod workers;
mod writer;

use directory::Directory;
pub use directory::Mode;
use files::Placed;
use touches::Touches;
use workers::Workers;

use crate::clock::{Clock, Millis, SystemClock};
use crate::error::{Error, Result};
use crate::ids::{Ids, SystemIds};

/// What a store may be told.
#[derive(Clone)]
pub struct Options {
    /// Whether this is the server.
    pub mode: Mode,
    /// The time of day.
    pub clock: Arc<dyn Clock>,
    /// Where ids and secrets come from.
    pub ids: Arc<dyn Ids>,
    /// Threads that read.
    pub readers: usize,
    /// How many may wait for each kind of thread before the next has to wait
    /// for a place.
    pub queue: usize,
    /// How long another process may keep the database locked.
    pub patience: Duration,
    /// The most that the event log of a session holds, in bytes.
    pub log_bytes: u64,
    /// How long an event is kept.
    pub log_age: Duration,
    /// How long a file that nothing refers to is left alone, by the clock of
    /// the file system: its row may still be on its way.
    pub orphan_age: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mode: Mode::Server,
            clock: Arc::new(SystemClock),
            ids: Arc::new(SystemIds),
            readers: 3,
            queue: 256,
            patience: Duration::from_secs(10),
            log_bytes: 8 << 20,
            log_age: Duration::from_hours(24),
            orphan_age: Duration::from_hours(1),
        }
    }
}

/// The store in a data directory. Cheap to clone; the last clone waits for what
/// has begun and closes it.
#[derive(Clone)]
pub struct Sqlite {
    inner: Arc<Inner>,
}

/// What decides about moments and names, also within a job.
#[derive(Clone)]
pub(crate) struct Fate {
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
}

impl Fate {
    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

    pub(crate) fn id(&self, prefix: &str) -> Result<String> {
        crate::ids::id(self.ids.as_ref(), prefix)
    }

    pub(crate) fn secret(&self, prefix: &str) -> Result<String> {
        crate::ids::secret(self.ids.as_ref(), prefix)
    }
}

struct Inner {
    queues: Option<Queues>,
    threads: Vec<JoinHandle<()>>,
    touches: Arc<Touches>,
    fate: Fate,
    options: Options,
    sweeping: Mutex<sweep::Round>,
    /// Connections for a look at a single row, for whoever asks.
    glances: Mutex<Vec<Connection>>,
    /// Last, so that the lock goes when nobody writes any more.
    directory: Directory,
}

struct Queues {
    jobs: mpsc::Sender<writer::Job>,
    readers: Workers<Connection>,
    files: Workers<()>,
}

impl Sqlite {
    /// Opens the data directory, and makes it if there is none. A short call
    /// that blocks.
    ///
    /// # Errors
    ///
    /// `Locked` if there is a server already, `TooNew`, `Corrupt`, `Full`, and
    /// `Io` with what could not be opened.
    pub fn open(root: &Path, options: Options) -> Result<Self> {
        let mut directory = Directory::open(root, options.mode)?;
        let mut connection = connect(&directory, &options)?;
        if migrate::form(&connection)? < migrate::newest() {
            // Not under the feet of a server of the version before.
            directory.lock()?;
            migrate::migrate(&mut connection)?;
            directory.settle();
        }
        let readers = readers(&directory, &options)?;
        let glances = readers_for_glances(&directory, &options)?;
        let mut threads = Vec::new();
        let queue = options.queue.max(1);
        let readers = Workers::start("store-read", readers, queue, &mut threads)?;
        let files = Workers::start("store-files", vec![(), ()], queue, &mut threads)?;
        let (jobs, receiver) = mpsc::channel(queue);
        let touches = Arc::<Touches>::default();
        let write = {
            let touches = Arc::clone(&touches);
            move || writer::run(&connection, receiver, &touches)
        };
        threads.push(std::thread::Builder::new().name("store-write".into()).spawn(write)?);
        let fate = Fate { clock: options.clock.clone(), ids: options.ids.clone() };
        let queues = Some(Queues { jobs, readers, files });
        let sweeping = Mutex::default();
        let glances = Mutex::new(glances);
        let inner = Inner { queues, threads, touches, fate, options, sweeping, glances, directory };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The data directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.inner.directory.root()
    }
}

/// A connection as every one of them is.
fn connect(directory: &Directory, options: &Options) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(directory.database(), flags)?;
    connection.busy_timeout(options.patience)?;
    connection.set_prepared_statement_cache_capacity(128);
    connection.pragma_update(None, "journal_mode", "wal")?;
    // A commit that somebody has been told of must survive a loss of power, and
    // in this store somebody is told of every one.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "journal_size_limit", 64 << 20)?;
    Ok(connection)
}

fn readers(directory: &Directory, options: &Options) -> Result<Vec<Connection>> {
    let reader = |_| {
        let reader = connect(directory, options)?;
        reader.pragma_update(None, "query_only", true)?;
        Ok(reader)
    };
    (0..options.readers.max(1)).map(reader).collect()
}

fn readers_for_glances(directory: &Directory, options: &Options) -> Result<Vec<Connection>> {
    let readers = readers(directory, options)?;
    for reader in &readers {
        // Whoever glances must not be held up.
        reader.busy_timeout(Duration::ZERO)?;
    }
    Ok(readers)
}

impl Inner {
    fn queues(&self) -> Result<&Queues> {
        self.queues.as_ref().ok_or(Error::Closed)
    }

    /// Does something in a transaction and comes back when it is on the disk.
    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection, &Fate) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.write_with(Vec::new(), |connection, _, fate| work(connection, fate)).await
    }

    /// The same with files that are kept only if it succeeds.
    async fn write_with<T: Send + 'static>(
        &self,
        files: Vec<Placed>,
        work: impl FnOnce(&Connection, &mut [Placed], &Fate) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let fate = self.fate.clone();
        let (job, answered) =
            writer::job(files, move |connection, files| work(connection, files, &fate));
        self.queues()?.jobs.send(job).await.map_err(|_| Error::Closed)?;
        answered.await.map_err(|_| Error::Closed)?
    }

    /// Reads from the last commit.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection, &Fate) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let fate = self.fate.clone();
        self.queues()?.readers.run(move |connection| work(connection, &fate)).await
    }

    /// Looks at a row or two that are most likely in memory. That takes less
    /// time than to wake another thread, so it is done here if it can be done
    /// at once.
    async fn glance<T: Send + 'static>(
        &self,
        work: impl Fn(&Connection, &Fate) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let free = self.glances.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(connection) = free {
            let result = work(&connection, &self.fate);
            self.glances.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            if !matches!(result, Err(Error::Locked(_))) {
                return result;
            }
        }
        self.read(work).await
    }

    /// Works on files.
    async fn files<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.queues()?.files.run(move |()| work()).await
    }

    fn round(&self) -> std::sync::MutexGuard<'_, sweep::Round> {
        self.sweeping.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Without queues the threads end when they are through.
        self.queues = None;
        for thread in self.threads.drain(..) {
            drop(thread.join());
        }
    }
}
