//! Renders as rows.

use rusqlite::{Connection, Row, named_params, params};

use super::values::{exists, json, maybe, maybe_json, maybe_moment, moment, number, sql, status};
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::renders::{Decision, Lease, Question, Render, Status};

/// How long an expired render is told apart from one that never was.
pub(crate) const REMEMBERED: std::time::Duration = std::time::Duration::from_hours(24);

/// A render with its latest question.
pub(crate) const RENDER: &str = "
    SELECT r.id, r.tenant, r.owner, r.status, r.step, r.version, r.attempt, r.request, r.plans,
        r.failure, r.report, r.created, r.updated, r.expires,
        q.id, q.number, q.text, q.detail, q.asked, q.deadline,
        q.approved, q.channel, q.subject, q.feedback, q.decided
    FROM renders r LEFT JOIN questions q ON q.render = r.id
        AND q.number = (SELECT max(number) FROM questions WHERE render = r.id)";

pub(crate) fn render(row: &Row<'_>) -> std::result::Result<Render, rusqlite::Error> {
    let asked: Option<String> = row.get(14)?;
    Ok(Render {
        id: row.get(0)?,
        tenant: row.get(1)?,
        owner: row.get(2)?,
        status: status(row, 3)?,
        step: row.get(4)?,
        version: number(row, 5)?,
        attempt: number(row, 6)?,
        request: json(row, 7)?,
        plans: json(row, 8)?,
        failure: maybe_json(row, 9)?,
        report: maybe_json(row, 10)?,
        created: moment(row, 11)?,
        updated: moment(row, 12)?,
        expires: moment(row, 13)?,
        question: asked.map(|_| question(row, 14)).transpose()?,
    })
}

/// A question whose columns begin at `first`.
pub(crate) fn question(
    row: &Row<'_>,
    first: usize,
) -> std::result::Result<Question, rusqlite::Error> {
    let approved: Option<bool> = row.get(first + 6)?;
    let decision = approved.map(|approved| {
        Ok::<_, rusqlite::Error>(Decision {
            approved,
            channel: row.get(first + 7)?,
            subject: row.get(first + 8)?,
            feedback: row.get(first + 9)?,
            at: maybe_moment(row, first + 10)?.unwrap_or_default(),
        })
    });
    Ok(Question {
        id: row.get(first)?,
        number: row.get(first + 1)?,
        text: row.get(first + 2)?,
        detail: json(row, first + 3)?,
        asked: moment(row, first + 4)?,
        deadline: moment(row, first + 5)?,
        decision: decision.transpose()?,
    })
}

fn by_id(connection: &Connection, id: &str) -> Result<Option<Render>> {
    let query = format!("{RENDER} WHERE r.id = ?1");
    maybe(connection.prepare_cached(&query)?.query_row(params![id], render))
}

/// A render, whoever's it is, while it is there.
pub(crate) fn live(connection: &Connection, id: &str, now: Millis) -> Result<Render> {
    by_id(connection, id)?.filter(|render| render.expires > now).ok_or(Error::NotFound("render"))
}

/// A render of the tenant, while it is there.
pub(crate) fn owned(
    connection: &Connection,
    tenant: &str,
    id: &str,
    now: Millis,
) -> Result<Render> {
    match by_id(connection, id)? {
        Some(render) if render.tenant != tenant => Err(Error::NotFound("render")),
        Some(render) if render.expires > now => Ok(render),
        Some(render) if render.expires.after(REMEMBERED) > now => Err(Error::Expired),
        Some(_) => Err(Error::NotFound("render")),
        None => {
            let query = "SELECT 1 FROM gone WHERE render = ?1 AND tenant = ?2 AND until > ?3";
            let gone = connection.prepare_cached(query)?.exists(params![id, tenant, sql(now.0)])?;
            Err(if gone { Error::Expired } else { Error::NotFound("render") })
        }
    }
}

/// The render that the lease is for, if the lease is the latest.
pub(crate) fn leased(connection: &Connection, lease: &Lease, now: Millis) -> Result<Render> {
    let render = by_id(connection, &lease.id)?.ok_or(Error::LostRace)?;
    let latest = render.status == Status::Working
        && render.version == lease.version
        && render.attempt == lease.attempt
        && render.expires > now;
    if latest { Ok(render) } else { Err(Error::LostRace) }
}

/// Writes what may change of a render, if nobody else has since it was read.
pub(crate) fn save(
    connection: &Connection,
    mut render: Render,
    deadline: Option<Millis>,
    now: Millis,
) -> Result<Render> {
    // A clock that was set back must not make the render older.
    render.updated = render.updated.max(now);
    let text = |value: &Option<serde_json::Value>| value.as_ref().map(ToString::to_string);
    let changed = connection
        .prepare_cached(
            "UPDATE renders SET status = :status, step = :step, version = version + 1,
                attempt = :attempt, plans = :plans, failure = :failure, report = :report,
                updated = :updated, deadline = :deadline
            WHERE id = :id AND version = :version AND status < 3",
        )?
        .execute(named_params! {
            ":status": super::values::status_number(render.status),
            ":step": render.step,
            ":attempt": sql(render.attempt),
            ":plans": render.plans.to_string(),
            ":failure": text(&render.failure),
            ":report": text(&render.report),
            ":updated": sql(render.updated.0),
            ":deadline": deadline.map(|deadline| sql(deadline.0)),
            ":id": render.id,
            ":version": sql(render.version),
        })?;
    if changed != 1 {
        return Err(Error::LostRace);
    }
    if render.status.is_terminal() {
        let_go(connection, &render.id, now)?;
    }
    render.version += 1;
    Ok(render)
}

/// An ended render needs neither its assets nor its plugins.
fn let_go(connection: &Connection, id: &str, now: Millis) -> Result<()> {
    connection.prepare_cached("DELETE FROM render_assets WHERE render = ?1")?.execute([id])?;
    connection
        .prepare_cached(
            "UPDATE plugins SET used = max(used, ?2)
            WHERE digest IN (SELECT digest FROM render_plugins WHERE render = ?1)",
        )?
        .execute(params![id, sql(now.0)])?;
    connection.prepare_cached("DELETE FROM render_plugins WHERE render = ?1")?.execute([id])?;
    Ok(())
}

/// Lets the key of a render be used for another one.
pub(crate) fn free_key(connection: &Connection, id: &str) -> Result<()> {
    connection.prepare_cached("DELETE FROM idempotency WHERE render = ?1")?.execute([id])?;
    Ok(())
}

/// Whether the tenant has this asset.
pub(crate) fn has_asset(connection: &Connection, tenant: &str, id: &str) -> Result<bool> {
    let query = "SELECT tenant FROM assets WHERE id = ?1";
    let owner: Option<String> =
        maybe(connection.prepare_cached(query)?.query_row([id], |row| row.get(0)))?;
    Ok(owner.is_some_and(|owner| owner == tenant))
}

/// The artifact's file, kept by a render under this number of a kind.
pub(crate) fn file_of(connection: &Connection, id: &str, kind: i64) -> Result<Option<String>> {
    let query = "SELECT file FROM artifacts WHERE render = ?1 AND kind = ?2";
    maybe(connection.prepare_cached(query)?.query_row(params![id, kind], |row| row.get(0)))
}

/// Whether a plugin is kept.
pub(crate) fn has_plugin(connection: &Connection, digest: &str) -> Result<()> {
    let kept = exists(connection, "SELECT 1 FROM plugins WHERE digest = ?1", digest)?;
    if kept { Ok(()) } else { Err(Error::NotFound("plugin")) }
}
