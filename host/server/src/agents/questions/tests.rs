use super::*;

fn at(seconds: u64) -> Millis {
    Millis(seconds * 1000)
}

#[test]
fn a_question_is_put_at_most_three_times_a_minute_apart() {
    let questions = Questions::default();
    for (round, now) in [(1, 0), (2, 100), (3, 200)] {
        let key = questions.key("q", Look::Attend, at(now)).unwrap();
        assert_eq!(key, format!("q#{round}"));
        assert_eq!(Questions::question(&key), "q");
        questions.dismissed(&key, at(now));
        assert_eq!(questions.key("q", Look::Attend, at(now + 59)), None, "too early");
        assert_eq!(
            questions.key("q", Look::Glance, at(now + 99)),
            None,
            "only who attends is asked"
        );
    }
    assert_eq!(questions.key("q", Look::Attend, at(10_000)), None, "often enough");
    assert_eq!(questions.key("other", Look::Glance, at(0)).as_deref(), Some("other#1"));
}

#[test]
fn a_late_dismissal_of_an_earlier_form_closes_nothing() {
    let questions = Questions::default();
    questions.dismissed("q#1", at(0));
    assert_eq!(questions.key("q", Look::Attend, at(60)).as_deref(), Some("q#2"));
    questions.dismissed("q#1", at(61));
    assert_eq!(questions.key("q", Look::Glance, at(62)).as_deref(), Some("q#2"));
    questions.answered("q");
    assert!(questions.0.lock().unwrap().is_empty());
}
