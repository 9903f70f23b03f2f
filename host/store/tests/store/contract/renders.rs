use std::time::Duration;

use serde_json::{Value, json};
use store::*;

use crate::world::{World, admission, answer, keyed};

pub(crate) async fn a_new_render_is_what_was_asked_for(world: World) {
    let created = world.admitted("acme").await;
    let render = world.store.render("acme", &created.id).await.unwrap();
    assert_eq!(render, created);
    assert_eq!((render.status, render.version, render.attempt), (Status::Queued, 1, 0));
    assert_eq!(render.request["resolution"], "720p");
    assert_eq!((render.plans, render.failure, render.report), (Value::Null, None, None));
    assert_eq!(render.expires, render.created.after(Duration::from_hours(24)));
    assert_eq!(render.id.len(), "render_".len() + 26);
}

pub(crate) async fn a_foreign_id_looks_like_an_unknown_one(world: World) {
    let render = world.waiting("acme").await;
    let id = render.id.as_str();
    let not_found = Error::NotFound("render");
    for (tenant, id) in [("other", id), ("acme", "render_none"), ("", id)] {
        let store = &world.store;
        assert_eq!(store.render(tenant, id).await.unwrap_err(), not_found);
        assert_eq!(store.cancel(tenant, id, "x", json!(1)).await.unwrap_err(), not_found);
        assert_eq!(store.decide(tenant, id, answer(true)).await.unwrap_err(), not_found);
        assert_eq!(store.suspended(tenant, id).await.unwrap_err(), not_found);
        let output = store.open_artifact(tenant, id, ArtifactKind::Output).await;
        assert_eq!(output.unwrap_err(), not_found);
    }
    assert_eq!(world.store.render("acme", id).await.unwrap(), render);
}

pub(crate) async fn twins_give_one_render(world: World) {
    let twins: Vec<_> =
        (0..50).map(|_| tokio::spawn(world.store.admit(keyed("acme", "k", 1)))).collect();
    let mut ids = std::collections::BTreeSet::new();
    let mut created = 0;
    for twin in twins {
        match twin.await.unwrap().unwrap() {
            Admitted::Created(render) => {
                created += 1;
                ids.insert(render.id);
            }
            Admitted::Existing(render) => drop(ids.insert(render.id)),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((created, ids.len()), (1, 1));
}

async fn is_new(world: &World, admission: Admission) -> bool {
    match world.store.admit(admission).await.unwrap() {
        Admitted::Created(_) => true,
        Admitted::Existing(_) => false,
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn a_key_belongs_to_its_tenant_and_its_arguments(world: World) {
    assert!(is_new(&world, keyed("acme", "k", 1)).await);
    assert!(!is_new(&world, keyed("acme", "k", 1)).await);
    assert!(is_new(&world, keyed("acme", "l", 1)).await);
    assert!(is_new(&world, keyed("other", "k", 2)).await);
    assert!(is_new(&world, admission("acme")).await);
    let conflict = world.store.admit(keyed("acme", "k", 2)).await.unwrap();
    assert_eq!(conflict, Admitted::Conflict);
}

pub(crate) async fn a_key_counts_for_half_an_hour(world: World) {
    assert!(is_new(&world, keyed("acme", "k", 1)).await);
    world.clock.pass(Duration::from_mins(20));
    assert!(!is_new(&world, keyed("acme", "k", 1)).await);
    // From the first use, not from the last.
    world.clock.pass(Duration::from_mins(10));
    assert!(is_new(&world, keyed("acme", "k", 2)).await);
    assert!(!is_new(&world, keyed("acme", "k", 2)).await);
    let conflict = world.store.admit(keyed("acme", "k", 1)).await.unwrap();
    assert_eq!(conflict, Admitted::Conflict);
}

pub(crate) async fn a_key_is_freed_by_cancelling_and_temporary_failures(world: World) {
    for (what, freed) in [("temporary", true), ("lasting", false), ("cancelled", true)] {
        let Admitted::Created(render) = world.store.admit(keyed("acme", what, 1)).await.unwrap()
        else {
            panic!("not new")
        };
        let claim = world.store.claim(&render.id, render.version).await.unwrap();
        if what == "cancelled" {
            world.store.cancel("acme", &render.id, "end", json!({})).await.unwrap();
        } else {
            let lease = claim.render.lease();
            world.store.fail(lease, "end", json!({}), what == "temporary").await.unwrap();
        }
        assert_eq!(is_new(&world, keyed("acme", what, 1)).await, freed, "{what}");
    }
}

pub(crate) async fn keys_survive_a_restart(world: World) {
    assert!(is_new(&world, keyed("acme", "k", 1)).await);
    let world = world.restarted();
    assert!(!is_new(&world, keyed("acme", "k", 1)).await);
}

pub(crate) async fn an_attempt_that_lost_its_render_changes_nothing(world: World) {
    let first = world.working("acme").await;
    let second = world.store.claim(&first.id, first.version).await.unwrap().render;
    assert_eq!((first.attempt, second.attempt), (1, 2));
    let output = world.artifact(ArtifactKind::Output, b"old");
    let store = &world.store;
    let lost = Error::LostRace;
    let lease = first.lease();
    assert_eq!(store.advance(lease.clone(), "x", json!({})).await.unwrap_err(), lost);
    assert_eq!(store.fail(lease.clone(), "x", json!({}), true).await.unwrap_err(), lost);
    let question = world.question(Duration::from_mins(5));
    let suspended = store.suspend(lease.clone(), "x", json!({}), question, None).await;
    assert_eq!(suspended.unwrap_err(), lost);
    assert_eq!(store.complete(lease, "x", json!({}), vec![output]).await.unwrap_err(), lost);
    assert_eq!(store.render("acme", &first.id).await.unwrap(), second);
    // Even a right guess of the version is of no use to an old attempt.
    let guessed = Lease { version: second.version, ..first.lease() };
    assert_eq!(store.advance(guessed, "x", json!({})).await.unwrap_err(), lost);
    let now = store.advance(second.lease(), "planned", json!({"encode": 1})).await.unwrap();
    assert_eq!((now.step.as_str(), now.version), ("planned", second.version + 1));
    // Nor is the lease of a step before.
    assert_eq!(store.advance(second.lease(), "x", json!({})).await.unwrap_err(), lost);
}

pub(crate) async fn only_one_claims(world: World) {
    let render = world.admitted("acme").await;
    let claims: Vec<_> =
        (0..8).map(|_| tokio::spawn(world.store.claim(&render.id, render.version))).collect();
    let mut won = 0;
    for claim in claims {
        match claim.await.unwrap() {
            Ok(claim) => {
                won += 1;
                assert_eq!(claim.render.status, Status::Working);
            }
            Err(error) => assert_eq!(error, Error::LostRace),
        }
    }
    assert_eq!(won, 1);
    let waiting = world.waiting("acme").await;
    let claim = world.store.claim(&waiting.id, waiting.version).await;
    assert_eq!(claim.unwrap_err(), Error::LostRace);
}

pub(crate) async fn the_end_is_the_end(world: World) {
    let store = &world.store;
    for end in [Status::Completed, Status::Failed, Status::Cancelled] {
        let render = world.working("acme").await;
        let lease = render.lease();
        let ended = match end {
            Status::Completed => {
                store.complete(lease, "end", json!({"w": 1}), vec![]).await.unwrap()
            }
            Status::Failed => store.fail(lease, "end", json!({"code": "x"}), false).await.unwrap(),
            _ => match store.cancel("acme", &render.id, "end", json!({})).await.unwrap() {
                Cancelled::Now(render) => *render,
                other => panic!("{other:?}"),
            },
        };
        assert_eq!(ended.status, end);
        let lost = Error::LostRace;
        let lease = ended.lease();
        assert_eq!(store.advance(lease.clone(), "x", json!({})).await.unwrap_err(), lost);
        assert_eq!(store.fail(lease.clone(), "x", json!({}), false).await.unwrap_err(), lost);
        assert_eq!(store.complete(lease, "x", json!({}), vec![]).await.unwrap_err(), lost);
        assert_eq!(store.claim(&ended.id, ended.version).await.unwrap_err(), lost);
        let cancelled = store.cancel("acme", &ended.id, "x", json!({})).await.unwrap();
        if end != Status::Cancelled {
            assert!(matches!(cancelled, Cancelled::Finished(_)));
        }
        assert_eq!(store.render("acme", &ended.id).await.unwrap(), ended);
    }
}

pub(crate) async fn a_refused_output_is_gone(world: World) {
    let render = world.working("acme").await;
    world.store.cancel("acme", &render.id, "end", json!({})).await.unwrap();
    let output = world.artifact(ArtifactKind::Output, b"late");
    let late = world.store.complete(render.lease(), "end", json!({}), vec![output]).await;
    assert_eq!(late.unwrap_err(), Error::LostRace);
    assert_eq!(world.files("artifacts"), 0);
    let output = world.store.artifact("acme", &render.id, ArtifactKind::Output).await;
    assert_eq!(output.unwrap_err(), Error::NotFound("artifact"));
}

pub(crate) async fn an_output_and_its_end_are_one(world: World) {
    let render = world.working("acme").await;
    let output = world.artifact(ArtifactKind::Output, b"film");
    let draft = output.file.path().to_owned();
    let report = json!({"width": 1280});
    let done =
        world.store.complete(render.lease(), "end", report.clone(), vec![output]).await.unwrap();
    assert_eq!((done.status, done.report), (Status::Completed, Some(report)));
    assert!(!draft.exists());
    let world = world.restarted();
    let (artifact, mut file) =
        world.store.open_artifact("acme", &render.id, ArtifactKind::Output).await.unwrap();
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut file, &mut bytes).unwrap();
    assert_eq!((artifact.bytes, bytes.as_slice()), (4, b"film".as_slice()));
    assert_eq!(artifact.media_type, "video/mp4");
}

pub(crate) async fn cancelling_twice_is_fine(world: World) {
    let render = world.waiting("acme").await;
    let first = world.store.cancel("acme", &render.id, "end", json!({"n": 1})).await.unwrap();
    let Cancelled::Now(first) = first else { panic!("{first:?}") };
    let again = world.store.cancel("acme", &render.id, "end", json!({"n": 2})).await.unwrap();
    assert_eq!(again, Cancelled::Before(first));
}

pub(crate) async fn too_many_are_refused(world: World) {
    let limited = || Admission { at_most: Some(2), ..admission("acme") };
    let first = world.admitted("acme").await;
    world.admitted("other").await;
    assert!(is_new(&world, limited()).await);
    assert_eq!(world.store.admit(limited()).await.unwrap(), Admitted::TooMany);
    world.store.cancel("acme", &first.id, "end", json!({})).await.unwrap();
    assert!(is_new(&world, limited()).await);
}

pub(crate) async fn unfinished_renders_are_found_after_a_restart(world: World) {
    let queued = world.admitted("acme").await;
    let working = world.working("other").await;
    let waiting = world.waiting("acme").await;
    let ended = world.admitted("acme").await;
    world.store.cancel("acme", &ended.id, "end", json!({})).await.unwrap();
    let world = world.restarted();
    let mut open = world.store.open_renders().await.unwrap();
    open.sort_by_key(|render| {
        [&queued.id, &working.id, &waiting.id].iter().position(|id| **id == render.id)
    });
    let open: Vec<_> = open.into_iter().map(|r| (r.id, r.status, r.version)).collect();
    assert_eq!(
        open,
        [
            (queued.id, Status::Queued, 1),
            (working.id, Status::Working, 2),
            (waiting.id, Status::Waiting, 3)
        ]
    );
}
