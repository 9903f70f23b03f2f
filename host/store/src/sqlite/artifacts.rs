//! What renders have made.

use std::fs::File;
use std::io::ErrorKind;

use rusqlite::{Connection, Row, params};

use super::Inner;
use super::directory::Shelf;
use super::files::Placed;
use super::rows::{file_of, owned};
use super::values::{found, kind, kind_number, moment, number, sql};
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::page::{Page, PageRequest, Place};
use crate::renders::{Artifact, ArtifactKind, NewArtifact, Render};

const ARTIFACT: &str = "SELECT a.render, a.tenant, a.kind, a.media_type, a.bytes, a.created, a.file
    FROM artifacts a JOIN renders r ON r.id = a.render";

fn artifact(row: &Row<'_>) -> std::result::Result<Artifact, rusqlite::Error> {
    Ok(Artifact {
        render: row.get(0)?,
        tenant: row.get(1)?,
        kind: kind(row, 2)?,
        media_type: row.get(3)?,
        bytes: number(row, 4)?,
        created: moment(row, 5)?,
        tag: row.get(6)?,
    })
}

/// A kind and a media type for each file.
pub(super) type Kinds = Vec<(ArtifactKind, String)>;

/// Makes the files durable, before anything names them.
pub(super) async fn place(
    inner: &Inner,
    artifacts: Vec<NewArtifact>,
) -> Result<(Kinds, Vec<Placed>)> {
    let mut kinds = Kinds::new();
    let mut files = Vec::new();
    for artifact in artifacts {
        files.push(inner.place(Shelf::Artifacts, artifact.file).await?);
        kinds.push((artifact.kind, artifact.media_type));
    }
    Ok((kinds, files))
}

/// Writes the rows, and gives the files that they replace.
pub(super) fn keep(
    connection: &Connection,
    render: &Render,
    kinds: &Kinds,
    files: &[Placed],
    now: Millis,
) -> Result<Vec<(Shelf, String)>> {
    let mut replaced = Vec::new();
    for ((kind, media_type), file) in kinds.iter().zip(files) {
        let kind = kind_number(*kind);
        replaced.extend(file_of(connection, &render.id, kind)?);
        connection
            .prepare_cached(
                "INSERT INTO artifacts (render, kind, tenant, media_type, bytes, file, created)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                ON CONFLICT (render, kind) DO UPDATE SET media_type = excluded.media_type,
                    bytes = excluded.bytes, file = excluded.file, created = excluded.created",
            )?
            .execute(params![
                render.id,
                kind,
                render.tenant,
                media_type,
                sql(file.bytes()),
                file.name(),
                sql(now.0)
            ])?;
    }
    Ok(replaced.into_iter().map(|name| (Shelf::Artifacts, name)).collect())
}

pub(super) fn one(
    connection: &Connection,
    tenant: &str,
    id: &str,
    kind: ArtifactKind,
    now: Millis,
) -> Result<Artifact> {
    owned(connection, tenant, id, now)?;
    let query = format!("{ARTIFACT} WHERE a.render = ?1 AND a.kind = ?2");
    let mut query = connection.prepare_cached(&query)?;
    found(query.query_row(params![id, kind_number(kind)], artifact), "artifact")
}

/// Finds and opens. A file that was replaced in between is looked for again.
pub(super) async fn open(
    inner: &Inner,
    tenant: String,
    id: String,
    kind: ArtifactKind,
) -> Result<(Artifact, File)> {
    for _ in 0..3 {
        let (tenant, id) = (tenant.clone(), id.clone());
        let artifact = inner
            .read(move |connection, fate| one(connection, &tenant, &id, kind, fate.now()))
            .await?;
        let path = inner.directory.file(Shelf::Artifacts, &artifact.tag);
        match inner.files(move || Ok(File::open(path))).await? {
            Ok(file) => return Ok((artifact, file)),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Error::Corrupt(format!("the {kind:?} of {id} is missing from the data directory")))
}

pub(super) fn list(
    connection: &Connection,
    tenant: &str,
    page: &PageRequest,
    now: Millis,
) -> Result<Page<Artifact>> {
    let place = Place::of(page)?;
    let query = format!(
        "{ARTIFACT} WHERE a.tenant = ?1 AND (a.created, a.file) < (?2, ?3) AND r.expires > ?4
        ORDER BY a.created DESC, a.file DESC LIMIT ?5"
    );
    let mut query = connection.prepare_cached(&query)?;
    let limit = i64::from(page.limit) + 1;
    let rows = query
        .query_map(params![tenant, sql(place.created.0), place.id, sql(now.0), limit], artifact)?;
    let items = rows.collect::<std::result::Result<Vec<_>, _>>()?;
    Ok(Page::cut(items, page.limit, |last| Place { created: last.created, id: last.tag.clone() }))
}
