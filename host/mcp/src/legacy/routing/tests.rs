use super::*;

const GET: u64 = 0;

fn task() -> String {
    "t".to_owned()
}

fn opened(stream: u64) -> Event {
    let serves = if stream == GET { Serves::Session } else { Serves::Task(task()) };
    Event::Opened { stream, serves }
}

fn after(events: &[Event]) -> (Routing, Vec<Effect>) {
    let mut routing = Routing::default();
    let mut last = Vec::new();
    for event in events {
        last = routing.apply(event.clone());
    }
    (routing, last)
}

fn asked() -> Event {
    Event::Asked { request: 1, task: task() }
}

fn sent(to: u64) -> Vec<Effect> {
    vec![Effect::Send { request: 1, to }]
}

fn moved(to: u64) -> Vec<Effect> {
    vec![Effect::Move { request: 1, to }]
}

fn recalled(on: Option<u64>) -> Vec<Effect> {
    vec![Effect::Recall { request: 1, on }]
}

/// Every way of opening, asking and losing; the last event's effects are what counts.
#[test]
fn each_request_is_on_one_stream_and_on_the_right_one() {
    use Event::{Answered, Closed, Ended, Lost, Withdrawn};
    let closed = |stream| Closed { stream };
    let lost = |stream| Lost { stream };
    let ended = |stream| Ended { stream };
    let answered = Answered { request: 1 };
    let withdrawn = Withdrawn { request: 1 };
    let other = Event::Opened { stream: 9, serves: Serves::Task("other".to_owned()) };
    let restored = |on, answered| Event::Restored { request: 1, task: task(), on, answered };
    let table: Vec<(&str, Vec<Event>, Vec<Effect>)> = vec![
        // Where it goes.
        ("nothing open: it waits", vec![asked()], vec![]),
        ("only GET open", vec![opened(GET), asked()], sent(GET)),
        ("only the wait open", vec![opened(5), asked()], sent(5)),
        ("both open: the wait", vec![opened(5), opened(GET), asked()], sent(5)),
        ("two waits open: the newer", vec![opened(5), opened(6), asked()], sent(6)),
        ("a wait for another task is no carrier", vec![other.clone(), asked()], vec![]),
        ("queued: flushed to GET", vec![asked(), opened(GET)], sent(GET)),
        ("queued: flushed to the wait", vec![asked(), opened(5)], sent(5)),
        ("queued: another task's wait does not take it", vec![asked(), other], vec![]),
        // Once is enough.
        ("carried by GET, a wait opens", vec![opened(GET), asked(), opened(5)], vec![]),
        ("carried by a wait, GET opens", vec![opened(5), asked(), opened(GET)], vec![]),
        ("a wait is opened again and again", vec![opened(5), asked(), opened(6)], vec![]),
        ("GET is taken over by a new GET", vec![opened(GET), asked(), opened(GET)], vec![]),
        // A carrier dies.
        ("gone for a moment", vec![opened(5), opened(GET), asked(), closed(5)], vec![]),
        (
            "lost, GET is there",
            vec![opened(5), opened(GET), asked(), closed(5), lost(5)],
            moved(GET),
        ),
        (
            "GET lost, a wait is there",
            vec![opened(GET), asked(), opened(5), closed(GET), lost(GET)],
            moved(5),
        ),
        ("lost, nothing there", vec![opened(5), asked(), closed(5), lost(5)], vec![]),
        (
            "lost, then GET opens",
            vec![opened(5), asked(), closed(5), lost(5), opened(GET)],
            moved(GET),
        ),
        (
            "lost, then a new wait opens",
            vec![opened(5), asked(), closed(5), lost(5), opened(6)],
            moved(6),
        ),
        (
            "gone, and a new wait says that it is lost",
            vec![opened(5), asked(), closed(5), opened(6)],
            moved(6),
        ),
        (
            "it comes back in time",
            vec![opened(5), opened(GET), asked(), closed(5), opened(5), lost(5)],
            vec![],
        ),
        (
            "it comes back late to nothing",
            vec![opened(5), asked(), closed(5), lost(5), opened(5)],
            vec![],
        ),
        (
            "it moved, and the old one comes back",
            vec![opened(5), opened(GET), asked(), closed(5), lost(5), opened(5)],
            vec![],
        ),
        (
            "it moved, and the new one dies too",
            vec![
                opened(5),
                opened(GET),
                asked(),
                closed(5),
                lost(5),
                opened(6),
                closed(GET),
                lost(GET),
            ],
            moved(6),
        ),
        (
            "another stream is lost",
            vec![opened(5), opened(GET), asked(), closed(GET), lost(GET)],
            vec![],
        ),
        // A carrier ends in good order.
        (
            "a status wait reached its limit",
            vec![opened(5), opened(GET), asked(), ended(5)],
            vec![],
        ),
        ("and a new one opens", vec![opened(5), asked(), ended(5), opened(6)], vec![]),
        ("and GET opens", vec![opened(5), asked(), ended(5), opened(GET)], vec![]),
        // Answers and withdrawals.
        (
            "answered, the carrier dies",
            vec![opened(5), opened(GET), asked(), answered.clone(), closed(5), lost(5)],
            vec![],
        ),
        ("answered while queued", vec![asked(), answered.clone(), opened(GET)], vec![]),
        ("withdrawn while queued", vec![asked(), withdrawn.clone()], recalled(None)),
        ("withdrawn while carried", vec![opened(5), asked(), withdrawn.clone()], recalled(Some(5))),
        (
            "withdrawn after the carrier died",
            vec![opened(5), asked(), closed(5), withdrawn.clone()],
            recalled(None),
        ),
        (
            "withdrawn, another is there",
            vec![opened(5), asked(), closed(5), opened(GET), withdrawn.clone()],
            recalled(Some(GET)),
        ),
        (
            "withdrawn after the limit",
            vec![opened(GET), opened(5), asked(), ended(5), withdrawn.clone()],
            recalled(Some(GET)),
        ),
        (
            "withdrawn after the answer",
            vec![opened(5), asked(), answered, withdrawn.clone()],
            vec![],
        ),
        ("withdrawn, then a stream opens", vec![asked(), withdrawn.clone(), opened(5)], vec![]),
        ("withdrawn twice", vec![asked(), withdrawn.clone(), withdrawn], vec![]),
        // After a restart.
        ("restored, its stream is resumed", vec![restored(Some(5), false), opened(5)], vec![]),
        ("restored, GET opens", vec![restored(Some(5), false), opened(GET)], moved(GET)),
        ("restored, was never sent", vec![restored(None, false), opened(GET)], sent(GET)),
        ("restored, was answered", vec![restored(Some(5), true), opened(GET)], vec![]),
    ];
    for (what, events, expected) in table {
        assert_eq!(after(&events).1, expected, "{what}");
    }
}

/// Whatever happens, in whatever order: never sent twice without a move, never on a closed stream.
#[test]
fn no_order_of_events_puts_a_request_on_two_streams() {
    let events = [
        opened(GET),
        opened(5),
        opened(6),
        asked(),
        Event::Closed { stream: GET },
        Event::Lost { stream: GET },
        Event::Closed { stream: 5 },
        Event::Lost { stream: 5 },
        Event::Ended { stream: 6 },
    ];
    // All sequences of five of nine.
    for mut number in 0..9_usize.pow(5) {
        let mut routing = Routing::default();
        let (mut open, mut sent, mut asked) = (std::collections::BTreeSet::new(), 0, false);
        for _ in 0..5 {
            let event = &events[number % 9];
            number /= 9;
            match event {
                Event::Asked { .. } if std::mem::replace(&mut asked, true) => continue,
                Event::Opened { stream, .. } => {
                    open.insert(*stream);
                }
                Event::Closed { stream } | Event::Ended { stream } => {
                    open.remove(stream);
                }
                Event::Lost { stream } if open.contains(stream) => continue,
                _ => {}
            }
            for effect in routing.apply(event.clone()) {
                match effect {
                    Effect::Send { to, .. } => {
                        sent += 1;
                        assert!(open.contains(&to));
                    }
                    Effect::Move { to, .. } => {
                        assert_eq!(sent, 1);
                        assert!(open.contains(&to));
                    }
                    Effect::Recall { .. } => panic!("nothing was withdrawn"),
                }
            }
            assert!(sent <= 1);
        }
    }
}
