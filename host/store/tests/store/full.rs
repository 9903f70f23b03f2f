//! A disk that is full.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use serde_json::json;
use store::*;

use crate::world::{TestClock, World, admission, artifact, open};

/// A small disk of its own, if the system lets this process mount one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=4m,nr_inodes=10k", "tmpfs"]).arg(folder.path());
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        if !mounted {
            eprintln!("skipped: mounting a small disk needs root");
        }
        mounted.then_some(Self(folder))
    }

    fn fill(&self) -> std::path::PathBuf {
        let filler = self.0.path().join("filler");
        let mut file = std::fs::File::create(&filler).unwrap();
        while std::io::Write::write_all(&mut file, &[0; 4096]).is_ok() {}
        filler
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("-l").arg(self.0.path()).output());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_and_all_goes_on_when_there_is_room_again() {
    let Some(disk) = SmallDisk::mount() else { return };
    let clock = TestClock::new();
    let root = disk.0.path().join("data");
    let store: Arc<dyn Store> = Arc::new(open(&root, &clock));
    let mut admitted = Vec::new();
    let claimed = match store.admit(admission("acme")).await.unwrap() {
        Admitted::Created(render) => store.claim(&render.id, render.version).await.unwrap().render,
        other => panic!("{other:?}"),
    };
    let output = artifact(store.as_ref(), ArtifactKind::Output, b"film");
    let filler = disk.fill();
    // What the log has room for still goes; then it is full, and says so.
    let error = loop {
        let request = json!({"filler": "x".repeat(20_000)});
        match store.admit(Admission { request, ..admission("acme") }).await {
            Ok(Admitted::Created(render)) => admitted.push(render.id),
            Ok(other) => panic!("{other:?}"),
            Err(error) => break error,
        }
        assert!(admitted.len() < 10_000);
    };
    assert_eq!(error, Error::Full);
    // Of many at once none is told that it was done.
    let many: Vec<_> = (0..20).map(|_| tokio::spawn(store.admit(big()))).collect();
    for one in many {
        assert_eq!(one.await.unwrap().unwrap_err(), Error::Full);
    }
    let report = json!({"filler": "x".repeat(100_000)});
    let refused = store.complete(claimed.lease(), "end", report, vec![output]).await;
    assert_eq!(refused.unwrap_err(), Error::Full);
    assert_eq!(files(&root), 0);
    assert_eq!(store.render("acme", &claimed.id).await.unwrap(), claimed);
    let listed = store.renders("acme", PageRequest::first(100_000)).await.unwrap().items;
    assert_eq!(listed.len(), admitted.len() + 1);

    std::fs::remove_file(filler).unwrap();
    let output = artifact(store.as_ref(), ArtifactKind::Output, b"film");
    let done = store.complete(claimed.lease(), "end", json!({}), vec![output]).await.unwrap();
    assert_eq!((done.status, files(&root)), (Status::Completed, 1));
    drop(store);
    let store: Arc<dyn Store> = Arc::new(open(&root, &clock));
    assert_eq!(store.render("acme", &done.id).await.unwrap(), done);
    for id in admitted {
        assert!(store.render("acme", &id).await.is_ok());
    }
}

fn big() -> Admission {
    Admission { request: json!({"filler": "x".repeat(100_000)}), ..admission("acme") }
}

fn files(root: &Path) -> usize {
    crate::world::files(root, "artifacts")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_neighbour_spoils_nobody_elses_commit() {
    let world = World::sqlite();
    // All of these meet in a few transactions; half of them are refused.
    let render = world.working("acme").await;
    let jobs: Vec<_> = (0..200)
        .map(|i| {
            let store = world.store.clone();
            let lease = Lease { attempt: 99, ..render.lease() };
            tokio::spawn(async move {
                if i % 2 == 0 {
                    store.admit(admission("acme")).await.map(|_| true)
                } else {
                    store.advance(lease, "x", json!({})).await.map(|_| false)
                }
            })
        })
        .collect();
    let mut admitted = 0;
    for job in jobs {
        match job.await.unwrap() {
            Ok(created) => {
                assert!(created);
                admitted += 1;
            }
            Err(error) => assert_eq!(error, Error::LostRace),
        }
    }
    assert_eq!(admitted, 100);
    let listed = world.store.renders("acme", PageRequest::first(500)).await.unwrap().items;
    assert_eq!(listed.len(), 101);
    assert_eq!(world.store.render("acme", &render.id).await.unwrap(), render);
}
