use std::time::Duration;

use serde_json::json;
use store::*;

use crate::world::{World, keyed};

pub(crate) async fn an_expired_render_is_remembered_for_a_day(world: World) {
    let render = world.working("acme").await;
    let output = world.artifact(ArtifactKind::Output, b"film");
    world.store.complete(render.lease(), "end", json!({}), vec![output]).await.unwrap();
    let id = render.id.as_str();
    world.clock.pass(Duration::from_hours(24) - Duration::from_millis(1));
    assert!(world.store.render("acme", id).await.is_ok());
    world.clock.pass(Duration::from_millis(1));
    // Before the sweep and after it.
    for swept in [false, true] {
        if swept {
            let ended = world.sweep().await;
            let gone = Ended { id: id.into(), tenant: "acme".into(), unfinished: false };
            assert_eq!(ended, [gone]);
            assert_eq!(world.files("artifacts"), 0);
        }
        assert_eq!(world.store.render("acme", id).await.unwrap_err(), Error::Expired);
        let output = world.store.open_artifact("acme", id, ArtifactKind::Output).await;
        assert_eq!(output.unwrap_err(), Error::Expired);
        let foreign = world.store.render("other", id).await.unwrap_err();
        assert_eq!(foreign, Error::NotFound("render"));
        let listed = world.store.renders("acme", PageRequest::first(9)).await.unwrap();
        assert_eq!(listed.items, []);
        let listed = world.store.artifacts("acme", PageRequest::first(9)).await.unwrap();
        assert_eq!(listed.items, []);
    }
    world.clock.pass(Duration::from_hours(24));
    for _ in 0..2 {
        let forgotten = world.store.render("acme", id).await.unwrap_err();
        assert_eq!(forgotten, Error::NotFound("render"));
        world.sweep().await;
    }
}

pub(crate) async fn a_running_render_stops_at_its_end(world: World) {
    let short = Admission { ttl: Duration::from_mins(10), ..keyed("acme", "k", 1) };
    let Admitted::Created(render) = world.store.admit(short).await.unwrap() else {
        panic!("not new")
    };
    let working = world.store.claim(&render.id, render.version).await.unwrap().render;
    world.clock.pass(Duration::from_mins(10));
    let output = world.artifact(ArtifactKind::Output, b"late");
    let late = world.store.complete(working.lease(), "end", json!({}), vec![output]).await;
    assert_eq!(late.unwrap_err(), Error::LostRace);
    // Its key does not outlive it.
    let again = world.store.admit(keyed("acme", "k", 2)).await.unwrap();
    assert!(matches!(again, Admitted::Created(_)));
    let ended = world.sweep().await;
    assert_eq!(ended.len(), 1);
    assert!(ended[0].unfinished);
}

pub(crate) async fn stray_files_go_and_named_ones_stay(world: World) {
    let render = world.working("acme").await;
    let output = world.artifact(ArtifactKind::Output, b"film");
    world.store.complete(render.lease(), "end", json!({}), vec![output]).await.unwrap();
    let plugin = world.store.keep_plugin(b"component".to_vec()).await.unwrap();
    for stray in ["assets/a/astray", "artifacts/7/7stray", "plugins/q/qstray"] {
        std::fs::write(world.folder.path().join(stray), b"stray").unwrap();
    }
    world.sweep().await;
    let left = ["assets", "artifacts", "plugins"].map(|shelf| world.files(shelf));
    assert_eq!(left, [0, 1, 1]);
    assert!(world.store.open_artifact("acme", &render.id, ArtifactKind::Output).await.is_ok());
    assert!(world.store.plugin(&plugin).await.is_ok());
}

pub(crate) async fn the_next_moment_is_known(world: World) {
    assert_eq!(world.store.next_due().await.unwrap(), None);
    let render = world.admitted("acme").await;
    assert_eq!(world.store.next_due().await.unwrap(), Some(render.expires));
    let waiting = world.waiting("acme").await;
    let deadline = waiting.question.unwrap().deadline;
    assert_eq!(world.store.next_due().await.unwrap(), Some(deadline));
    world.store.cancel("acme", &waiting.id, "end", json!({})).await.unwrap();
    assert_eq!(world.store.next_due().await.unwrap(), Some(render.expires));
}

pub(crate) async fn a_clock_that_jumps_back_breaks_nothing(world: World) {
    let render = world.working("acme").await;
    world.clock.back(Duration::from_hours(1));
    let advanced = world.store.advance(render.lease(), "on", json!({})).await.unwrap();
    assert_eq!(advanced.updated, render.updated);
    let earlier = world.admitted("acme").await;
    assert!(earlier.created < render.created);
    assert_eq!(world.store.sweep().await.unwrap().renders, []);
    let done = world.store.complete(advanced.lease(), "end", json!({}), vec![]).await.unwrap();
    assert_eq!(done.updated, render.updated);
}
