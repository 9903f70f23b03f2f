//! Data of earlier versions, of later ones, and of somebody else.

use std::path::Path;

use rusqlite::Connection;
use serde_json::json;
use sha2::{Digest, Sha256};
use store::*;

use crate::world::{TestClock, answer, keyed, open, options};

const VERSION_1: &str = include_str!("migration/version-1.sql");

fn database(folder: &Path) -> Connection {
    Connection::open(folder.join("store.sqlite")).unwrap()
}

fn refused(folder: &Path) -> Error {
    Sqlite::open(folder, options(&TestClock::new())).map(drop).unwrap_err()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_version_1_left_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    database(folder.path()).execute_batch(VERSION_1).unwrap();
    for file in ["assets/x/xfilm", "artifacts/o/ofilm", "plugins/p/pfilm"] {
        let file = folder.path().join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "film").unwrap();
    }
    let store = open(folder.path(), &TestClock::new());
    let done = store.render("acme", "render_done").await.unwrap();
    assert_eq!((done.status, done.report), (Status::Completed, Some(json!({"width": 1280}))));
    let (output, _) =
        store.open_artifact("acme", "render_done", ArtifactKind::Output).await.unwrap();
    assert_eq!(output.bytes, 4);
    assert_eq!(store.render("acme", "render_gone").await.unwrap_err(), Error::Expired);
    let (asset, _) = store.open_asset("acme", "as_source").await.unwrap();
    assert_eq!(asset.sha256, <[u8; 32]>::from(Sha256::digest("film")));
    assert_eq!(store.remove_asset("acme", "as_source").await.unwrap_err(), Error::InUse);
    let twin = store.admit(keyed("acme", "key", 1)).await.unwrap();
    assert!(matches!(twin, Admitted::Existing(render) if render.id == "render_waiting"));
    let session = store.load_session("session").await.unwrap().unwrap();
    assert_eq!((session.events.len(), session.pending.len()), (1, 1));
    assert_eq!(store.token("vrt_secret").await.unwrap().subject, "ada");
    // The render that was waiting is answered, taken up and finished.
    let Decided::First(decided) =
        store.decide("acme", "render_waiting", answer(true)).await.unwrap()
    else {
        panic!("not decided")
    };
    let claim = store.claim("render_waiting", decided.version).await.unwrap();
    assert_eq!(claim.suspended.unwrap().state, [0, 1, 255]);
    let plugin = format!("sha256:{:x}", HexOf(Sha256::digest("film").into()));
    assert_eq!(store.plugin(&plugin).await.unwrap(), b"film");
    let done = store.complete(claim.render.lease(), "end", json!({}), vec![]).await.unwrap();
    assert_eq!(done.status, Status::Completed);
}

struct HexOf([u8; 32]);

impl std::fmt::LowerHex for HexOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[test]
fn the_fixture_has_the_form_that_the_first_migration_makes() {
    let schema = |connection: &Connection| -> Vec<String> {
        let query = "SELECT coalesce(sql, name) FROM sqlite_schema
            WHERE name NOT LIKE 'sqlite_sequence' ORDER BY name";
        let mut query = connection.prepare(query).unwrap();
        query.query_map([], |row| row.get(0)).unwrap().map(|row| row.unwrap()).collect()
    };
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    database(old.path()).execute_batch(VERSION_1).unwrap();
    drop(open(old.path(), &TestClock::new()));
    drop(open(new.path(), &TestClock::new()));
    assert_eq!(schema(&database(old.path())), schema(&database(new.path())));
}

#[test]
fn data_of_a_later_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path(), &TestClock::new()));
    database(folder.path()).pragma_update(None, "user_version", 99).unwrap();
    assert_eq!(refused(folder.path()), Error::TooNew { found: 99, known: 1 });
    assert!(refused(folder.path()).to_string().contains("format 99"));
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    database(folder.path()).execute_batch("CREATE TABLE theirs (x)").unwrap();
    assert!(matches!(refused(folder.path()), Error::Corrupt(_)));
    let tables: i64 = database(folder.path())
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .unwrap();
    assert_eq!(tables, 1);
}

#[test]
fn rubbish_is_named_as_such() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("store.sqlite"), vec![b'x'; 9000]).unwrap();
    assert!(matches!(refused(folder.path()), Error::Corrupt(_)));
}
