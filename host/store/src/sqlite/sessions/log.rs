//! The event log of a session.

use rusqlite::{Connection, Params, Row, params};

use super::{moment, number, sql};
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::sessions::Event;

fn event(row: &Row<'_>) -> std::result::Result<Event, rusqlite::Error> {
    Ok(Event {
        number: number(row, 0)?,
        stream: number(row, 1)?,
        at: moment(row, 2)?,
        payload: row.get(3)?,
    })
}

fn events(connection: &Connection, rest: &str, params: impl Params) -> Result<Vec<Event>> {
    let query = format!("SELECT number, stream, at, payload FROM events {rest}");
    let mut query = connection.prepare_cached(&query)?;
    let rows = query.query_map(params, event)?;
    Ok(rows.collect::<std::result::Result<_, _>>()?)
}

pub(super) fn all(connection: &Connection, session: &str) -> Result<Vec<Event>> {
    events(connection, "WHERE session = ?1 ORDER BY number", [session])
}

pub(super) fn after(
    connection: &Connection,
    session: &str,
    stream: u64,
    after: u64,
    limit: u32,
) -> Result<Vec<Event>> {
    let rest = "WHERE session = ?1 AND stream = ?2 AND number > ?3 ORDER BY number LIMIT ?4";
    events(connection, rest, params![session, sql(stream), sql(after), limit])
}

pub(super) fn append(connection: &Connection, session: &str, events: &[Event]) -> Result<()> {
    let query = "SELECT coalesce(max(number), -1) FROM events WHERE session = ?1";
    let mut last: i64 = connection.prepare_cached(query)?.query_row([session], |row| row.get(0))?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO events (session, number, stream, at, payload) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for event in events {
        let number = sql(event.number);
        if number <= last {
            return Err(Error::Invalid("The numbers of a session's events must rise.".into()));
        }
        last = number;
        insert.execute(params![
            session,
            number,
            sql(event.stream),
            sql(event.at.0),
            event.payload
        ])?;
    }
    Ok(())
}

/// Makes room: what is older than a moment goes, and the oldest of what is too
/// much. The latest event stays, however big it is.
pub(super) fn cut(connection: &Connection, session: &str, most: u64, oldest: Millis) -> Result<()> {
    let mut next = connection.prepare_cached(
        "SELECT e.number, e.at, s.log_bytes,
            e.number = (SELECT max(number) FROM events WHERE session = ?1)
        FROM events e JOIN sessions s ON s.id = e.session
        WHERE e.session = ?1 ORDER BY e.number LIMIT 1",
    )?;
    let mut remove =
        connection.prepare_cached("DELETE FROM events WHERE session = ?1 AND number = ?2")?;
    loop {
        let first = super::maybe(next.query_row([session], |row| {
            Ok((row.get::<_, i64>(0)?, moment(row, 1)?, number(row, 2)?, row.get::<_, bool>(3)?))
        }))?;
        let Some((number, at, bytes, latest)) = first else { return Ok(()) };
        if latest || (bytes <= most && at >= oldest) {
            return Ok(());
        }
        remove.execute(params![session, number])?;
    }
}
