use super::*;

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Looks at each time and progress in turn and gives the last verdict.
fn after(dog: Watchdog, looks: &[(u64, u64)]) -> Verdict {
    let mut dog = dog;
    let mut verdict = Verdict::Fine;
    for (now, progress) in looks {
        assert_eq!(verdict, Verdict::Fine, "the case goes on after a verdict");
        (dog, verdict) = dog.look(seconds(*now), *progress);
    }
    verdict
}

/// Name, stall limit, deadline, looks, and the verdict at the last of them.
type Case = (&'static str, Option<Duration>, Option<Duration>, &'static [(u64, u64)], Verdict);

#[test]
fn table() {
    let stall = Some(seconds(10));
    let deadline = Some(seconds(100));
    let stalled = Verdict::Stalled { limit: seconds(10) };
    let overdue = Verdict::Overdue { limit: seconds(100) };
    let cases: &[Case] = &[
        ("nothing yet", stall, deadline, &[(9, 0)], Verdict::Fine),
        ("never began", stall, deadline, &[(10, 0)], stalled),
        ("progress resets", stall, deadline, &[(9, 1), (18, 2), (27, 2)], Verdict::Fine),
        ("stopped", stall, deadline, &[(9, 1), (18, 1), (19, 1)], stalled),
        ("late look sees progress", stall, deadline, &[(50, 5), (59, 5)], Verdict::Fine),
        ("going back is none", stall, deadline, &[(5, 9), (9, 3), (14, 9), (15, 9)], stalled),
        ("deadline in spite of progress", stall, deadline, &[(99, 1), (100, 2)], overdue),
        ("deadline before stall", stall, deadline, &[(95, 1), (105, 1)], overdue),
        ("no stall limit", None, deadline, &[(99, 0)], Verdict::Fine),
        ("no deadline", stall, None, &[(1_000, 1), (1_009, 1)], Verdict::Fine),
        ("no limit", None, None, &[(1_000_000, 0)], Verdict::Fine),
        ("clock stands still", stall, deadline, &[(9, 1), (9, 1), (9, 1)], Verdict::Fine),
    ];
    for (name, stall, deadline, looks, expected) in cases {
        assert_eq!(after(Watchdog::new(*stall, *deadline), looks), *expected, "{name}");
    }
}

#[test]
fn looks_often_enough_and_not_too_often() {
    let interval = |stall, deadline| Watchdog::new(stall, deadline).interval();
    assert_eq!(interval(None, None), seconds(1));
    assert_eq!(interval(Some(seconds(60)), None), seconds(1));
    assert_eq!(interval(Some(seconds(60)), Some(seconds(5))), Duration::from_millis(500));
    assert_eq!(interval(Some(Duration::ZERO), None), Duration::from_millis(10));
}
