//! Assets in the database and their bytes beside it.

use std::fs::File;
use std::io::ErrorKind;

use rusqlite::{Connection, Row, named_params, params};
use sha2::{Digest as _, Sha256};

use super::directory::Shelf;
use super::files::Placed;
use super::values::{exists, found, json, maybe, moment, number, sql};
use super::{Fate, Inner, Sqlite, work::reply};
use crate::Reply;
use crate::assets::{Asset, Assets, NewAsset};
use crate::draft::{self, Draft, Upload};
use crate::error::{Error, Result};
use crate::page::{Page, PageRequest, Place};

const ASSET: &str = "SELECT a.id, a.tenant, a.owner, a.name, a.media, a.sha256, c.bytes, a.created,
        c.file
    FROM assets a JOIN contents c ON c.tenant = a.tenant AND c.sha256 = a.sha256";

fn asset(row: &Row<'_>) -> std::result::Result<Asset, rusqlite::Error> {
    Ok(Asset {
        id: row.get(0)?,
        tenant: row.get(1)?,
        owner: row.get(2)?,
        name: row.get(3)?,
        media: json(row, 4)?,
        sha256: row.get(5)?,
        bytes: number(row, 6)?,
        created: moment(row, 7)?,
    })
}

impl Assets for Sqlite {
    fn draft(&self, suffix: &str) -> Result<Draft> {
        Ok(Draft::create(&self.inner.directory.drafts(), suffix)?)
    }

    fn upload(&self, tenant: &str, sha256: &[u8; 32]) -> Result<Upload> {
        // A hash of both, since a tenant may have any name at all.
        let mut name = Sha256::new();
        name.update(sha256);
        name.update(tenant);
        let name: String = name.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Upload::open(self.inner.directory.uploads().join(name))?.ok_or_else(|| {
            Error::Locked("The same file is being uploaded already; wait for that upload.".into())
        })
    }

    fn add_asset(&self, asset: NewAsset, file: Draft) -> Reply<Asset> {
        reply(self, |inner| async move { add(&inner, asset, file).await })
    }

    fn asset(&self, tenant: &str, id: &str) -> Reply<Asset> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        reply(self, |inner| async move {
            inner.glance(move |connection, _| Ok(one(connection, &tenant, &id)?.0)).await
        })
    }

    fn open_asset(&self, tenant: &str, id: &str) -> Reply<(Asset, File)> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        reply(self, |inner| async move { open(&inner, tenant, id).await })
    }

    fn asset_of(&self, tenant: &str, sha256: [u8; 32]) -> Reply<Option<Asset>> {
        let tenant = tenant.to_owned();
        reply(self, |inner| async move {
            let work = move |connection: &Connection, _: &Fate| {
                let query = format!(
                    "{ASSET} WHERE a.tenant = ?1 AND a.sha256 = ?2 ORDER BY a.created DESC LIMIT 1"
                );
                maybe(connection.prepare_cached(&query)?.query_row(params![tenant, sha256], asset))
            };
            inner.read(work).await
        })
    }

    fn assets(&self, tenant: &str, page: PageRequest) -> Reply<Page<Asset>> {
        let tenant = tenant.to_owned();
        reply(self, |inner| async move {
            inner.read(move |connection, _| list(connection, &tenant, &page)).await
        })
    }

    fn remove_asset(&self, tenant: &str, id: &str) -> Reply<()> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        reply(self, |inner| async move {
            let file = inner.write(move |connection, _| remove(connection, &tenant, &id)).await?;
            drop(inner.discard(file.into_iter().collect()).await);
            Ok(())
        })
    }
}

async fn add(inner: &Inner, asset: NewAsset, file: Draft) -> Result<Asset> {
    let (file, (sha256, _)) = inner
        .files(move || {
            let hash = draft::hash(file.path())?;
            Ok((file, hash))
        })
        .await?;
    if asset.sha256.is_some_and(|promised| promised != sha256) {
        return Err(Error::Invalid(
            "The file's content does not have the hash that was promised.".into(),
        ));
    }
    let placed = inner.place(Shelf::Assets, file).await?;
    inner
        .write_with(vec![placed], move |connection, files, fate| {
            insert(connection, fate, &asset, sha256, files)
        })
        .await
}

fn insert(
    connection: &Connection,
    fate: &Fate,
    asset: &NewAsset,
    sha256: [u8; 32],
    files: &mut [Placed],
) -> Result<Asset> {
    let query = "SELECT 1 FROM contents WHERE tenant = ?1 AND sha256 = ?2";
    let known = connection.prepare_cached(query)?.exists(params![asset.tenant, sha256])?;
    for file in files {
        if known {
            file.spare();
        } else {
            connection
                .prepare_cached(
                    "INSERT INTO contents (tenant, sha256, bytes, file) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![asset.tenant, sha256, sql(file.bytes()), file.name()])?;
        }
    }
    let id = fate.id("as_")?;
    connection
        .prepare_cached(
            "INSERT INTO assets (id, tenant, owner, name, sha256, media, created)
            VALUES (:id, :tenant, :owner, :name, :sha256, :media, :created)",
        )?
        .execute(named_params! {
            ":id": id,
            ":tenant": asset.tenant,
            ":owner": asset.owner,
            ":name": asset.name,
            ":sha256": sha256,
            ":media": asset.media.to_string(),
            ":created": sql(fate.now().0),
        })?;
    Ok(one(connection, &asset.tenant, &id)?.0)
}

/// An asset and the name of its file.
fn one(connection: &Connection, tenant: &str, id: &str) -> Result<(Asset, String)> {
    let query = format!("{ASSET} WHERE a.id = ?1");
    let mut query = connection.prepare_cached(&query)?;
    let found = found(query.query_row([id], |row| Ok((asset(row)?, row.get(8)?))), "asset")?;
    if found.0.tenant == tenant { Ok(found) } else { Err(Error::NotFound("asset")) }
}

async fn open(inner: &Inner, tenant: String, id: String) -> Result<(Asset, File)> {
    let name = id.clone();
    let (asset, file) = inner.read(move |connection, _| one(connection, &tenant, &name)).await?;
    let path = inner.directory.file(Shelf::Assets, &file);
    match inner.files(move || Ok(File::open(path))).await? {
        Ok(file) => Ok((asset, file)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // Removed since it was found, or lost.
            let there = inner
                .read(move |connection, _| {
                    exists(connection, "SELECT 1 FROM assets WHERE id = ?1", &id)
                })
                .await?;
            Err(if there {
                Error::Corrupt(format!("the file of {} is missing", asset.id))
            } else {
                Error::NotFound("asset")
            })
        }
        Err(error) => Err(error.into()),
    }
}

fn list(connection: &Connection, tenant: &str, page: &PageRequest) -> Result<Page<Asset>> {
    let place = Place::of(page)?;
    let query = format!(
        "{ASSET} WHERE a.tenant = ?1 AND (a.created, a.id) < (?2, ?3)
        ORDER BY a.created DESC, a.id DESC LIMIT ?4"
    );
    let mut query = connection.prepare_cached(&query)?;
    let limit = i64::from(page.limit) + 1;
    let rows = query.query_map(params![tenant, sql(place.created.0), place.id, limit], asset)?;
    let items = rows.collect::<std::result::Result<Vec<_>, _>>()?;
    Ok(Page::cut(items, page.limit, |last| Place { created: last.created, id: last.id.clone() }))
}

/// Removes an asset, and gives its file if no other asset has the same bytes.
fn remove(connection: &Connection, tenant: &str, id: &str) -> Result<Option<(Shelf, String)>> {
    let (asset, file) = one(connection, tenant, id)?;
    if exists(connection, "SELECT 1 FROM render_assets WHERE asset = ?1", id)? {
        return Err(Error::InUse);
    }
    connection.prepare_cached("DELETE FROM assets WHERE id = ?1")?.execute([id])?;
    let removed = connection
        .prepare_cached(
            "DELETE FROM contents WHERE tenant = ?1 AND sha256 = ?2 AND NOT EXISTS
                (SELECT 1 FROM assets WHERE tenant = ?1 AND sha256 = ?2)",
        )?
        .execute(params![tenant, asset.sha256])?;
    Ok((removed > 0).then_some((Shelf::Assets, file)))
}
