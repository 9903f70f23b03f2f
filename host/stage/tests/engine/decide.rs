use stage::PluginFault;
use stage::model::{Answer, MuxPlan, Plan, Resumption, Stage, Suspension, Verdict};

use super::plugin::{Parts, engine, job};
use stage::Terms;

const ASK: &str = "(call $suspend (call $question (i32.const 48) (i32.const 14)) (call $plan)
    (i32.const 128) (i32.const 8) (i32.const 3))";

fn plan() -> Plan {
    Plan::Mux(MuxPlan { media_type: "video/mp4".into() })
}

async fn fault(parts: Parts) -> PluginFault {
    let engine = engine();
    let plugin = parts.load(&engine).await;
    let fault = plugin.start(Stage::Mux, &job(), &Terms::default()).await.unwrap_err();
    assert_eq!(engine.live_instances(), 0);
    fault
}

#[tokio::test]
async fn a_decision_comes_with_its_warnings() {
    let parts = Parts::starting(
        "(call $warn (local.get $job) (i32.const 64) (i32.const 8) (i32.const 80) (i32.const 17))",
    );
    let engine = engine();
    let plugin = parts.load(&engine).await;
    let decision = plugin.start(Stage::Mux, &job(), &Terms::default()).await.unwrap();
    assert_eq!(decision.verdict, Verdict::Ready(plan()));
    let [warning] = &decision.warnings[..] else { panic!("{:?}", decision.warnings) };
    assert_eq!((&*warning.code, &*warning.message), ("text_cut", "The text was cut."));
    assert_eq!(engine.live_instances(), 0);
}

#[tokio::test]
async fn a_question_leaves_no_instance_behind_and_its_state_comes_back() {
    // The state must come back as it was: it is `[header]`.
    let resume = "(if (i32.ne (i32.load (i32.load (i32.const 1024))) (i32.load (i32.const 128))) (then unreachable))
        (if (i32.ne (i32.load (i32.const 1028)) (i32.const 8)) (then unreachable))
        (call $ready (local.get $plan))";
    let parts = Parts { verdict: ASK, resume, ..Parts::default() };
    let engine = engine();
    let plugin = parts.load(&engine).await;
    let asked = plugin.start(Stage::Mux, &job(), &Terms::default()).await.unwrap();
    assert_eq!(engine.live_instances(), 0);
    let suspension = Suspension {
        question: "Is this right?".into(),
        confirms: plan(),
        state: b"[header]".to_vec(),
        state_version: 3,
    };
    assert_eq!(asked.verdict, Verdict::Suspend(suspension.clone()));

    let Suspension { confirms, state, state_version, .. } = suspension;
    let resumption = Resumption { answer: Answer::Yes, state, state_version, shown_plan: confirms };
    let decided = plugin.resume(Stage::Mux, &job(), &resumption, &Terms::default()).await.unwrap();
    assert_eq!(decided.verdict, Verdict::Ready(plan()));

    let refused = Resumption { answer: Answer::No, ..resumption };
    let fault = plugin.resume(Stage::Mux, &job(), &refused, &Terms::default()).await.unwrap_err();
    assert!(matches!(fault, PluginFault::Contract { .. }), "{fault}");
}

#[tokio::test]
async fn declared_faults_are_told_apart() {
    let declined = fault(Parts::answering("(call $fault (call $declined))")).await;
    assert!(matches!(declined, PluginFault::Declined), "{declined}");
    let failed =
        fault(Parts::answering("(call $fault (call $failed (i32.const 80) (i32.const 17)))")).await;
    assert_eq!(failed.to_string(), "plugin test-plugin failed: The text was cut.");
}

#[tokio::test]
async fn wrong_arguments_name_the_rule() {
    let raster = |size: &str, rate: &str, rest: &str| {
        let args = [size, rate, rest].join(" ").replace(' ', ") (i32.const ");
        Parts::starting(format!("(drop (call $raster (i32.const {args})))"))
    };
    let warn = |code: &str| {
        Parts::starting(format!(
            "(call $warn (local.get $job) {code} (i32.const 80) (i32.const 17))"
        ))
    };
    let many = "(loop
        (call $warn (local.get $job) (i32.const 64) (i32.const 8) (i32.const 80) (i32.const 17))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if 0 (i32.le_u (local.get $i) (i32.const 32))))";
    for (parts, rule) in [
        (raster("641 480", "25 1", "1 1 1 0"), "even"),
        (raster("640 0", "25 1", "1 1 1 0"), "even"),
        (raster("640 480", "121 1", "1 1 1 0"), "at most 120"),
        (raster("640 480", "25 0", "1 1 1 0"), "rate"),
        (warn("(i32.const 80) (i32.const 8)"), "warning code"),
        (Parts::starting(many), "more than 32 warnings"),
        (Parts::starting("(drop (call $question (i32.const 48) (i32.const 0)))"), "question"),
        // Between the texts there are only zeros, which become spaces.
        (Parts::starting("(drop (call $question (i32.const 42) (i32.const 6)))"), "is empty"),
        (Parts::starting("(drop (call $mux-plan (i32.const 32) (i32.const 0)))"), "media type"),
        (Parts::starting("(drop (call $mux-plan (i32.const 0) (i32.const 65)))"), "media type"),
        (Parts::starting("(drop (call $question (i32.const 0) (i32.const 1025)))"), "1024"),
        (
            Parts::answering("(call $ready (call $from-watermark (call $watermark-plan)))"),
            "plan of the watermark stage",
        ),
        (
            Parts::answering(
                "(call $ready (call $from-mux (call $mux-plan (i32.const 112) (i32.const 10))))",
            ),
            "video/webm",
        ),
    ] {
        match fault(parts).await {
            PluginFault::Contract { plugin, message } => {
                assert_eq!(plugin, "test-plugin");
                assert!(message.contains(rule), "{message}");
            }
            other => panic!("{other}"),
        }
    }
}

#[tokio::test]
async fn a_stage_that_a_plugin_does_not_fill_is_not_asked() {
    let plugin = Parts::default().load(&engine()).await;
    let fault = plugin.start(Stage::Encode, &job(), &Terms::default()).await.unwrap_err();
    assert!(fault.to_string().contains("does not fill the encode stage"), "{fault}");
}
