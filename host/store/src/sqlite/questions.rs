//! Questions and decisions in the database.

use rusqlite::{Connection, named_params, params};
use serde_json::Value;

use super::Fate;
use super::rows::{has_plugin, live, owned, question, save};
use super::values::{json, maybe, sql};
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::renders::{Answer, Decided, Decision, NewQuestion, Question, Render, Status, Suspended};

const QUESTION: &str = "SELECT id, number, text, detail, asked, deadline,
    approved, channel, subject, feedback, decided, state, pins FROM questions";

/// Lets a render wait for the answer to a question.
pub(super) fn suspend(
    connection: &Connection,
    fate: &Fate,
    render: Render,
    asked: NewQuestion,
) -> Result<Render> {
    let now = fate.now();
    let number = render.question.as_ref().map_or(1, |question| question.number + 1);
    for digest in &asked.plugins {
        has_plugin(connection, digest)?;
        connection
            .prepare_cached(
                "INSERT OR IGNORE INTO render_plugins (render, digest) VALUES (?1, ?2)",
            )?
            .execute(params![render.id, digest])?;
    }
    let question = Question {
        id: fate.id("question_")?,
        number,
        text: asked.text,
        detail: asked.detail,
        asked: now,
        deadline: asked.deadline,
        decision: None,
    };
    connection
        .prepare_cached(
            "INSERT INTO questions (id, render, number, text, detail, state, pins, asked, deadline)
            VALUES (:id, :render, :number, :text, :detail, :state, :pins, :asked, :deadline)",
        )?
        .execute(named_params! {
            ":id": question.id,
            ":render": render.id,
            ":number": question.number,
            ":text": question.text,
            ":detail": question.detail.to_string(),
            ":state": asked.state,
            ":pins": asked.pins.to_string(),
            ":asked": sql(now.0),
            ":deadline": sql(question.deadline.0),
        })?;
    let deadline = Some(question.deadline);
    let render = Render { status: Status::Waiting, question: Some(question), ..render };
    save(connection, render, deadline, now)
}

/// What the latest question of a render left behind.
pub(super) fn suspended(connection: &Connection, id: &str) -> Result<Option<Suspended>> {
    let query = format!("{QUESTION} WHERE render = ?1 ORDER BY number DESC LIMIT 1");
    maybe(connection.prepare_cached(&query)?.query_row([id], |row| {
        Ok(Suspended { question: question(row, 0)?, state: row.get(11)?, pins: json(row, 12)? })
    }))
}

pub(super) fn decide(
    connection: &Connection,
    tenant: &str,
    id: &str,
    answer: &Answer,
    now: Millis,
) -> Result<Decided> {
    let render = owned(connection, tenant, id, now)?;
    let Some(latest) = render.question.clone() else {
        return Ok(Decided::NotWaiting(Box::new(render)));
    };
    let asked = match &answer.question {
        Some(meant) if *meant != latest.id => {
            let query = format!("{QUESTION} WHERE render = ?1 AND id = ?2");
            let mut query = connection.prepare_cached(&query)?;
            maybe(query.query_row(params![id, meant], |row| question(row, 0)))?
        }
        None if latest.number > 1 => return Ok(Decided::QuestionNeeded),
        _ => Some(latest.clone()),
    };
    let Some(asked) = asked else { return Ok(Decided::NotWaiting(Box::new(render))) };
    if let Some(decision) = asked.decision {
        return Ok(if decision.approved == answer.approved {
            Decided::Same(Box::new(render))
        } else {
            Decided::Different(decision)
        });
    }
    if render.status != Status::Waiting || asked.id != latest.id {
        return Ok(Decided::NotWaiting(Box::new(render)));
    }
    if asked.deadline <= now {
        return Ok(Decided::TooLate);
    }
    record(connection, &asked.id, answer, now)?;
    let decision = Decision {
        approved: answer.approved,
        channel: answer.channel.clone(),
        subject: answer.subject.clone(),
        feedback: answer.feedback.clone(),
        at: now,
    };
    let question = Some(Question { decision: Some(decision), ..asked });
    let render = Render { status: Status::Queued, question, ..render };
    Ok(Decided::First(Box::new(save(connection, render, None, now)?)))
}

fn record(connection: &Connection, question: &str, answer: &Answer, now: Millis) -> Result<()> {
    let changed = connection
        .prepare_cached(
            "UPDATE questions SET approved = ?2, channel = ?3, subject = ?4, feedback = ?5,
                decided = ?6
            WHERE id = ?1 AND approved IS NULL",
        )?
        .execute(params![
            question,
            answer.approved,
            answer.channel,
            answer.subject,
            answer.feedback,
            sql(now.0)
        ])?;
    if changed == 1 { Ok(()) } else { Err(Error::LostRace) }
}

/// Fails renders that nobody has answered in time.
pub(super) fn expire(
    connection: &Connection,
    step: &str,
    failure: &Value,
    limit: u32,
    now: Millis,
) -> Result<Vec<Render>> {
    let ids: Vec<String> = {
        // Those whose time is over altogether are the sweep's.
        let query = "SELECT id FROM renders
            WHERE deadline IS NOT NULL AND deadline <= ?1 AND expires > ?1
            ORDER BY deadline LIMIT ?2";
        let mut query = connection.prepare_cached(query)?;
        let rows = query.query_map(params![sql(now.0), limit], |row| row.get(0))?;
        rows.collect::<std::result::Result<_, _>>()?
    };
    let fail = |id: String| {
        let render = live(connection, &id, now)?;
        let (status, step, failure) = (Status::Failed, step.to_owned(), Some(failure.clone()));
        save(connection, Render { status, step, failure, ..render }, None, now)
    };
    ids.into_iter().map(fail).collect()
}
