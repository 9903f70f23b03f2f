use std::time::Duration;

use serde_json::json;
use store::*;

use crate::world::World;

fn session(world: &World, id: &str, principal: &str) -> Session {
    let now = world.clock.now();
    let (id, principal) = (id.into(), principal.into());
    Session { id, principal, data: json!({"revision": "2025-11-25"}), created: now, touched: now }
}

fn event(world: &World, number: u64, stream: u64, payload: &str) -> Event {
    Event { number, stream, at: world.clock.now(), payload: payload.into() }
}

fn pending(session: &str, id: &str, topic: &str) -> Pending {
    let text = str::to_owned;
    Pending { session: text(session), id: text(id), topic: text(topic), data: json!({"id": id}) }
}

pub(crate) async fn a_session_comes_back_whole(world: World) {
    let ada = session(&world, "s1", "ada");
    world.store.save_session(ada.clone()).await.unwrap();
    world.store.save_session(session(&world, "s2", "ada")).await.unwrap();
    let events =
        vec![event(&world, 0, 4, "priming"), event(&world, 1, 9, "x"), event(&world, 7, 4, "y")];
    world.store.append_events("s1", events.clone()).await.unwrap();
    for request in [pending("s1", "b", "r1"), pending("s1", "a", "r1"), pending("s1", "b", "r2")] {
        world.store.save_pending(request).await.unwrap();
    }
    let world = world.restarted();
    let stored = world.store.load_session("s1").await.unwrap().unwrap();
    assert_eq!((stored.session, &stored.events), (ada, &events));
    assert_eq!(stored.pending, [pending("s1", "b", "r2"), pending("s1", "a", "r1")]);
    let tail = world.store.events_after("s1", 4, 0, 10).await.unwrap();
    assert_eq!(tail, [events[2].clone()]);
    assert_eq!(world.store.load_session("s3").await.unwrap(), None);
    assert_eq!(world.store.all_sessions().await.unwrap(), ["s1", "s2"]);
    assert!(world.store.remove_session("s1").await.unwrap());
    assert!(!world.store.remove_session("s1").await.unwrap());
    assert_eq!(world.store.load_session("s1").await.unwrap(), None);
    let late = world.store.append_events("s1", events).await;
    assert_eq!(late.unwrap_err(), Error::NotFound("session"));
    let late = world.store.save_pending(pending("s1", "a", "r1")).await;
    assert_eq!(late.unwrap_err(), Error::NotFound("session"));
}

pub(crate) async fn nobody_takes_over_a_session(world: World) {
    world.store.save_session(session(&world, "s", "ada")).await.unwrap();
    let taken = world.store.save_session(session(&world, "s", "bob")).await;
    assert!(matches!(taken.unwrap_err(), Error::Invalid(_)));
    let stored = world.store.load_session("s").await.unwrap().unwrap();
    assert_eq!(stored.session.principal, "ada");
}

pub(crate) async fn the_log_is_bounded(world: World) {
    world.store.save_session(session(&world, "s", "ada")).await.unwrap();
    let payload = "x".repeat(1 << 20);
    for number in 0..20 {
        world.store.append_events("s", vec![event(&world, number, 1, &payload)]).await.unwrap();
    }
    let left = world.store.events_after("s", 1, 0, 100).await.unwrap();
    let numbers: Vec<u64> = left.iter().map(|event| event.number).collect();
    assert_eq!(numbers, [13, 14, 15, 16, 17, 18, 19]);
    // One that is bigger than everything still gets through.
    let big = event(&world, 20, 1, &"x".repeat(9 << 20));
    world.store.append_events("s", vec![big]).await.unwrap();
    assert_eq!(world.store.events_after("s", 1, 0, 100).await.unwrap().len(), 1);
    // And the old go with the next.
    world.clock.pass(Duration::from_hours(25));
    world.store.append_events("s", vec![event(&world, 21, 2, "new")]).await.unwrap();
    let stored = world.store.load_session("s").await.unwrap().unwrap();
    assert_eq!(stored.events, [event(&world, 21, 2, "new")]);
    world.store.remove_events("s", vec![21, 99]).await.unwrap();
    assert_eq!(world.store.load_session("s").await.unwrap().unwrap().events, []);
}

pub(crate) async fn numbers_rise(world: World) {
    world.store.save_session(session(&world, "s", "ada")).await.unwrap();
    world.store.append_events("s", vec![event(&world, 5, 1, "a")]).await.unwrap();
    for again in [vec![5], vec![3], vec![6, 6]] {
        let again = again.into_iter().map(|number| event(&world, number, 1, "b")).collect();
        let refused = world.store.append_events("s", again).await.unwrap_err();
        assert!(matches!(refused, Error::Invalid(_)));
    }
    assert_eq!(world.store.events_after("s", 1, 0, 9).await.unwrap().len(), 1);
}

pub(crate) async fn one_answer_takes_a_request(world: World) {
    for id in ["s", "t"] {
        world.store.save_session(session(&world, id, "ada")).await.unwrap();
        world.store.save_pending(pending(id, "a", "r1")).await.unwrap();
        world.store.save_pending(pending(id, "b", "r2")).await.unwrap();
    }
    let answers: Vec<_> =
        (0..8).map(|_| tokio::spawn(world.store.remove_pending("s", "a"))).collect();
    let mut taken = 0;
    for answer in answers {
        taken += u32::from(answer.await.unwrap().unwrap());
    }
    assert_eq!(taken, 1);
    let dropped = world.store.drop_pending("r2").await.unwrap();
    assert_eq!(dropped, [pending("s", "b", "r2"), pending("t", "b", "r2")]);
    let left = world.store.load_session("t").await.unwrap().unwrap().pending;
    assert_eq!(left, [pending("t", "a", "r1")]);
}

pub(crate) async fn touching_counts_at_once(world: World) {
    world.store.save_session(session(&world, "old", "ada")).await.unwrap();
    world.store.save_session(session(&world, "used", "ada")).await.unwrap();
    world.clock.pass(Duration::from_hours(1));
    world.store.touch_session("used");
    let now = world.clock.now();
    assert_eq!(world.store.idle_sessions(now).await.unwrap(), ["old"]);
    assert_eq!(world.store.load_session("used").await.unwrap().unwrap().session.touched, now);
    world.store.sweep().await.unwrap();
    // A stop in good order loses none either.
    world.clock.pass(Duration::from_hours(1));
    world.store.touch_session("old");
    let world = world.restarted();
    let sessions = world.store.sessions_of("ada").await.unwrap();
    assert_eq!(sessions, [("used".into(), now), ("old".into(), world.clock.now())]);
}
