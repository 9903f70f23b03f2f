//! Several programs on one data directory, and who may look into it.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::json;
use store::*;

use crate::world::{TestClock, World, admission, open, options};

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_is_refused_until_the_first_has_stopped() {
    let world = World::sqlite();
    let folder = world.folder.path();
    let refused = Sqlite::open(folder, options(&world.clock)).map(drop).unwrap_err();
    assert!(matches!(refused, Error::Locked(_)), "{refused}");
    assert!(refused.to_string().contains("Another server"));
    // A reply that nobody has waited for does not keep the lock for ever.
    let reply = world.store.admit(admission("acme"));
    drop(reply);
    drop(world.store);
    drop(open(folder, &world.clock));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_program_adds_beside_a_running_server() {
    let world = World::sqlite();
    let render = world.admitted("acme").await;
    let beside =
        Sqlite::open(world.folder.path(), Options { mode: Mode::Beside, ..options(&world.clock) })
            .unwrap();
    assert_eq!(beside.render("acme", &render.id).await.unwrap(), render);
    let draft = beside.draft(".mp4").unwrap();
    std::fs::write(draft.path(), "film").unwrap();
    let asset = NewAsset {
        tenant: "acme".into(),
        owner: "cli".into(),
        name: "clip".into(),
        media: json!({}),
        sha256: None,
    };
    let asset = beside.add_asset(asset, draft).await.unwrap();
    let (found, _) = world.store.open_asset("acme", &asset.id).await.unwrap();
    assert_eq!(found, asset);
    let draft = beside.draft("").unwrap();
    // A server that starts does not take what somebody beside it is making.
    let world = world.restarted();
    assert!(draft.path().exists());
    world.store.check().await.unwrap();
}

#[test]
fn the_first_program_may_be_one_beside() {
    let folder = tempfile::tempdir().unwrap();
    let clock = TestClock::new();
    let beside = Options { mode: Mode::Beside, ..options(&clock) };
    let beside = Sqlite::open(&folder.path().join("new/data"), beside).unwrap();
    let server = open(&folder.path().join("new/data"), &clock);
    assert_eq!(server.root(), beside.root());
}

#[tokio::test(flavor = "multi_thread")]
async fn drafts_of_a_dead_server_are_removed() {
    let world = World::sqlite();
    let left = world.folder.path().join("tmp/server/draft-dead.mp4");
    std::fs::write(&left, "half").unwrap();
    let _world = world.restarted();
    assert!(!left.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_may_look_into_it() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("data");
    let store = open(&root, &TestClock::new());
    store.admit(admission("acme")).await.unwrap();
    store.keep_plugin(b"component".to_vec()).await.unwrap();
    let _upload = store.upload("acme", &[1; 32]).unwrap();
    private(&root);
}

fn private(path: &Path) {
    let metadata = std::fs::metadata(path).unwrap();
    assert_eq!(metadata.permissions().mode() & 0o077, 0, "{}", path.display());
    if metadata.is_dir() {
        std::fs::read_dir(path).unwrap().for_each(|entry| private(&entry.unwrap().path()));
    }
}
