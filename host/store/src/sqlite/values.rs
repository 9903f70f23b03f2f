//! Values on their way in and out of rows.

use rusqlite::types::Type;
use rusqlite::{Connection, Row, params};
use serde_json::Value;

use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::renders::{ArtifactKind, Status};

type Read<T> = std::result::Result<T, rusqlite::Error>;

/// A number for a column; SQLite has none above `i64::MAX`.
pub(crate) fn sql(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number from a column.
pub(crate) fn number(row: &Row<'_>, column: usize) -> Read<u64> {
    let value: i64 = row.get(column)?;
    u64::try_from(value).map_err(|error| damaged(column, error))
}

pub(crate) fn moment(row: &Row<'_>, column: usize) -> Read<Millis> {
    number(row, column).map(Millis)
}

pub(crate) fn maybe_moment(row: &Row<'_>, column: usize) -> Read<Option<Millis>> {
    let value: Option<i64> = row.get(column)?;
    value.map(|_| moment(row, column)).transpose()
}

pub(crate) fn json(row: &Row<'_>, column: usize) -> Read<Value> {
    let text = row.get_ref(column)?.as_str()?;
    serde_json::from_str(text).map_err(|error| damaged(column, error))
}

pub(crate) fn maybe_json(row: &Row<'_>, column: usize) -> Read<Option<Value>> {
    let text: Option<&str> = row.get_ref(column)?.as_str_or_null()?;
    text.map(|_| json(row, column)).transpose()
}

fn damaged(
    column: usize,
    error: impl std::error::Error + Send + Sync + 'static,
) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Null, Box::new(error))
}

pub(crate) fn status(row: &Row<'_>, column: usize) -> Read<Status> {
    let value: i64 = row.get(column)?;
    Ok(match value {
        0 => Status::Queued,
        1 => Status::Working,
        2 => Status::Waiting,
        3 => Status::Completed,
        4 => Status::Failed,
        5 => Status::Cancelled,
        other => return Err(rusqlite::Error::IntegralValueOutOfRange(column, other)),
    })
}

pub(crate) fn status_number(status: Status) -> i64 {
    match status {
        Status::Queued => 0,
        Status::Working => 1,
        Status::Waiting => 2,
        Status::Completed => 3,
        Status::Failed => 4,
        Status::Cancelled => 5,
    }
}

pub(crate) fn kind(row: &Row<'_>, column: usize) -> Read<ArtifactKind> {
    let value: i64 = row.get(column)?;
    Ok(match value {
        0 => ArtifactKind::Output,
        1 => ArtifactKind::Preview,
        other => return Err(rusqlite::Error::IntegralValueOutOfRange(column, other)),
    })
}

pub(crate) fn kind_number(kind: ArtifactKind) -> i64 {
    match kind {
        ArtifactKind::Output => 0,
        ArtifactKind::Preview => 1,
    }
}

/// The first row, or that there is none.
pub(crate) fn maybe<T>(read: Read<T>) -> Result<Option<T>> {
    match read {
        Ok(value) => Ok(Some(value)),
        Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The first row, or that there is no such thing.
pub(crate) fn found<T>(read: Read<T>, what: &'static str) -> Result<T> {
    maybe(read)?.ok_or(Error::NotFound(what))
}

/// Whether a query of one text gives a row.
pub(crate) fn exists(connection: &Connection, query: &str, text: &str) -> Result<bool> {
    Ok(connection.prepare_cached(query)?.exists(params![text])?)
}
