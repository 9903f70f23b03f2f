use std::time::Duration;

use serde_json::json;
use store::*;

use crate::world::{World, answer};

pub(crate) async fn a_question_waits_with_all_that_it_needs(world: World) {
    let render = world.working("acme").await;
    let question = world.question(Duration::from_hours(1));
    let plans = json!({"encode": {"crf": 18}});
    let preview = world.artifact(ArtifactKind::Preview, b"png");
    let asked = world
        .store
        .suspend(render.lease(), "waiting", plans.clone(), question, Some(preview))
        .await
        .unwrap();
    assert_eq!((asked.status, asked.step.as_str()), (Status::Waiting, "waiting"));
    let world = world.restarted();
    let found = world.store.render("acme", &asked.id).await.unwrap();
    assert_eq!(found, asked);
    let question = found.question.unwrap();
    assert_eq!((question.number, question.text.as_str()), (1, "May it be so?"));
    assert_eq!((question.decision, &question.detail), (None, &json!({"frame": 7})));
    let preview = world.store.artifact("acme", &asked.id, ArtifactKind::Preview).await.unwrap();
    assert_eq!(preview.bytes, 3);
    let Decided::First(decided) =
        world.store.decide("acme", &asked.id, answer(true)).await.unwrap()
    else {
        panic!("not decided")
    };
    assert_eq!(decided.status, Status::Queued);
    let world = world.restarted();
    let claim = world.store.claim(&asked.id, decided.version).await.unwrap();
    let left = claim.suspended.unwrap();
    assert_eq!((left.state, left.pins), (vec![0, 1, 255], json!({"encode": "pinned"})));
    let decision = left.question.decision.unwrap();
    assert!(decision.approved);
    assert_eq!((decision.subject.as_str(), decision.channel.as_str()), ("ada", "tool"));
    assert_eq!(decision.feedback.as_deref(), Some("fine"));
    assert_eq!((claim.render.plans, claim.render.attempt), (plans, 2));
}

pub(crate) async fn the_first_decision_wins(world: World) {
    let render = world.waiting("acme").await;
    let no = Answer { channel: "elicitation".into(), ..answer(false) };
    let Decided::First(first) = world.store.decide("acme", &render.id, no.clone()).await.unwrap()
    else {
        panic!("not first")
    };
    // Whatever its way, and whoever asks.
    for channel in ["tool", "page"] {
        let same = Answer { channel: channel.into(), subject: "bob".into(), ..no.clone() };
        let same = world.store.decide("acme", &render.id, same).await.unwrap();
        assert_eq!(same, Decided::Same(first.clone()));
    }
    let other = world.store.decide("acme", &render.id, answer(true)).await.unwrap();
    let Decided::Different(decision) = other else { panic!("{other:?}") };
    assert_eq!((decision.approved, decision.channel.as_str()), (false, "elicitation"));
    // That holds after the render's end as well.
    let claim = world.store.claim(&render.id, first.version).await.unwrap().render;
    world.store.fail(claim.lease(), "end", json!({}), false).await.unwrap();
    let same = world.store.decide("acme", &render.id, answer(false)).await.unwrap();
    assert!(matches!(same, Decided::Same(_)));
    let other = world.store.decide("acme", &render.id, answer(true)).await.unwrap();
    assert!(matches!(other, Decided::Different(_)));
}

pub(crate) async fn of_many_at_once_one_decides(world: World) {
    let render = world.waiting("acme").await;
    let answers: Vec<_> = (0..20)
        .map(|i| tokio::spawn(world.store.decide("acme", &render.id, answer(i % 2 == 0))))
        .collect();
    let mut counts = [0; 3];
    for decided in answers {
        match decided.await.unwrap().unwrap() {
            Decided::First(_) => counts[0] += 1,
            Decided::Same(_) => counts[1] += 1,
            Decided::Different(_) => counts[2] += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(counts, [1, 9, 10]);
}

pub(crate) async fn later_questions_have_to_be_named(world: World) {
    let render = world.waiting("acme").await;
    let store = &world.store;
    let first = render.question.clone().unwrap();
    let named = |question: &Question, approved| Answer {
        question: Some(question.id.clone()),
        ..answer(approved)
    };
    let Decided::First(decided) =
        store.decide("acme", &render.id, named(&first, true)).await.unwrap()
    else {
        panic!("not decided")
    };
    let working = store.claim(&render.id, decided.version).await.unwrap().render;
    let asked = world.ask(&working).await;
    let second = asked.question.clone().unwrap();
    assert_eq!(second.number, 2);
    assert_ne!(second.id, first.id);
    let id = render.id.as_str();
    assert_eq!(store.decide("acme", id, answer(true)).await.unwrap(), Decided::QuestionNeeded);
    // An answer to the first question is one to the first question.
    let same = store.decide("acme", id, named(&first, true)).await.unwrap();
    assert_eq!(same, Decided::Same(Box::new(asked.clone())));
    let different = store.decide("acme", id, named(&first, false)).await.unwrap();
    assert!(matches!(different, Decided::Different(_)));
    // One of another render means nothing here.
    let other = world.waiting("acme").await.question.unwrap();
    let foreign = store.decide("acme", id, named(&other, true)).await.unwrap();
    assert!(matches!(foreign, Decided::NotWaiting(_)));
    let decided = store.decide("acme", id, named(&second, false)).await.unwrap();
    let Decided::First(decided) = decided else { panic!("{decided:?}") };
    assert!(!decided.question.unwrap().decision.unwrap().approved);
}

pub(crate) async fn nobody_decides_after_the_deadline(world: World) {
    let render = world.waiting("acme").await;
    let in_time = world.waiting("acme").await;
    world.clock.pass(Duration::from_mins(59));
    assert_eq!(world.store.expire_questions("end", json!({}), 10).await.unwrap(), []);
    world.store.decide("acme", &in_time.id, answer(true)).await.unwrap();
    world.clock.pass(Duration::from_mins(1));
    let late = world.store.decide("acme", &render.id, answer(true)).await.unwrap();
    assert_eq!(late, Decided::TooLate);
    let failure = json!({"code": "approval_expired"});
    let expired = world.store.expire_questions("end", failure.clone(), 10).await.unwrap();
    assert_eq!(expired.len(), 1);
    assert_eq!((&expired[0].id, expired[0].status), (&render.id, Status::Failed));
    assert_eq!(world.store.render("acme", &render.id).await.unwrap().failure, Some(failure));
    let late = world.store.decide("acme", &render.id, answer(true)).await.unwrap();
    assert!(matches!(late, Decided::NotWaiting(_)));
    // The stage can still be told.
    let left = world.store.suspended("acme", &render.id).await.unwrap();
    assert_eq!(left.state, [0, 1, 255]);
    assert_eq!(world.store.expire_questions("end", json!({}), 10).await.unwrap(), []);
}

pub(crate) async fn a_cancelled_question_has_no_answer(world: World) {
    let render = world.waiting("acme").await;
    world.store.cancel("acme", &render.id, "end", json!({})).await.unwrap();
    let late = world.store.decide("acme", &render.id, answer(true)).await.unwrap();
    assert!(matches!(late, Decided::NotWaiting(render) if render.status == Status::Cancelled));
    let queued = world.admitted("acme").await;
    let early = world.store.decide("acme", &queued.id, answer(true)).await.unwrap();
    assert!(matches!(early, Decided::NotWaiting(_)));
}

pub(crate) async fn plugins_are_kept_while_a_question_needs_them(world: World) {
    let store = &world.store;
    let digest = store.keep_plugin(b"component".to_vec()).await.unwrap();
    assert_eq!(store.keep_plugin(b"component".to_vec()).await.unwrap(), digest);
    let spare = store.keep_plugin(b"nobody's".to_vec()).await.unwrap();
    assert_eq!(world.files("plugins"), 2);
    let render = world.working("acme").await;
    let missing = NewQuestion {
        plugins: vec!["sha256:none".into()],
        ..world.question(Duration::from_hours(20))
    };
    let refused = store.suspend(render.lease(), "w", json!({}), missing, None).await;
    assert_eq!(refused.unwrap_err(), Error::NotFound("plugin"));
    let question =
        NewQuestion { plugins: vec![digest.clone()], ..world.question(Duration::from_hours(20)) };
    store.suspend(render.lease(), "w", json!({}), question, None).await.unwrap();
    world.clock.pass(Duration::from_hours(10));
    store.sweep().await.unwrap();
    assert_eq!(store.plugin(&digest).await.unwrap(), b"component");
    assert_eq!(store.plugin(&spare).await.unwrap_err(), Error::NotFound("plugin"));
    store.cancel("acme", &render.id, "end", json!({})).await.unwrap();
    store.sweep().await.unwrap();
    assert_eq!(store.plugin(&digest).await.unwrap(), b"component");
    world.clock.pass(Duration::from_hours(2));
    store.sweep().await.unwrap();
    assert_eq!(store.plugin(&digest).await.unwrap_err(), Error::NotFound("plugin"));
    assert_eq!(world.files("plugins"), 0);
}

pub(crate) async fn a_later_preview_replaces_the_earlier(world: World) {
    let store = &world.store;
    let mut render = world.working("acme").await;
    for bytes in [b"first".as_slice(), b"2nd"] {
        let preview = world.artifact(ArtifactKind::Preview, bytes);
        let question = world.question(Duration::from_hours(1));
        let asked =
            store.suspend(render.lease(), "w", json!({}), question, Some(preview)).await.unwrap();
        let answer = Answer { question: Some(asked.question.unwrap().id), ..answer(true) };
        store.decide("acme", &render.id, answer).await.unwrap();
        render = store.claim(&render.id, asked.version + 1).await.unwrap().render;
    }
    let preview = store.artifact("acme", &render.id, ArtifactKind::Preview).await.unwrap();
    assert_eq!((preview.bytes, world.files("artifacts")), (3, 1));
}
