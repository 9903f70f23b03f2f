//! Plugins by their digest.

use rusqlite::{Connection, params};
use sha2::{Digest as _, Sha256};

use super::directory::Shelf;
use super::values::{exists, found, sql};
use super::{Fate, Inner, Sqlite, work::reply};
use crate::Reply;
use crate::draft;
use crate::error::{Error, Result};
use crate::plugins::Plugins;

impl Plugins for Sqlite {
    fn keep_plugin(&self, bytes: Vec<u8>) -> Reply<String> {
        reply(self, |inner| async move { keep(&inner, bytes).await })
    }

    fn plugin(&self, digest: &str) -> Reply<Vec<u8>> {
        let digest = digest.to_owned();
        reply(self, |inner| async move {
            let wanted = digest.clone();
            let file: String = inner
                .read(move |connection, _| {
                    let query = "SELECT file FROM plugins WHERE digest = ?1";
                    let mut query = connection.prepare_cached(query)?;
                    found(query.query_row([wanted], |row| row.get(0)), "plugin")
                })
                .await?;
            let path = inner.directory.file(Shelf::Plugins, &file);
            let bytes = inner.files(move || Ok(std::fs::read(path)?)).await?;
            if digest_of(&bytes) == digest {
                return Ok(bytes);
            }
            Err(Error::Corrupt(format!("the kept plugin {digest} has other bytes")))
        })
    }
}

fn digest_of(bytes: &[u8]) -> String {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

async fn keep(inner: &Inner, bytes: Vec<u8>) -> Result<String> {
    let digest = digest_of(&bytes);
    let known = {
        let digest = digest.clone();
        move |connection: &Connection, fate: &Fate| {
            let touched = connection
                .prepare_cached("UPDATE plugins SET used = max(used, ?2) WHERE digest = ?1")?
                .execute(params![digest, sql(fate.now().0)])?;
            Ok(touched > 0)
        }
    };
    if inner.write(known).await? {
        return Ok(digest);
    }
    let folder = inner.directory.drafts();
    let file = inner.files(move || Ok(draft::draft_of(&folder, &bytes)?)).await?;
    let placed = inner.place(Shelf::Plugins, file).await?;
    let name = digest.clone();
    inner
        .write_with(vec![placed], move |connection, files, fate| {
            // Somebody may have been faster.
            let known = exists(connection, "SELECT 1 FROM plugins WHERE digest = ?1", &name)?;
            for file in files {
                if known {
                    file.spare();
                    continue;
                }
                connection
                    .prepare_cached(
                        "INSERT INTO plugins (digest, bytes, file, used) VALUES (?1, ?2, ?3, ?4)",
                    )?
                    .execute(params![name, sql(file.bytes()), file.name(), sql(fate.now().0)])?;
            }
            Ok(())
        })
        .await?;
    Ok(digest)
}
