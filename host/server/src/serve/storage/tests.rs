use std::collections::{BTreeMap, BTreeSet};

use store::{Options, Sqlite};

use super::*;

fn session(id: &str, principal: &str) -> SessionRecord {
    SessionRecord {
        id: id.to_owned(),
        principal: principal.to_owned(),
        created: Timestamp(1000),
        touched: Timestamp(2000),
        revision: "2025-11-25".to_owned(),
        client: serde_json::json!({ "clientInfo": { "name": "x" } }),
        subscriptions: BTreeSet::from(["video://renders/a/output".to_owned()]),
        following: BTreeMap::from([("a".to_owned(), None)]),
        log_level: None,
        cannot_elicit: true,
    }
}

fn pending(id: &str, order: u64) -> PendingRecord {
    PendingRecord {
        id: id.to_owned(),
        order,
        task: "render".to_owned(),
        key: "question".to_owned(),
        message: serde_json::json!({ "method": "elicitation/create" }),
        place: Some(Place { stream: 1, seq: 7 }),
        answered: false,
    }
}

fn written(stream: u64, seq: u64) -> EventRecord {
    EventRecord {
        place: Place { stream, seq },
        at: Timestamp(u64::MAX >> 12),
        payload: format!("event {seq}"),
    }
}

#[tokio::test]
async fn a_session_comes_back_from_the_disk_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let open = || KeptSessions(Arc::new(Sqlite::open(dir.path(), Options::default()).unwrap()));
    let kept = open();
    let mut record = session("s", "local/local");
    kept.save_session(&record).await.unwrap();
    record.touched = Timestamp(3000);
    kept.save_session(&record).await.unwrap();
    kept.save_pending("s", &pending("q1", 1)).await.unwrap();
    let answered = PendingRecord { answered: true, ..pending("q1", 1) };
    kept.save_pending("s", &answered).await.unwrap();
    kept.save_pending("s", &pending("q2", 2)).await.unwrap();
    kept.remove_pending("s", "q2").await.unwrap();
    for seq in [0, 1, 5] {
        kept.append_event("s", &written(seq % 2, seq)).await.unwrap();
    }
    kept.remove_events("s", &[1, 4]).await.unwrap();
    drop(kept);

    let kept = open();
    let stored = kept.load_session("s").await.unwrap().unwrap();
    assert_eq!(stored.record, record);
    assert_eq!(stored.pending, [answered]);
    assert_eq!(stored.events, [written(0, 0), written(1, 5)]);
    assert_eq!(kept.load_session("t").await, Ok(None));
}

#[tokio::test]
async fn sessions_are_found_by_whose_they_are_and_by_their_last_use() {
    let dir = tempfile::tempdir().unwrap();
    let kept = KeptSessions(Arc::new(Sqlite::open(dir.path(), Options::default()).unwrap()));
    for (id, principal, touched) in [("a", "x", 30), ("b", "x", 10), ("c", "y", 20)] {
        let record = SessionRecord { touched: Timestamp(touched), ..session(id, principal) };
        kept.save_session(&record).await.unwrap();
    }
    let of_x = kept.sessions_of("x").await.unwrap();
    assert_eq!(of_x, [("b".to_owned(), Timestamp(10)), ("a".to_owned(), Timestamp(30))]);
    assert_eq!(kept.idle_sessions(Timestamp(30)).await.unwrap(), ["b", "c"]);
    kept.remove_session("b").await.unwrap();
    kept.remove_session("b").await.unwrap();
    assert_eq!(kept.idle_sessions(Timestamp(30)).await.unwrap(), ["c"]);
    assert_eq!(kept.append_event("b", &written(0, 0)).await, Err(StorageError));
    assert_eq!(kept.save_pending("b", &pending("q", 1)).await, Err(StorageError));
    // Somebody else's session is not taken over.
    assert_eq!(kept.save_session(&session("c", "x")).await, Err(StorageError));
}
