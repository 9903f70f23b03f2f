//! Any sequence of operations, compared with a model that fits on a page.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use serde_json::json;
use store::*;

use crate::world::{World, admission, answer, keyed};

/// What a caller does; `render` is the n-th of those that were admitted.
#[derive(Clone, Debug)]
enum Act {
    Admit { key: Option<u8>, arguments: u8 },
    Claim { render: usize, stale: bool },
    Advance { render: usize, lease: Held },
    Suspend { render: usize, lease: Held, minutes: u64 },
    Complete { render: usize, lease: Held },
    Fail { render: usize, lease: Held, temporary: bool },
    Cancel { render: usize, foreign: bool },
    Decide { render: usize, question: Option<usize>, yes: bool },
    Pass { minutes: u64 },
    ExpireQuestions,
    Sweep,
    Restart,
}

/// Which lease is shown.
#[derive(Clone, Copy, Debug)]
enum Held {
    Latest,
    OldVersion,
    OldAttempt,
}

fn act() -> impl Strategy<Value = Act> {
    let render = 0..3usize;
    let held = prop_oneof![4 => Just(Held::Latest), 1 => Just(Held::OldVersion), 1 => Just(Held::OldAttempt)];
    let (r, h) = (render, held);
    prop_oneof![
        4 => (proptest::option::of(0..2u8), 0..2u8).prop_map(|(key, arguments)| Act::Admit { key, arguments }),
        6 => (r.clone(), proptest::bool::weighted(0.2)).prop_map(|(render, stale)| Act::Claim { render, stale }),
        3 => (r.clone(), h.clone()).prop_map(|(render, lease)| Act::Advance { render, lease }),
        5 => (r.clone(), h.clone(), 1..90u64).prop_map(|(render, lease, minutes)| Act::Suspend { render, lease, minutes }),
        2 => (r.clone(), h.clone()).prop_map(|(render, lease)| Act::Complete { render, lease }),
        2 => (r.clone(), h, any::<bool>()).prop_map(|(render, lease, temporary)| Act::Fail { render, lease, temporary }),
        2 => (r.clone(), proptest::bool::weighted(0.2)).prop_map(|(render, foreign)| Act::Cancel { render, foreign }),
        6 => (r, proptest::option::of(0..3usize), any::<bool>())
            .prop_map(|(render, question, yes)| Act::Decide { render, question, yes }),
        3 => (1..50u64).prop_map(|minutes| Act::Pass { minutes }),
        2 => Just(Act::ExpireQuestions),
        1 => Just(Act::Sweep),
        1 => Just(Act::Restart),
    ]
}

#[derive(Debug)]
struct Modelled {
    id: String,
    status: Status,
    version: u64,
    attempt: u64,
    expires: Millis,
    /// Id, deadline, answer.
    questions: Vec<(String, Millis, Option<bool>)>,
}

impl Modelled {
    fn lease(&self, held: Held) -> Lease {
        let (version, attempt) = match held {
            Held::Latest => (self.version, self.attempt),
            Held::OldVersion => (self.version - 1, self.attempt),
            Held::OldAttempt => (self.version, self.attempt.saturating_sub(1)),
        };
        Lease { id: self.id.clone(), version, attempt }
    }

    fn works(&self, held: Held, now: Millis) -> bool {
        // Before the first attempt there is none that could be older.
        matches!(held, Held::Latest) && self.status == Status::Working && self.expires > now
    }

    fn becomes(&mut self, status: Status) {
        self.status = status;
        self.version += 1;
    }
}

struct Model {
    /// Always there but for a restart.
    world: Option<World>,
    tenant: String,
    renders: Vec<Modelled>,
    /// Arguments, render, first use.
    keys: HashMap<u8, (u8, usize, Millis)>,
}

const TTL: Duration = Duration::from_hours(6);
const KEY: Duration = Duration::from_mins(30);

impl Model {
    fn world(&self) -> &World {
        self.world.as_ref().unwrap()
    }

    async fn act(&mut self, act: Act) {
        let now = self.world().clock.now();
        let store = self.world().store.clone();
        match act {
            Act::Admit { key, arguments } => self.admit(key, arguments, now).await,
            Act::Pass { minutes } => self.world().clock.pass(Duration::from_mins(minutes)),
            Act::Sweep => drop(store.sweep().await.unwrap()),
            Act::Restart => {
                drop(store);
                let world = self.world.take().unwrap();
                self.world = Some(world.restarted());
            }
            Act::ExpireQuestions => {
                let expired = store.expire_questions("end", json!({}), 1000).await.unwrap();
                let mut expired: Vec<_> = expired.into_iter().map(|render| render.id).collect();
                let mut expected = Vec::new();
                for render in &mut self.renders {
                    let late = render.questions.last().is_some_and(|question| question.1 <= now);
                    if render.status == Status::Waiting && late && render.expires > now {
                        render.becomes(Status::Failed);
                        expected.push(render.id.clone());
                    }
                }
                expired.sort();
                expected.sort();
                assert_eq!(expired, expected);
            }
            Act::Claim { render, .. }
            | Act::Advance { render, .. }
            | Act::Suspend { render, .. }
            | Act::Complete { render, .. }
            | Act::Fail { render, .. }
            | Act::Cancel { render, .. }
            | Act::Decide { render, .. } => {
                if render < self.renders.len() {
                    self.on(render, act, now).await;
                }
            }
        }
        self.compare().await;
    }

    async fn admit(&mut self, key: Option<u8>, arguments: u8, now: Millis) {
        let base = match key {
            Some(key) => keyed(&self.tenant, &format!("{key}"), arguments),
            None => admission(&self.tenant),
        };
        let admitted = self.world().store.admit(Admission { ttl: TTL, ..base }).await.unwrap();
        let used = key.and_then(|key| self.keys.get(&key).copied());
        match used.filter(|(_, _, first)| first.after(KEY) > now) {
            Some((same, render, _)) if same == arguments => {
                let Admitted::Existing(found) = admitted else { panic!("{admitted:?}") };
                assert_eq!(found.id, self.renders[render].id);
            }
            Some(_) => assert_eq!(admitted, Admitted::Conflict),
            None => {
                let Admitted::Created(created) = admitted else { panic!("{admitted:?}") };
                if let Some(key) = key {
                    self.keys.insert(key, (arguments, self.renders.len(), now));
                }
                self.renders.push(Modelled {
                    id: created.id,
                    status: Status::Queued,
                    version: 1,
                    attempt: 0,
                    expires: now.after(TTL),
                    questions: vec![],
                });
            }
        }
    }

    fn free_key(&mut self, render: usize) {
        self.keys.retain(|_, (_, used, _)| *used != render);
    }

    async fn on(&mut self, which: usize, act: Act, now: Millis) {
        let store = self.world().store.clone();
        let tenant = self.tenant.clone();
        let asked = match act {
            Act::Suspend { minutes, .. } => {
                Some(self.world().question(Duration::from_mins(minutes)))
            }
            _ => None,
        };
        let output = matches!(act, Act::Complete { .. })
            .then(|| self.world().artifact(ArtifactKind::Output, b"film"));
        let render = &mut self.renders[which];
        let id = render.id.clone();
        let over = render.expires <= now;
        match act {
            Act::Claim { stale, .. } => {
                let claimed = store.claim(&id, render.version - u64::from(stale)).await;
                let free = matches!(render.status, Status::Queued | Status::Working);
                if over {
                    assert_eq!(claimed.unwrap_err(), Error::NotFound("render"));
                } else if stale || !free {
                    assert_eq!(claimed.unwrap_err(), Error::LostRace);
                } else {
                    render.becomes(Status::Working);
                    render.attempt += 1;
                    let suspended = claimed.unwrap().suspended;
                    let answered = suspended.map(|s| s.question.decision.unwrap().approved);
                    assert_eq!(answered, render.questions.last().and_then(|question| question.2));
                }
            }
            Act::Advance { lease, .. } => {
                let may = render.works(lease, now);
                let done = store.advance(render.lease(lease), "on", json!({})).await;
                assert_eq!(done.map_err(|error| assert_eq!(error, Error::LostRace)).is_ok(), may);
                if may {
                    render.becomes(Status::Working);
                }
            }
            Act::Suspend { lease, .. } => {
                let may = render.works(lease, now);
                let question = asked.unwrap();
                let deadline = question.deadline;
                let done =
                    store.suspend(render.lease(lease), "ask", json!({}), question, None).await;
                match done {
                    Ok(done) => {
                        assert!(may);
                        render.becomes(Status::Waiting);
                        render.questions.push((done.question.unwrap().id, deadline, None));
                    }
                    Err(error) => assert_eq!((error, may), (Error::LostRace, false)),
                }
            }
            Act::Complete { lease, .. } => {
                let may = render.works(lease, now);
                let output = output.into_iter().collect();
                let done = store.complete(render.lease(lease), "end", json!({}), output).await;
                assert_eq!(done.map_err(|error| assert_eq!(error, Error::LostRace)).is_ok(), may);
                if may {
                    render.becomes(Status::Completed);
                }
            }
            Act::Fail { lease, temporary, .. } => {
                let may = render.works(lease, now);
                let done = store.fail(render.lease(lease), "end", json!({}), temporary).await;
                assert_eq!(done.map_err(|error| assert_eq!(error, Error::LostRace)).is_ok(), may);
                if may {
                    render.becomes(Status::Failed);
                    if temporary {
                        self.free_key(which);
                    }
                }
            }
            Act::Cancel { foreign, .. } => {
                let tenant = if foreign { "somebody else" } else { &tenant };
                let done = store.cancel(tenant, &id, "end", json!({})).await;
                match (foreign, over, render.status) {
                    (true, ..) => assert_eq!(done.unwrap_err(), Error::NotFound("render")),
                    (_, true, _) => assert_eq!(done.unwrap_err(), Error::Expired),
                    (.., Status::Cancelled) => assert!(matches!(done, Ok(Cancelled::Before(_)))),
                    (.., Status::Completed | Status::Failed) => {
                        assert!(matches!(done, Ok(Cancelled::Finished(_))));
                    }
                    _ => {
                        assert!(matches!(done, Ok(Cancelled::Now(_))));
                        render.becomes(Status::Cancelled);
                        self.free_key(which);
                    }
                }
            }
            Act::Decide { question, yes, .. } => {
                decide(&store, &tenant, render, question, yes, now).await
            }
            _ => unreachable!(),
        }
    }

    /// The store says of every render what the model says.
    async fn compare(&self) {
        let now = self.world().clock.now();
        for expected in &self.renders {
            let found = self.world().store.render(&self.tenant, &expected.id).await;
            if expected.expires <= now {
                assert_eq!(found.unwrap_err(), Error::Expired);
                continue;
            }
            let found = found.unwrap();
            assert_eq!(
                (found.status, found.version, found.attempt, found.expires),
                (expected.status, expected.version, expected.attempt, expected.expires)
            );
            let question =
                found.question.map(|q| (q.id, q.deadline, q.decision.map(|d| d.approved)));
            assert_eq!(question.as_ref(), expected.questions.last());
            let output =
                self.world().store.artifact(&self.tenant, &expected.id, ArtifactKind::Output).await;
            assert_eq!(output.is_ok(), expected.status == Status::Completed);
        }
    }
}

async fn decide(
    store: &std::sync::Arc<dyn Store>,
    tenant: &str,
    render: &mut Modelled,
    question: Option<usize>,
    yes: bool,
    now: Millis,
) {
    let named = question.map(|n| {
        render.questions.get(n).map_or("question_none".into(), |question| question.0.clone())
    });
    let said = store.decide(tenant, &render.id, Answer { question: named, ..answer(yes) }).await;
    if render.expires <= now {
        return assert_eq!(said.unwrap_err(), Error::Expired);
    }
    let said = said.unwrap();
    let latest = render.questions.len().saturating_sub(1);
    let meant = question.unwrap_or(latest);
    let Some((_, deadline, decision)) = render.questions.get_mut(meant) else {
        return assert!(matches!(said, Decided::NotWaiting(_)), "{said:?}");
    };
    match decision {
        _ if question.is_none() && latest > 0 => assert_eq!(said, Decided::QuestionNeeded),
        Some(before) if *before == yes => assert!(matches!(said, Decided::Same(_)), "{said:?}"),
        Some(_) => assert!(matches!(said, Decided::Different(_)), "{said:?}"),
        None if render.status != Status::Waiting => {
            assert!(matches!(said, Decided::NotWaiting(_)), "{said:?}");
        }
        None if *deadline <= now => assert_eq!(said, Decided::TooLate),
        None => {
            assert!(matches!(said, Decided::First(_)), "{said:?}");
            *decision = Some(yes);
            render.becomes(Status::Queued);
        }
    }
}

#[test]
fn any_sequence_of_operations_does_what_the_model_does() {
    static CASE: AtomicU64 = AtomicU64::new(0);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) };
    proptest!(config, |(acts in proptest::collection::vec(act(), 1..80))| {
        runtime.block_on(async {
            let tenant = format!("tenant {}", CASE.fetch_add(1, Ordering::SeqCst));
            let world = Some(World::fleeting());
            let mut model = Model { world, tenant, renders: vec![], keys: HashMap::new() };
            for act in acts {
                model.act(act).await;
            }
        });
    });
}
