//! Sessions in the database.

use rusqlite::{Connection, Row, params};

use super::values::{exists, json, maybe, moment, number, sql};
use super::{Fate, Sqlite, work::reply};
use crate::Reply;
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::sessions::{Event, Pending, Session, Sessions, StoredSession};

mod log;

impl Sessions for Sqlite {
    fn save_session(&self, session: Session) -> Reply<()> {
        reply(self, |inner| async move {
            inner.write(move |connection, _| save(connection, &session)).await
        })
    }

    fn load_session(&self, id: &str) -> Reply<Option<StoredSession>> {
        let id = id.to_owned();
        reply(self, |inner| async move {
            let touched = inner.touches.of(&id);
            let stored = inner.read(move |connection, _| load(connection, &id)).await?;
            Ok(stored.map(|mut stored| {
                stored.session.touched = stored.session.touched.max(touched.unwrap_or_default());
                stored
            }))
        })
    }

    fn touch_session(&self, id: &str) {
        self.inner.touches.add(id, self.inner.fate.now());
    }

    fn sessions_of(&self, principal: &str) -> Reply<Vec<(String, Millis)>> {
        let principal = principal.to_owned();
        reply(self, |inner| async move {
            let touches = inner.touches.clone();
            let work = move |connection: &Connection, _: &Fate| {
                let query = "SELECT id, touched FROM sessions WHERE principal = ?1";
                let mut query = connection.prepare_cached(query)?;
                let rows =
                    query.query_map([principal], |row| Ok((row.get(0)?, moment(row, 1)?)))?;
                let mut sessions: Vec<(String, Millis)> =
                    rows.collect::<std::result::Result<_, _>>()?;
                for (id, touched) in &mut sessions {
                    *touched = (*touched).max(touches.of(id).unwrap_or_default());
                }
                sessions.sort_by(|(a, earlier), (b, later)| (earlier, a).cmp(&(later, b)));
                Ok(sessions)
            };
            inner.read(work).await
        })
    }

    fn idle_sessions(&self, before: Millis) -> Reply<Vec<String>> {
        reply(self, |inner| async move {
            let touches = inner.touches.clone();
            let work = move |connection: &Connection, _: &Fate| {
                let query = "SELECT id FROM sessions WHERE touched < ?1 ORDER BY touched";
                let mut query = connection.prepare_cached(query)?;
                let rows = query.query_map([sql(before.0)], |row| row.get(0))?;
                let mut sessions: Vec<String> = rows.collect::<std::result::Result<_, _>>()?;
                sessions.retain(|id| touches.of(id).is_none_or(|touched| touched < before));
                Ok(sessions)
            };
            inner.read(work).await
        })
    }

    fn all_sessions(&self) -> Reply<Vec<String>> {
        reply(self, |inner| async move {
            let work = |connection: &Connection, _: &Fate| {
                let mut query = connection.prepare_cached("SELECT id FROM sessions ORDER BY id")?;
                let rows = query.query_map([], |row| row.get(0))?;
                Ok(rows.collect::<std::result::Result<_, _>>()?)
            };
            inner.read(work).await
        })
    }

    fn remove_session(&self, id: &str) -> Reply<bool> {
        let id = id.to_owned();
        reply(self, |inner| async move {
            let work = move |connection: &Connection, _: &Fate| {
                let query = "DELETE FROM sessions WHERE id = ?1";
                Ok(connection.prepare_cached(query)?.execute([id])? > 0)
            };
            inner.write(work).await
        })
    }

    fn save_pending(&self, pending: Pending) -> Reply<()> {
        reply(self, |inner| async move {
            let work = move |connection: &Connection, _: &Fate| {
                known(connection, &pending.session)?;
                connection
                    .prepare_cached(
                        "INSERT INTO pending (session, id, topic, data) VALUES (?1, ?2, ?3, ?4)
                        ON CONFLICT (session, id) DO UPDATE SET topic = excluded.topic,
                            data = excluded.data",
                    )?
                    .execute(params![
                        pending.session,
                        pending.id,
                        pending.topic,
                        pending.data.to_string()
                    ])?;
                Ok(())
            };
            inner.write(work).await
        })
    }

    fn remove_pending(&self, session: &str, id: &str) -> Reply<bool> {
        let (session, id) = (session.to_owned(), id.to_owned());
        reply(self, |inner| async move {
            let work = move |connection: &Connection, _: &Fate| {
                let query = "DELETE FROM pending WHERE session = ?1 AND id = ?2";
                Ok(connection.prepare_cached(query)?.execute(params![session, id])? > 0)
            };
            inner.write(work).await
        })
    }

    fn drop_pending(&self, topic: &str) -> Reply<Vec<Pending>> {
        let topic = topic.to_owned();
        reply(self, |inner| async move {
            let work = move |connection: &Connection, _: &Fate| {
                let query = "DELETE FROM pending WHERE topic = ?1
                    RETURNING session, id, topic, data";
                let mut query = connection.prepare_cached(query)?;
                let rows = query.query_map([topic], pending)?;
                Ok(rows.collect::<std::result::Result<_, _>>()?)
            };
            inner.write(work).await
        })
    }

    fn append_events(&self, session: &str, events: Vec<Event>) -> Reply<()> {
        let session = session.to_owned();
        reply(self, |inner| async move {
            let (most, age) = (inner.options.log_bytes, inner.options.log_age);
            let work = move |connection: &Connection, fate: &Fate| {
                known(connection, &session)?;
                log::append(connection, &session, &events)?;
                log::cut(connection, &session, most, fate.now().before(age))
            };
            inner.write(work).await
        })
    }

    fn events_after(
        &self,
        session: &str,
        stream: u64,
        after: u64,
        limit: u32,
    ) -> Reply<Vec<Event>> {
        let session = session.to_owned();
        reply(self, |inner| async move {
            inner.read(move |c, _| log::after(c, &session, stream, after, limit)).await
        })
    }

    fn remove_events(&self, session: &str, numbers: Vec<u64>) -> Reply<()> {
        let session = session.to_owned();
        reply(self, |inner| async move {
            let work = move |connection: &Connection, _: &Fate| {
                let query = "DELETE FROM events WHERE session = ?1 AND number = ?2";
                let mut query = connection.prepare_cached(query)?;
                for number in numbers {
                    query.execute(params![session, sql(number)])?;
                }
                Ok(())
            };
            inner.write(work).await
        })
    }
}

fn known(connection: &Connection, session: &str) -> Result<()> {
    let known = exists(connection, "SELECT 1 FROM sessions WHERE id = ?1", session)?;
    if known { Ok(()) } else { Err(Error::NotFound("session")) }
}

fn save(connection: &Connection, session: &Session) -> Result<()> {
    let saved = connection
        .prepare_cached(
            "INSERT INTO sessions (id, principal, data, created, touched)
            VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (id) DO UPDATE SET data = excluded.data, touched = excluded.touched
                WHERE principal = excluded.principal",
        )?
        .execute(params![
            session.id,
            session.principal,
            session.data.to_string(),
            sql(session.created.0),
            sql(session.touched.0)
        ])?;
    if saved == 1 { Ok(()) } else { Err(Error::Invalid("The session id is taken.".into())) }
}

fn pending(row: &Row<'_>) -> std::result::Result<Pending, rusqlite::Error> {
    Ok(Pending { session: row.get(0)?, id: row.get(1)?, topic: row.get(2)?, data: json(row, 3)? })
}

fn load(connection: &Connection, id: &str) -> Result<Option<StoredSession>> {
    // One view of all three tables.
    let view = connection.unchecked_transaction()?;
    let query = "SELECT id, principal, data, created, touched FROM sessions WHERE id = ?1";
    let session = maybe(view.prepare_cached(query)?.query_row([id], |row| {
        Ok(Session {
            id: row.get(0)?,
            principal: row.get(1)?,
            data: json(row, 2)?,
            created: moment(row, 3)?,
            touched: moment(row, 4)?,
        })
    }))?;
    let Some(session) = session else { return Ok(None) };
    let query = "SELECT session, id, topic, data FROM pending WHERE session = ?1 ORDER BY row";
    let pending = view
        .prepare_cached(query)?
        .query_map([id], pending)?
        .collect::<std::result::Result<_, _>>()?;
    let events = log::all(&view, id)?;
    Ok(Some(StoredSession { session, pending, events }))
}
