//! Renders side by side.

use render::catalogue::Code;
use render::render::{Outcome, Render};
use render::suspension::Suspended;
use stage::model::{Answer, Stage};

use super::workshop::Workshop;

/// Starts a render and demands that it asks.
async fn waiting(workshop: &Workshop, output: &str, hostile: Option<(Stage, &str)>) -> Render {
    let source = workshop.source();
    let request = workshop.request(&source, output);
    let chain = workshop.chain(hostile).await;
    match Render::start(workshop.host.clone(), chain, request).await.unwrap() {
        Outcome::Waiting(render) => *render,
        Outcome::Completed(_) => panic!("the render asks nobody"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_render_waits_nothing_of_its_plugins_lives() {
    let workshop = Workshop::new().await;
    let render = waiting(&workshop, "out.mp4", None).await;
    assert_eq!(workshop.engine.live_instances(), 0);
    let (question, png) = render.question().unwrap();
    assert!(question.text.contains("CONFIDENTIAL"));
    assert!(png.starts_with(b"\x89PNG"));

    // Through its stored form, as another process would take it up.
    let stored = serde_json::to_vec(&render.suspend().await.unwrap()).unwrap();
    drop(render);
    let stored: Suspended = serde_json::from_slice(&stored).unwrap();
    let chain = workshop.chain(None).await;
    let render = Render::restore(workshop.host.clone(), chain, stored).await.unwrap();
    assert_eq!(workshop.engine.live_instances(), 0);
    let Outcome::Completed(report) = render.answer(Answer::Yes).await.unwrap() else {
        panic!("one yes is enough");
    };
    assert_eq!((report.frames, report.watermark_applied), (50, true));
    assert_eq!(workshop.engine.live_instances(), 0);
    assert_eq!(workshop.names(), ["in.mp4", "out.mp4"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_waiting_renders_hold_no_instance() {
    let workshop = Workshop::new().await;
    let mut renders = Vec::new();
    for number in 0..4 {
        renders.push(waiting(&workshop, &format!("{number}.mp4"), None).await);
    }
    assert_eq!(workshop.engine.live_instances(), 0);
    for render in renders {
        assert_eq!(render.answer(Answer::No).await.err().unwrap().code, Code::WatermarkRejected);
    }
    assert_eq!(workshop.names(), ["in.mp4"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_beside_hostile_ones_is_untouched() {
    let workshop = Workshop::new().await;
    let good = waiting(&workshop, "good.mp4", None).await;
    let source = workshop.source();
    let mut hostile = Vec::new();
    for (stage, mode) in [
        (Stage::Encode, "endless_loop"),
        (Stage::Watermark, "memory_hog"),
        (Stage::Watermark, "deep_recursion"),
        (Stage::Watermark, "panic"),
        (Stage::Watermark, "handle_leak"),
        (Stage::Mux, "endless_loop"),
    ] {
        let mut request = workshop.request(&source, &format!("{stage}-{mode}.mp4"));
        request.approval_required = false;
        let chain = workshop.chain(Some((stage, mode))).await;
        let host = workshop.host.clone();
        hostile.push(tokio::spawn(async move {
            (mode, Render::start(host, chain, request).await.err().map(|failure| failure.code))
        }));
    }
    let Outcome::Completed(report) = good.answer(Answer::Yes).await.unwrap() else {
        panic!("one yes is enough");
    };
    assert_eq!((report.frames, report.width, report.height), (50, 1280, 720));
    for render in hostile {
        let (mode, code) = render.await.unwrap();
        assert_eq!(code, Some(Code::PluginFailed), "{mode}");
    }
    assert_eq!(workshop.engine.live_instances(), 0);
    assert_eq!(workshop.names(), ["good.mp4", "in.mp4"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_that_is_given_up_leaves_nothing() {
    let workshop = Workshop::new().await;
    let source = workshop.source();
    let mut request = workshop.request(&source, "out.mp4");
    request.approval_required = false;
    request.resolution = render::request::Resolution::Uhd;
    let work = Render::start(workshop.host.clone(), workshop.chain(None).await, request);
    // Long enough to be encoding, far too short to be done.
    let given_up = tokio::time::timeout(std::time::Duration::from_millis(800), work).await;
    assert!(given_up.is_err());
    assert_eq!(workshop.names(), ["in.mp4"]);
    assert_eq!(workshop.engine.live_instances(), 0);
}
