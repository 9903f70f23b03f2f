//! The form of the database, and the way there from every earlier form.

use rusqlite::{Connection, TransactionBehavior};

use crate::error::{Error, Result};

/// One step each; a step that was published is never changed.
const STEPS: [&str; 1] = [include_str!("migrations/0001.sql")];

/// Says whose database it is (`vrms`).
const APPLICATION: i64 = 0x7672_6d73;

/// The form that this version works with.
pub(crate) fn newest() -> i64 {
    i64::try_from(STEPS.len()).unwrap_or(i64::MAX)
}

/// The form of a database; 0 if it is empty.
pub(crate) fn form(connection: &Connection) -> Result<i64> {
    let application: i64 = pragma(connection, "application_id")?;
    let found = pragma(connection, "user_version")?;
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if application != APPLICATION && (tables > 0 || found > 0) {
        return Err(Error::Corrupt("it was made by another program".into()));
    }
    if found > newest() {
        return Err(Error::TooNew { found, known: newest() });
    }
    Ok(found)
}

/// Brings a database to the newest form, in one transaction.
pub(crate) fn migrate(connection: &mut Connection) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Somebody may have been faster.
    let found = usize::try_from(form(&transaction)?).unwrap_or_default();
    for step in STEPS.iter().skip(found) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", newest())?;
    transaction.commit()?;
    Ok(())
}

fn pragma(connection: &Connection, name: &str) -> Result<i64> {
    Ok(connection.pragma_query_value(None, name, |row| row.get(0))?)
}
