//! Removing what is over, a bounded piece at a time.

use std::fs::{self, File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, params};

use super::directory::{LETTERS, Shelf};
use super::renders::KEY_AGE;
use super::rows::REMEMBERED;
use super::values::{exists, sql};
use super::{Inner, Sqlite, work::reply};
use crate::Reply;
use crate::clock::Millis;
use crate::error::Result;
use crate::upkeep::{Ended, Swept, Upkeep};

/// The most rows of a kind that go in one call.
const ROWS: i64 = 200;

/// How long a plugin that no render needs is kept.
const SPARE_PLUGIN: Duration = Duration::from_hours(1);

/// How long an upload is waited for, and drafts of other programs.
const FORGOTTEN: Duration = Duration::from_hours(24);

/// Where the search for stray files has come to.
#[derive(Default)]
pub(super) struct Round {
    place: usize,
}

impl Upkeep for Sqlite {
    fn sweep(&self) -> Reply<Swept> {
        reply(self, |inner| async move { sweep(&inner).await })
    }

    fn check(&self) -> Reply<()> {
        reply(self, |inner| async move {
            inner.read(|connection, _| Ok(connection.query_row("SELECT 1", [], |_| Ok(()))?)).await
        })
    }
}

async fn sweep(inner: &Arc<Inner>) -> Result<Swept> {
    let touches = Arc::clone(&inner.touches);
    let age = inner.options.log_age;
    let (mut swept, files) = inner
        .write(move |connection, fate| {
            let now = fate.now();
            touches.write(connection, true)?;
            let (mut swept, mut files) = renders(connection, now)?;
            let plugins = plugins(connection, now)?;
            swept.more |= plugins.len() >= limit() || old_rows(connection, now, age)?;
            files.extend(plugins);
            Ok((swept, files))
        })
        .await?;
    swept.files = u32::try_from(files.len()).unwrap_or(u32::MAX);
    inner.discard(files).await?;
    swept.files += strays(inner).await?;
    Ok(swept)
}

fn limit() -> usize {
    usize::try_from(ROWS).unwrap_or(usize::MAX)
}

/// Renders whose time is over become a memory.
fn renders(connection: &Connection, now: Millis) -> Result<(Swept, Vec<(Shelf, String)>)> {
    let ended: Vec<(Ended, Millis)> = {
        let query = "SELECT id, tenant, status < 3, expires FROM renders WHERE expires <= ?1
            ORDER BY expires LIMIT ?2";
        let mut query = connection.prepare_cached(query)?;
        let rows = query.query_map(params![sql(now.0), ROWS], |row| {
            let ended = Ended { id: row.get(0)?, tenant: row.get(1)?, unfinished: row.get(2)? };
            Ok((ended, super::values::moment(row, 3)?))
        })?;
        rows.collect::<std::result::Result<_, _>>()?
    };
    let mut files = Vec::new();
    for (render, expired) in &ended {
        let mut query =
            connection.prepare_cached("SELECT file FROM artifacts WHERE render = ?1")?;
        let rows = query.query_map([&render.id], |row| row.get(0))?;
        let names = rows.collect::<std::result::Result<Vec<String>, _>>()?;
        files.extend(names.into_iter().map(|name| (Shelf::Artifacts, name)));
        connection
            .prepare_cached(
                "INSERT OR IGNORE INTO gone (render, tenant, until) VALUES (?1, ?2, ?3)",
            )?
            .execute(params![render.id, render.tenant, sql(expired.after(REMEMBERED).0)])?;
        connection.prepare_cached("DELETE FROM renders WHERE id = ?1")?.execute([&render.id])?;
    }
    let more = ended.len() >= limit();
    let renders = ended.into_iter().map(|(render, _)| render).collect();
    Ok((Swept { renders, files: 0, more }, files))
}

fn plugins(connection: &Connection, now: Millis) -> Result<Vec<(Shelf, String)>> {
    let query = "DELETE FROM plugins WHERE digest IN (
            SELECT digest FROM plugins p WHERE used <= ?1
                AND NOT EXISTS (SELECT 1 FROM render_plugins WHERE digest = p.digest)
            LIMIT ?2)
        RETURNING file";
    let mut query = connection.prepare_cached(query)?;
    let rows = query.query_map(params![sql(now.before(SPARE_PLUGIN).0), ROWS], |row| row.get(0))?;
    let names = rows.collect::<std::result::Result<Vec<String>, _>>()?;
    Ok(names.into_iter().map(|name| (Shelf::Plugins, name)).collect())
}

/// Rows that count no more; says whether there may be more of them.
fn old_rows(connection: &Connection, now: Millis, log_age: Duration) -> Result<bool> {
    let limit = usize::try_from(ROWS).unwrap_or(usize::MAX);
    let mut more = false;
    for (query, before) in [
        (
            "DELETE FROM gone WHERE render IN
            (SELECT render FROM gone WHERE until <= ?1 LIMIT ?2)",
            now,
        ),
        (
            "DELETE FROM idempotency WHERE (tenant, key) IN
            (SELECT tenant, key FROM idempotency WHERE first_use <= ?1 LIMIT ?2)",
            now.before(KEY_AGE),
        ),
        (
            "DELETE FROM events WHERE rowid IN
            (SELECT rowid FROM events WHERE at < ?1 LIMIT ?2)",
            now.before(log_age),
        ),
    ] {
        let removed = connection.prepare_cached(query)?.execute(params![sql(before.0), ROWS])?;
        more |= removed >= limit;
    }
    Ok(more)
}

/// Looks through the next folder for files that nothing names.
async fn strays(inner: &Arc<Inner>) -> Result<u32> {
    let place = {
        let mut round = inner.round();
        let place = round.place;
        round.place = (place + 1) % (Shelf::ALL.len() * LETTERS.len());
        place
    };
    let (which, letter) = (place / LETTERS.len(), place % LETTERS.len());
    let shelf = *Shelf::ALL.get(which).unwrap_or(&Shelf::Assets);
    let letter = LETTERS.chars().nth(letter).unwrap_or('a');
    let folder = inner.directory.folder(shelf, letter);
    let drafts = inner.directory.drafts();
    let age = inner.options.orphan_age;
    let old = inner.files(move || old_files(&drafts, &folder, age)).await?;
    let query = match shelf {
        Shelf::Assets => "SELECT 1 FROM contents WHERE file = ?1",
        Shelf::Artifacts => "SELECT 1 FROM artifacts WHERE file = ?1",
        Shelf::Plugins => "SELECT 1 FROM plugins WHERE file = ?1",
    };
    let strays = inner
        .read(move |connection, _| {
            let mut strays = Vec::new();
            for path in old {
                let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                if !exists(connection, query, name)? {
                    strays.push(path);
                }
            }
            Ok(strays)
        })
        .await?;
    let drafts = inner.directory.drafts();
    let forgettable = inner.directory.forgettable();
    inner
        .files(move || {
            let mut removed = strays.iter().filter(|path| fs::remove_file(path).is_ok()).count();
            for folder in &forgettable {
                let old = old_files(&drafts, folder, FORGOTTEN)?;
                removed += old.iter().filter(|path| forget(path)).count();
            }
            Ok(u32::try_from(removed).unwrap_or(u32::MAX))
        })
        .await
}

/// Removes a file unless somebody is at it.
fn forget(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    file.try_lock().is_ok() && fs::remove_file(path).is_ok()
}

/// Files of a folder that have not been written or renamed for this long. Their
/// age is by the clock that dates them: that of the file system, found out with
/// a new file.
fn old_files(drafts: &Path, folder: &Path, age: Duration) -> Result<Vec<PathBuf>> {
    let now = changed(&tempfile::tempfile_in(drafts)?.metadata()?);
    let age = i128::try_from(age.as_nanos()).unwrap_or(i128::MAX);
    let mut old = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // It may be gone by now.
        let Ok(metadata) = entry.metadata() else { continue };
        if metadata.is_file() && now - changed(&metadata) >= age {
            old.push(entry.path());
        }
    }
    Ok(old)
}

/// When a file was last written or renamed, in nanoseconds.
fn changed(metadata: &Metadata) -> i128 {
    i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec())
}
