//! The lives of renders in the database.

use rusqlite::{Connection, named_params, params};
use serde_json::Value;

use super::questions::{decide, expire, suspend, suspended};
use super::rows::{self, free_key, has_asset, leased, live, owned, render, save};
use super::values::{maybe, maybe_moment, moment, number, sql, status};
use super::{Fate, Sqlite, artifacts, work::reply};
use crate::Reply;
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::page::{Page, PageRequest, Place};
use crate::renders::{
    Admission, Admitted, Answer, Artifact, ArtifactKind, Cancelled, Claim, Decided, Lease,
    NewArtifact, NewQuestion, OpenRender, Render, Renders, Status, Suspended,
};

/// How long a key counts after its first use.
pub(crate) const KEY_AGE: std::time::Duration = std::time::Duration::from_mins(30);

impl Renders for Sqlite {
    fn admit(&self, admission: Admission) -> Reply<Admitted> {
        reply(self, |inner| async move {
            inner.write(move |connection, fate| admit(connection, fate, &admission)).await
        })
    }

    fn render(&self, tenant: &str, id: &str) -> Reply<Render> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        reply(self, |inner| async move {
            inner.glance(move |connection, fate| owned(connection, &tenant, &id, fate.now())).await
        })
    }

    fn renders(&self, tenant: &str, page: PageRequest) -> Reply<Page<Render>> {
        let tenant = tenant.to_owned();
        reply(self, |inner| async move {
            inner.read(move |connection, fate| list(connection, fate, &tenant, &page)).await
        })
    }

    fn open_renders(&self) -> Reply<Vec<OpenRender>> {
        reply(self, |inner| async move { inner.read(|connection, _| open(connection)).await })
    }

    fn claim(&self, id: &str, version: u64) -> Reply<Claim> {
        let id = id.to_owned();
        reply(self, |inner| async move {
            inner.write(move |connection, fate| claim(connection, &id, version, fate.now())).await
        })
    }

    fn advance(&self, lease: Lease, step: &str, plans: Value) -> Reply<Render> {
        let step = step.to_owned();
        reply(self, |inner| async move {
            let work = move |connection: &Connection, fate: &Fate| {
                let now = fate.now();
                let render = leased(connection, &lease, now)?;
                save(connection, Render { step, plans, ..render }, None, now)
            };
            inner.write(work).await
        })
    }

    fn suspend(
        &self,
        lease: Lease,
        step: &str,
        plans: Value,
        question: NewQuestion,
        preview: Option<NewArtifact>,
    ) -> Reply<Render> {
        let step = step.to_owned();
        reply(self, |inner| async move {
            let (kinds, files) = artifacts::place(&inner, preview.into_iter().collect()).await?;
            let (render, old) = inner
                .write_with(files, move |connection, files, fate| {
                    let render = leased(connection, &lease, fate.now())?;
                    let render = Render { step, plans, ..render };
                    let render = suspend(connection, fate, render, question)?;
                    let old = artifacts::keep(connection, &render, &kinds, files, fate.now())?;
                    Ok((render, old))
                })
                .await?;
            // Nothing names them any more; what cannot be removed is swept up later.
            drop(inner.discard(old).await);
            Ok(render)
        })
    }

    fn complete(
        &self,
        lease: Lease,
        step: &str,
        report: Value,
        artifacts: Vec<NewArtifact>,
    ) -> Reply<Render> {
        let step = step.to_owned();
        reply(self, |inner| async move {
            let (kinds, files) = artifacts::place(&inner, artifacts).await?;
            let (render, old) = inner
                .write_with(files, move |connection, files, fate| {
                    let now = fate.now();
                    let render = leased(connection, &lease, now)?;
                    let (status, report) = (Status::Completed, Some(report));
                    let render =
                        save(connection, Render { status, step, report, ..render }, None, now)?;
                    let old = artifacts::keep(connection, &render, &kinds, files, now)?;
                    Ok((render, old))
                })
                .await?;
            drop(inner.discard(old).await);
            Ok(render)
        })
    }

    fn fail(&self, lease: Lease, step: &str, failure: Value, temporary: bool) -> Reply<Render> {
        let step = step.to_owned();
        reply(self, |inner| async move {
            let work = move |connection: &Connection, fate: &Fate| {
                let now = fate.now();
                let render = leased(connection, &lease, now)?;
                if temporary {
                    free_key(connection, &render.id)?;
                }
                let (status, failure) = (Status::Failed, Some(failure));
                save(connection, Render { status, step, failure, ..render }, None, now)
            };
            inner.write(work).await
        })
    }

    fn cancel(&self, tenant: &str, id: &str, step: &str, failure: Value) -> Reply<Cancelled> {
        let (tenant, id, step) = (tenant.to_owned(), id.to_owned(), step.to_owned());
        reply(self, |inner| async move {
            let work = move |connection: &Connection, fate: &Fate| {
                let now = fate.now();
                let render = owned(connection, &tenant, &id, now)?;
                match render.status {
                    Status::Cancelled => return Ok(Cancelled::Before(Box::new(render))),
                    status if status.is_terminal() => {
                        return Ok(Cancelled::Finished(Box::new(render)));
                    }
                    _ => {}
                }
                free_key(connection, &render.id)?;
                let (status, failure) = (Status::Cancelled, Some(failure));
                let render = Render { status, step, failure, ..render };
                Ok(Cancelled::Now(Box::new(save(connection, render, None, now)?)))
            };
            inner.write(work).await
        })
    }

    fn decide(&self, tenant: &str, id: &str, answer: Answer) -> Reply<Decided> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        reply(self, |inner| async move {
            let work = move |connection: &Connection, fate: &Fate| {
                decide(connection, &tenant, &id, &answer, fate.now())
            };
            inner.write(work).await
        })
    }

    fn expire_questions(&self, step: &str, failure: Value, limit: u32) -> Reply<Vec<Render>> {
        let step = step.to_owned();
        reply(self, |inner| async move {
            let work = move |connection: &Connection, fate: &Fate| {
                expire(connection, &step, &failure, limit, fate.now())
            };
            inner.write(work).await
        })
    }

    fn suspended(&self, tenant: &str, id: &str) -> Reply<Suspended> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        reply(self, |inner| async move {
            let work = move |connection: &Connection, fate: &Fate| {
                owned(connection, &tenant, &id, fate.now())?;
                suspended(connection, &id)?.ok_or(Error::NotFound("question"))
            };
            inner.read(work).await
        })
    }

    fn next_due(&self) -> Reply<Option<Millis>> {
        reply(self, |inner| async move {
            let work = |connection: &Connection, _: &Fate| {
                let query = "SELECT min(due) FROM (
                    SELECT min(deadline) AS due FROM renders WHERE deadline IS NOT NULL
                    UNION ALL SELECT min(expires) FROM renders)";
                let mut query = connection.prepare_cached(query)?;
                Ok(query.query_row([], |row| maybe_moment(row, 0))?)
            };
            inner.read(work).await
        })
    }

    fn open_artifact(
        &self,
        tenant: &str,
        id: &str,
        kind: ArtifactKind,
    ) -> Reply<(Artifact, std::fs::File)> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        reply(self, |inner| async move { artifacts::open(&inner, tenant, id, kind).await })
    }

    fn artifact(&self, tenant: &str, id: &str, kind: ArtifactKind) -> Reply<Artifact> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        reply(self, |inner| async move {
            let work = move |connection: &Connection, fate: &Fate| {
                artifacts::one(connection, &tenant, &id, kind, fate.now())
            };
            inner.glance(work).await
        })
    }

    fn artifacts(&self, tenant: &str, page: PageRequest) -> Reply<Page<Artifact>> {
        let tenant = tenant.to_owned();
        reply(self, |inner| async move {
            let work = move |connection: &Connection, fate: &Fate| {
                artifacts::list(connection, &tenant, &page, fate.now())
            };
            inner.read(work).await
        })
    }
}

fn admit(connection: &Connection, fate: &Fate, admission: &Admission) -> Result<Admitted> {
    let now = fate.now();
    let tenant = admission.tenant.as_str();
    if let Some(key) = &admission.idempotency {
        let query = "SELECT arguments, render FROM idempotency
            WHERE tenant = ?1 AND key = ?2 AND first_use > ?3";
        let used: Option<([u8; 32], String)> = maybe(
            connection
                .prepare_cached(query)?
                .query_row(params![tenant, key.key, sql(now.before(KEY_AGE).0)], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                }),
        )?;
        if let Some((arguments, id)) = used {
            match live(connection, &id, now) {
                Ok(_) if arguments != key.arguments => return Ok(Admitted::Conflict),
                Ok(render) => return Ok(Admitted::Existing(Box::new(render))),
                Err(Error::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
    }
    if let Some(at_most) = admission.at_most {
        let query = "SELECT count(*) FROM renders WHERE tenant = ?1 AND status < 3";
        let open = connection.prepare_cached(query)?.query_row([tenant], |row| number(row, 0))?;
        if open >= u64::from(at_most) {
            return Ok(Admitted::TooMany);
        }
    }
    for asset in &admission.assets {
        if !has_asset(connection, tenant, asset)? {
            return Ok(Admitted::NoAsset(asset.clone()));
        }
    }
    let id = insert(connection, fate, admission, now)?;
    live(connection, &id, now).map(|render| Admitted::Created(Box::new(render)))
}

fn insert(
    connection: &Connection,
    fate: &Fate,
    admission: &Admission,
    now: Millis,
) -> Result<String> {
    let id = fate.id("render_")?;
    connection
        .prepare_cached(
            "INSERT INTO renders (id, tenant, owner, status, step, version, attempt, request,
                plans, created, updated, expires)
            VALUES (:id, :tenant, :owner, 0, :step, 1, 0, :request, 'null', :now, :now, :expires)",
        )?
        .execute(named_params! {
            ":id": id,
            ":tenant": admission.tenant,
            ":owner": admission.owner,
            ":step": admission.step,
            ":request": admission.request.to_string(),
            ":now": sql(now.0),
            ":expires": sql(now.after(admission.ttl).0),
        })?;
    for asset in &admission.assets {
        connection
            .prepare_cached("INSERT OR IGNORE INTO render_assets (render, asset) VALUES (?1, ?2)")?
            .execute(params![id, asset])?;
    }
    if let Some(key) = &admission.idempotency {
        // A key that has outlived its time begins anew.
        connection
            .prepare_cached(
                "INSERT INTO idempotency (tenant, key, arguments, render, first_use)
                VALUES (?1, ?2, ?3, ?4, ?5)
                ON CONFLICT (tenant, key) DO UPDATE SET arguments = excluded.arguments,
                    render = excluded.render, first_use = excluded.first_use",
            )?
            .execute(params![admission.tenant, key.key, key.arguments, id, sql(now.0)])?;
    }
    Ok(id)
}

fn claim(connection: &Connection, id: &str, version: u64, now: Millis) -> Result<Claim> {
    let render = live(connection, id, now)?;
    let free = matches!(render.status, Status::Queued | Status::Working);
    if !free || render.version != version {
        return Err(Error::LostRace);
    }
    let attempt = render.attempt + 1;
    let render =
        save(connection, Render { status: Status::Working, attempt, ..render }, None, now)?;
    Ok(Claim { suspended: suspended(connection, id)?, render })
}

fn list(
    connection: &Connection,
    fate: &Fate,
    tenant: &str,
    page: &PageRequest,
) -> Result<Page<Render>> {
    let place = Place::of(page)?;
    let query = format!(
        "{} WHERE r.tenant = ?1 AND (r.created, r.id) < (?2, ?3) AND r.expires > ?4
        ORDER BY r.created DESC, r.id DESC LIMIT ?5",
        rows::RENDER
    );
    let mut query = connection.prepare_cached(&query)?;
    let (now, limit) = (sql(fate.now().0), i64::from(page.limit) + 1);
    let rows =
        query.query_map(params![tenant, sql(place.created.0), place.id, now, limit], render)?;
    let items = rows.collect::<std::result::Result<Vec<_>, _>>()?;
    Ok(Page::cut(items, page.limit, |last| Place { created: last.created, id: last.id.clone() }))
}

fn open(connection: &Connection) -> Result<Vec<OpenRender>> {
    let query = "SELECT id, tenant, status, version, deadline, updated, expires FROM renders
        WHERE status < 3 ORDER BY created, id";
    let mut query = connection.prepare_cached(query)?;
    let rows = query.query_map([], |row| {
        Ok(OpenRender {
            id: row.get(0)?,
            tenant: row.get(1)?,
            status: status(row, 2)?,
            version: number(row, 3)?,
            deadline: maybe_moment(row, 4)?,
            updated: moment(row, 5)?,
            expires: moment(row, 6)?,
        })
    })?;
    Ok(rows.collect::<std::result::Result<Vec<_>, _>>()?)
}
