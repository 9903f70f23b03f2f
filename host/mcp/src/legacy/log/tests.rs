use super::*;

fn message(text: &str, last: bool) -> Payload {
    Payload::Message { text: text.into(), last }
}

fn opened() -> Payload {
    Payload::Opened(Opening { request: RequestId::Number(1.into()), wait: None })
}

struct Test {
    log: Log,
    now: Timestamp,
}

impl Test {
    fn new(max_bytes: usize) -> Self {
        Self { log: Log::new(max_bytes, 2), now: Timestamp(1000) }
    }

    fn open(&mut self) -> u64 {
        let seq = self.log.number(self.now);
        self.log.append(Place { stream: seq, seq }, self.now, opened(), false);
        seq
    }

    fn say(&mut self, stream: u64, text: &str, last: bool, passing: bool) -> (u64, Vec<u64>) {
        let seq = self.log.number(self.now);
        let place = Place { stream, seq };
        (seq, self.log.append(place, self.now, message(text, last), passing))
    }

    fn read(&mut self, stream: u64, mut seq: u64) -> Vec<String> {
        let (generation, _) = self.log.attach(Place { stream, seq }, Instant::now());
        let mut texts = Vec::new();
        while let Next::Message(at, text) =
            self.log.next(Place { stream, seq }, generation, Instant::now())
        {
            seq = at;
            texts.push(text.to_string());
        }
        texts
    }
}

#[test]
fn a_stream_is_read_from_any_of_its_events_and_holds_nothing_of_another() {
    let mut test = Test::new(1 << 20);
    let (one, two) = (test.open(), test.open());
    let mut places = vec![one];
    for n in 0..4 {
        places.push(test.say(one, &format!("one {n}"), n == 3, false).0);
        test.say(two, "two", false, false);
    }
    for (n, place) in places.iter().enumerate() {
        let rest: Vec<_> = (n..4).map(|n| format!("one {n}")).collect();
        let resumable = if n == 4 { Resumable::Complete } else { Resumable::Yes };
        assert_eq!(test.log.resumable(Place { stream: one, seq: *place }, test.now), resumable);
        assert_eq!(test.read(one, *place), rest);
    }
    let last = *places.last().unwrap();
    assert_eq!(
        test.log.resumable(Place { stream: last, seq: last }, test.now),
        Resumable::No,
        "no stream"
    );
    assert_eq!(
        test.log.resumable(Place { stream: one, seq: 1 }, test.now),
        Resumable::No,
        "before it"
    );
    assert_eq!(
        test.log.resumable(Place { stream: one, seq: u64::MAX }, test.now),
        Resumable::No,
        "to come"
    );
}

#[test]
fn numbers_rise_over_a_restart() {
    let mut before = Log::new(1000, 2);
    let old: Vec<_> = (0..500).map(|_| before.number(Timestamp(1000))).collect();
    assert!(old.is_sorted_by(|a, b| a < b));
    assert!(Log::new(1000, 2).number(Timestamp(1002)) > *old.last().unwrap());
}

#[test]
fn the_log_is_bounded_and_what_was_lost_cannot_be_resumed() {
    let mut test = Test::new(1000);
    let (one, two) = (test.open(), test.open());
    let (first, _) = test.say(one, "first", false, false);
    let (_, dropped) = test.say(two, &"x".repeat(900), false, false);
    assert_eq!(dropped, [one, two, first]);
    assert_eq!(test.log.resumable(Place { stream: one, seq: one }, test.now), Resumable::No);
    let (generation, _) = test.log.attach(Place { stream: one, seq: one }, Instant::now());
    let lagging = test.log.next(Place { stream: one, seq: one }, generation, Instant::now());
    assert_eq!(lagging, Next::Left, "a reader never misses an event unnoticed");
    assert_eq!(test.read(one, first), Vec::<String>::new(), "who had read it goes on");
    test.say(one, &"y".repeat(5000), true, false);
    assert_eq!(test.read(one, first)[0].len(), 5000, "the newest stays whatever its size");
}

#[test]
fn passing_events_are_a_ring_of_their_own() {
    let mut test = Test::new(1 << 20);
    let one = test.open();
    test.say(one, "stays", false, false);
    for n in 0..5 {
        assert!(test.say(one, &n.to_string(), false, true).1.is_empty());
    }
    assert_eq!(test.read(one, one), ["stays", "3", "4"]);
}

#[test]
fn old_events_are_forgotten_and_ended_streams_with_them() {
    let mut test = Test::new(1 << 20);
    let one = test.open();
    let (said, _) = test.say(one, "said", true, false);
    test.now = Timestamp(2000);
    assert_eq!(test.log.forget(Timestamp(1500)), [one, said]);
    assert_eq!(test.log.streams.len(), 1, "only the standalone stream is left");
    assert_eq!(test.log.resumable(Place { stream: STANDALONE, seq: 5 }, test.now), Resumable::Yes);
    let never = Place { stream: STANDALONE, seq: u64::MAX };
    assert_eq!(test.log.resumable(never, test.now), Resumable::No);
}

#[test]
fn only_the_newest_connection_reads() {
    let mut test = Test::new(1 << 20);
    let one = test.open();
    let place = Place { stream: one, seq: one };
    let (old, _) = test.log.attach(place, Instant::now());
    let (new, _) = test.log.attach(place, Instant::now());
    test.say(one, "said", false, false);
    assert_eq!(test.log.next(place, old, Instant::now()), Next::Left);
    assert!(matches!(test.log.next(place, new, Instant::now()), Next::Message(..)));
    assert!(!test.log.detach(one, Some(old)), "the old one cannot take the new one with it");
    assert!(test.log.attached(one));
    assert!(test.log.detach(one, Some(new)));
    assert!(!test.log.attached(one));
}

#[test]
fn a_reader_that_leaves_events_unread_is_noticed() {
    let mut test = Test::new(1 << 20);
    let one = test.open();
    test.log.attach(Place { stream: one, seq: one }, Instant::now());
    let later = Instant::now() + std::time::Duration::from_secs(60);
    assert!(test.log.stalled(later).is_empty(), "an idle stream is not stalled");
    test.say(one, "said", false, false);
    assert_eq!(test.log.stalled(later), [one]);
    assert!(test.log.stalled(Instant::now() - std::time::Duration::from_secs(60)).is_empty());
}

#[test]
fn what_was_stored_is_restored_and_what_was_open_is_named() {
    let opening = Opening {
        request: RequestId::Text("r".to_owned()),
        wait: Some(Wait { task: "t".to_owned(), token: Some(RequestId::Number(3.into())) }),
    };
    let records: Vec<_> = [
        (10, 10, Payload::Opened(opening.clone())),
        (10, 11, message("a", false)),
        (20, 20, opened()),
        (20, 21, message("b", true)),
        (30, 30, opened()),
        (30, 31, Payload::Closed),
    ]
    .into_iter()
    .map(|(stream, seq, payload)| EventRecord {
        place: Place { stream, seq },
        at: Timestamp(1),
        payload: serde_json::to_string(&payload).unwrap(),
    })
    .collect();
    let mut test = Test::new(1 << 20);
    assert_eq!(test.log.restore(&records), [(10, opening)]);
    assert_eq!(test.read(20, 20), ["b"]);
    assert_eq!(test.log.newest(), 31);
}

#[test]
fn event_ids_are_read_as_they_are_written_and_nothing_else_is() {
    let place = Place { stream: 12, seq: 345 };
    assert_eq!(read_event_id(&event_id(place)), Some(place));
    for text in ["", "-", "1", "1-", "-1", "+1-2", "01-2", "1-2-3", "1-99999999999999999999", "a-b"]
    {
        assert_eq!(read_event_id(text), None, "{text}");
    }
}
