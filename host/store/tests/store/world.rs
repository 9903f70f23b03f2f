//! A store in a folder of its own, with a clock that the test holds.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::json;
use store::*;

/// A clock that stands still until it is told.
pub(crate) struct TestClock(AtomicU64);

impl TestClock {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self(AtomicU64::new(1_800_000_000_000)))
    }

    pub(crate) fn pass(&self, time: Duration) {
        self.0.fetch_add(u64::try_from(time.as_millis()).unwrap(), Ordering::SeqCst);
    }

    pub(crate) fn back(&self, time: Duration) {
        self.0.fetch_sub(u64::try_from(time.as_millis()).unwrap(), Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Millis {
        Millis(self.0.load(Ordering::SeqCst))
    }
}

pub(crate) struct World {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) folder: tempfile::TempDir,
}

pub(crate) fn options(clock: &Arc<TestClock>) -> Options {
    Options { clock: clock.clone(), orphan_age: Duration::ZERO, ..Options::default() }
}

pub(crate) fn open(folder: &Path, clock: &Arc<TestClock>) -> Sqlite {
    Sqlite::open(folder, options(clock)).unwrap()
}

impl World {
    pub(crate) fn sqlite() -> Self {
        Self::at(tempfile::tempdir().unwrap())
    }

    /// In memory where there is a place for that, for many short lives.
    pub(crate) fn fleeting() -> Self {
        Self::at(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn at(folder: tempfile::TempDir) -> Self {
        let clock = TestClock::new();
        Self { store: Arc::new(open(folder.path(), &clock)), clock, folder }
    }

    /// The same after the server has stopped and started again.
    pub(crate) fn restarted(self) -> Self {
        let Self { store, clock, folder } = self;
        drop(store);
        Self { store: Arc::new(open(folder.path(), &clock)), clock, folder }
    }

    /// Files in the folders of the shelf.
    pub(crate) fn files(&self, shelf: &str) -> usize {
        files(self.folder.path(), shelf)
    }

    /// Sweeps until every folder has been looked through.
    pub(crate) async fn sweep(&self) -> Vec<Ended> {
        let mut ended = Vec::new();
        for _ in 0..97 {
            ended.extend(self.store.sweep().await.unwrap().renders);
        }
        ended
    }

    pub(crate) async fn admitted(&self, tenant: &str) -> Render {
        match self.store.admit(admission(tenant)).await.unwrap() {
            Admitted::Created(render) => *render,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn working(&self, tenant: &str) -> Render {
        let render = self.admitted(tenant).await;
        self.store.claim(&render.id, render.version).await.unwrap().render
    }

    pub(crate) async fn waiting(&self, tenant: &str) -> Render {
        let render = self.working(tenant).await;
        self.ask(&render).await
    }

    pub(crate) async fn ask(&self, render: &Render) -> Render {
        let question = self.question(Duration::from_hours(1));
        self.store.suspend(render.lease(), "asked", json!({}), question, None).await.unwrap()
    }

    pub(crate) fn question(&self, wait: Duration) -> NewQuestion {
        NewQuestion {
            text: "May it be so?".into(),
            deadline: self.clock.now().after(wait),
            detail: json!({"frame": 7}),
            state: vec![0, 1, 255],
            pins: json!({"encode": "pinned"}),
            plugins: vec![],
        }
    }

    pub(crate) fn artifact(&self, kind: ArtifactKind, bytes: &[u8]) -> NewArtifact {
        artifact(self.store.as_ref(), kind, bytes)
    }
}

pub(crate) fn files(folder: &Path, shelf: &str) -> usize {
    let folders = std::fs::read_dir(folder.join(shelf)).unwrap();
    folders.map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap().count()).sum()
}

pub(crate) fn artifact(store: &dyn Store, kind: ArtifactKind, bytes: &[u8]) -> NewArtifact {
    let file = store.draft(".mp4").unwrap();
    std::io::Write::write_all(&mut file.writer().unwrap(), bytes).unwrap();
    NewArtifact { kind, media_type: "video/mp4".into(), file }
}

pub(crate) fn admission(tenant: &str) -> Admission {
    Admission {
        tenant: tenant.into(),
        owner: "issuer subject".into(),
        request: json!({"source_asset_id": "as_9f2", "resolution": "720p"}),
        step: "admitted".into(),
        assets: vec![],
        ttl: Duration::from_hours(24),
        idempotency: None,
        at_most: None,
    }
}

pub(crate) fn keyed(tenant: &str, key: &str, arguments: u8) -> Admission {
    let idempotency = Some(Idempotency { key: key.into(), arguments: [arguments; 32] });
    Admission { idempotency, ..admission(tenant) }
}

pub(crate) fn answer(approved: bool) -> Answer {
    Answer {
        question: None,
        approved,
        channel: "tool".into(),
        subject: "ada".into(),
        feedback: Some("fine".into()),
    }
}
