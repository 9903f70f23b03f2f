//! What the database itself refuses, should the program ever be wrong.

use std::time::Duration;

use rusqlite::Connection;
use serde_json::json;

use crate::world::{World, answer};

fn refuses(world: &World, change: &str) -> String {
    let database = Connection::open(world.folder.path().join("store.sqlite")).unwrap();
    database.pragma_update(None, "foreign_keys", true).unwrap();
    database.busy_timeout(Duration::from_secs(5)).unwrap();
    database.execute_batch(change).expect_err(change).to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_end_cannot_be_changed() {
    let world = World::sqlite();
    let render = world.working("acme").await;
    world.store.complete(render.lease(), "end", json!({}), vec![]).await.unwrap();
    for change in [
        "UPDATE renders SET status = 4, report = NULL, failure = '1', version = version + 1",
        "UPDATE renders SET report = '{}', version = version + 1",
        "UPDATE renders SET expires = 0, version = version + 1",
    ] {
        assert!(refuses(&world, change).contains("a render that has ended never changes"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_changes_step_by_step() {
    let world = World::sqlite();
    world.working("acme").await;
    for change in [
        "UPDATE renders SET step = 'x'",
        "UPDATE renders SET step = 'x', version = version + 2",
        "UPDATE renders SET attempt = 0, version = version + 1",
        "UPDATE renders SET tenant = 'other', version = version + 1",
    ] {
        assert!(refuses(&world, change).contains("one version at a time"), "{change}");
    }
    let back = "UPDATE renders SET status = 0, version = version + 1";
    assert!(refuses(&world, back).contains("cannot go that way"));
    refuses(&world, "UPDATE renders SET status = 3, version = version + 1");
    refuses(&world, "UPDATE renders SET version = 'one'");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_cannot_be_changed() {
    let world = World::sqlite();
    let render = world.waiting("acme").await;
    world.store.decide("acme", &render.id, answer(true)).await.unwrap();
    let change = "UPDATE questions SET approved = 0";
    assert!(refuses(&world, change).contains("a decision never changes"));
}
