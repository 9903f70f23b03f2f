use super::*;

const NOW: Millis = Millis(1_000_000);

fn render(status: Status, deadline: Option<u64>) -> OpenRender {
    OpenRender {
        id: "render_1".into(),
        tenant: "here".into(),
        status,
        version: 1,
        deadline: deadline.map(|seconds| NOW.after(Duration::from_secs(seconds))),
        updated: NOW.before(Duration::from_secs(30)),
        expires: NOW.after(Duration::from_hours(24)),
    }
}

fn waits(open: &[(OpenRender, Option<f64>)]) -> Duration {
    wait(open.iter().map(|(render, fraction)| (render, *fraction)), NOW)
}

#[test]
fn a_render_that_runs_ends_as_it_has_come_so_far() {
    // A quarter in half a minute.
    assert_eq!(waits(&[(render(Status::Working, None), Some(0.25))]), Duration::from_secs(90));
    // What has ended meanwhile, or is about to.
    assert_eq!(waits(&[(render(Status::Working, None), Some(1.0))]), SHORTEST);
    assert_eq!(waits(&[]), SHORTEST);
}

#[test]
fn a_render_that_waits_for_a_person_ends_at_its_deadline() {
    let waiting = render(Status::Waiting, Some(120));
    assert_eq!(waits(&[(waiting.clone(), None)]), Duration::from_secs(120));
    let running = (render(Status::Working, None), Some(0.5));
    assert_eq!(waits(&[(waiting, None), running]), Duration::from_secs(30));
}

#[test]
fn where_little_is_known_it_is_asked_again_soon_enough() {
    let hours = Duration::from_hours(2).as_secs();
    for (status, deadline, fraction) in [
        (Status::Queued, None, None),
        (Status::Working, None, None),
        (Status::Working, None, Some(0.0)),
        (Status::Working, None, Some(f64::MIN_POSITIVE)),
        (Status::Waiting, Some(hours), None),
    ] {
        assert_eq!(waits(&[(render(status, deadline), fraction)]), LONGEST, "{status:?}");
    }
}
