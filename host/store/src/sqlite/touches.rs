//! When sessions were last used, remembered until it costs nothing to write.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};

use super::values::sql;
use crate::clock::Millis;
use crate::error::Result;

/// How long a touch may wait for something to be written along with.
const WAIT: Duration = Duration::from_secs(15);

#[derive(Default)]
pub(crate) struct Touches(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    sessions: HashMap<String, Millis>,
    since: Option<Instant>,
}

impl Touches {
    pub(crate) fn add(&self, session: &str, at: Millis) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.since.get_or_insert_with(Instant::now);
        match waiting.sessions.get_mut(session) {
            Some(touched) => *touched = at,
            None => drop(waiting.sessions.insert(session.to_owned(), at)),
        }
    }

    /// When the session was touched, if that is not written yet.
    pub(crate) fn of(&self, session: &str) -> Option<Millis> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).sessions.get(session).copied()
    }

    /// Writes what has waited long enough, or everything at once.
    pub(crate) fn write(&self, connection: &Connection, all: bool) -> Result<()> {
        let sessions = {
            let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let due = waiting.since.is_some_and(|since| all || since.elapsed() >= WAIT);
            if !due {
                return Ok(());
            }
            waiting.since = None;
            std::mem::take(&mut waiting.sessions)
        };
        let mut update = connection
            .prepare_cached("UPDATE sessions SET touched = max(touched, ?2) WHERE id = ?1")?;
        for (session, touched) in sessions {
            update.execute(params![session, sql(touched.0)])?;
        }
        Ok(())
    }
}
