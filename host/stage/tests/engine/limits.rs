use std::cell::Cell;

use stage::model::Stage;
use stage::{Grants, LimitKind, Limits, PluginFault, ReadGrant, Terms};

use super::plugin::{Parts, READY, engine, job, limited};

async fn fault(parts: Parts, limits: Limits) -> PluginFault {
    let engine = engine();
    let plugin = parts.load(&engine).await;
    let fault = plugin.start(Stage::Mux, &job(), &limited(limits)).await.unwrap_err();
    assert_eq!(engine.live_instances(), 0);
    fault
}

/// Which limit stopped a plugin that starts so, what was allowed and what it came to.
async fn stopped(start: &str, limits: Limits) -> (LimitKind, u64, u64) {
    match fault(Parts::starting(start), limits).await {
        PluginFault::Limit { plugin, limit, allowed, used, .. } => {
            assert_eq!(plugin, "test-plugin");
            (limit, allowed, used)
        }
        other => panic!("{other}"),
    }
}

const ENDLESS: &str = "(loop (br 0))";

#[tokio::test]
async fn an_endless_loop_is_stopped() {
    let limits = Limits { plugin_time_ms: 50, ..Limits::default() };
    assert_eq!(stopped(ENDLESS, limits).await, (LimitKind::Time, 50, 60));
}

#[tokio::test]
async fn the_clock_on_the_wall_stops_as_well() {
    let limits = Limits { plugin_time_ms: 60_000, wall_time_ms: 50, ..Limits::default() };
    assert_eq!(stopped(ENDLESS, limits).await, (LimitKind::WallTime, 50, 50));
}

// One thread for both: the one that is asked beside the endless one waits for no more than a tick.
#[tokio::test]
async fn a_plugin_beside_an_endless_one_is_served() {
    let engine = engine();
    let endless = Parts::starting(ENDLESS).load(&engine).await;
    let good = Parts::default().load(&engine).await;
    let (job, terms, ended) = (job(), Terms::default(), Cell::new(false));
    let endless = async {
        let fault = endless.start(Stage::Mux, &job, &terms).await.unwrap_err();
        ended.set(true);
        fault
    };
    let beside = async {
        for _ in 0..3 {
            good.start(Stage::Mux, &job, &terms).await.unwrap();
        }
        ended.get()
    };
    let (fault, waited) = tokio::join!(endless, beside);
    assert!(matches!(fault, PluginFault::Limit { limit: LimitKind::Time, .. }), "{fault}");
    assert!(!waited, "the good plugin had to wait for the endless one to be stopped");
}

#[tokio::test]
async fn a_memory_hog_is_stopped() {
    let grow = "(loop (drop (memory.grow (i32.const 16))) (br 0))";
    let limits = Limits { memory_bytes: 4 << 20, ..Limits::default() };
    let (limit, allowed, used) = stopped(grow, limits).await;
    assert_eq!((limit, allowed), (LimitKind::Memory, 4 << 20));
    assert!(used > allowed && used <= allowed + (1 << 20), "{used}");
}

#[tokio::test]
async fn a_plugin_that_begins_too_large_is_stopped() {
    let limits = Limits { memory_bytes: 64 << 10, ..Limits::default() };
    assert_eq!(stopped("", limits).await.0, LimitKind::Memory);
}

#[tokio::test]
async fn deep_recursion_is_stopped() {
    let (limit, allowed, _) = stopped("(drop (call $deep (i32.const 0)))", Limits::default()).await;
    assert_eq!((limit, allowed), (LimitKind::Stack, 512 << 10));
}

#[tokio::test]
async fn recursion_on_a_stack_of_the_plugins_own_is_explained() {
    let start = Parts::starting("(call $deep-in-memory (i32.const 65532))");
    match fault(start, Limits::default()).await {
        PluginFault::Trap { message, .. } => assert!(message.contains("recursion"), "{message}"),
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn a_leak_of_handles_is_stopped() {
    let leak = "(loop (drop (call $question (i32.const 48) (i32.const 14))) (br 0))";
    let limits = Limits { handles: 100, ..Limits::default() };
    assert_eq!(stopped(leak, limits).await, (LimitKind::Handles, 100, 101));
    // The plugin's own handles count as well.
    let leak = "(loop (drop (call $new-muxer (i32.const 1))) (br 0))";
    let limits = Limits { handles: 100, ..Limits::default() };
    assert_eq!(stopped(leak, limits).await, (LimitKind::Handles, 100, 101));
}

#[tokio::test]
async fn an_oversized_state_is_stopped() {
    let suspend = "(drop (call $suspend (call $question (i32.const 48) (i32.const 14)) (call $plan)
        (i32.const 0) (i32.const 65537) (i32.const 1)))";
    let limits = Limits { state_bytes: 64 << 10, ..Limits::default() };
    assert_eq!(stopped(suspend, limits).await, (LimitKind::State, 65536, 65537));
}

#[tokio::test]
async fn pictures_without_end_are_stopped() {
    let draw = "(loop (drop (call $image (i32.const 64) (i32.const 64))) (br 0))";
    let limits = Limits { image_bytes: 100_000, ..Limits::default() };
    assert_eq!(stopped(draw, limits).await, (LimitKind::Images, 100_000, 7 * 16384));
}

#[tokio::test]
async fn too_much_in_one_call_is_stopped() {
    let write = "(drop (memory.grow (i32.const 300)))
        (call $write-rect (call $image (i32.const 1) (i32.const 1)) (i32.const 0) (i32.const 0)
            (i32.const 1) (i32.const 1) (i32.const 0) (i32.const 17000000))";
    let (limit, allowed, _) = stopped(write, Limits::default()).await;
    assert_eq!((limit, allowed), (LimitKind::Call, 16 << 20));
}

#[tokio::test]
async fn a_crash_tells_the_last_words() {
    let die =
        "(call $print (call $stderr) (i32.const 144) (i32.const 6) (i32.const 1040)) unreachable";
    match fault(Parts::starting(die), Limits::default()).await {
        PluginFault::Trap { message, backtrace, .. } => {
            assert!(message.contains("unreachable") && message.ends_with("oh no"), "{message}");
            assert!(!backtrace.is_empty());
        }
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn an_exit_is_no_answer() {
    match fault(Parts::starting("(call $exit (i32.const 1))"), Limits::default()).await {
        PluginFault::Exit { code: 1, plugin } => assert_eq!(plugin, "test-plugin"),
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn endless_logging_costs_only_time() {
    let talk =
        "(loop (call $print (call $stderr) (i32.const 144) (i32.const 6) (i32.const 1040)) (br 0))";
    let limits =
        Limits { plugin_time_ms: 50, log_bytes: 60, handles: 1 << 20, ..Limits::default() };
    assert_eq!(stopped(talk, limits).await.0, LimitKind::Time);
}

#[tokio::test]
async fn a_limit_fault_is_one_sentence_with_both_numbers() {
    let limits = Limits { plugin_time_ms: 20, ..Limits::default() };
    assert_eq!(
        fault(Parts::starting(ENDLESS), limits).await.to_string(),
        "plugin test-plugin passed its plugin_time limit: 20 ms are allowed, it came to 30"
    );
}

#[tokio::test]
async fn a_grant_that_is_not_there_is_the_hosts_fault() {
    let plugin = Parts::answering(READY).load(&engine()).await;
    let grant = ReadGrant { host: "/no/such/directory".into(), guest: "/fonts".into() };
    let terms = Terms { grants: Grants { read_only: vec![grant] }, ..Terms::default() };
    let fault = plugin.start(Stage::Mux, &job(), &terms).await.unwrap_err();
    assert!(
        matches!(&fault, PluginFault::Host { message } if message.contains("/no/such")),
        "{fault}"
    );
}

#[tokio::test]
async fn a_plugin_sees_the_directories_that_were_granted_and_changes_nothing() {
    // Traps unless there is exactly one directory, in which no other can be made.
    let one = "(call $get-directories (i32.const 1040))
        (if (i32.ne (i32.load (i32.const 1044)) (i32.const 1)) (then unreachable))
        (call $create-directory-at (i32.load (i32.load (i32.const 1040)))
            (i32.const 0) (i32.const 4) (i32.const 1056))
        (if (i32.eqz (i32.load8_u (i32.const 1056))) (then unreachable))";
    let plugin = Parts::starting(one).load(&engine()).await;
    let dir = tempfile::tempdir().unwrap();
    let grant = ReadGrant { host: dir.path().to_owned(), guest: "/fonts".into() };
    let terms = Terms { grants: Grants { read_only: vec![grant] }, ..Terms::default() };
    plugin.start(Stage::Mux, &job(), &terms).await.unwrap();
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);

    let without = plugin.start(Stage::Mux, &job(), &Terms::default()).await;
    assert!(matches!(without, Err(PluginFault::Trap { .. })), "there was a directory: {without:?}");
}

#[test]
fn unknown_keys_in_terms_are_refused() {
    let parse = |text: &str| serde_json::from_str::<Terms>(text);
    assert_eq!(parse("{}").unwrap(), Terms::default());
    assert_eq!(parse(r#"{"limits": {"handles": 3}}"#).unwrap().limits.handles, 3);
    for text in [r#"{"limit": {}}"#, r#"{"limits": {"handle": 3}}"#, r#"{"grants": {"rw": []}}"#] {
        assert!(parse(text).is_err(), "{text}");
    }
}
