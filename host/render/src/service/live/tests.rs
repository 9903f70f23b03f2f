use super::*;

#[test]
fn nothing_is_kept_of_a_render_that_nobody_looks_at() {
    let live = Live::default();
    let attempt = live.begin("r");
    attempt.teller().tell(Now { fraction: 0.5, message: "Half.".into() });
    assert_eq!(live.now("r").map(|now| now.fraction), Some(0.5));
    let watcher = live.watch("r");
    drop(attempt);
    assert_eq!(live.now("r"), None);
    assert_eq!(live.entries().len(), 1, "somebody watches");
    drop(watcher);
    live.unwatch("r");
    assert!(live.entries().is_empty());
    live.changed("r");
    assert!(live.entries().is_empty());
}

#[tokio::test]
async fn an_attempt_is_stopped_and_watchers_hear_of_changes() {
    let live = Live::default();
    let attempt = live.begin("r");
    let mut watcher = live.watch("r");
    watcher.mark_unchanged();
    live.changed("r");
    watcher.changed().await.unwrap();
    live.stop("other");
    live.stop("r");
    attempt.stopped().await;
}
