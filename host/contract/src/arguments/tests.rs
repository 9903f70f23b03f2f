use super::*;

fn fields_of(arguments: Value) -> Vec<String> {
    let wrong = RenderArguments::read(&arguments).unwrap_err();
    wrong.into_iter().map(|error| error.field).collect()
}

#[test]
fn defaults_are_filled_in() {
    let read = RenderArguments::read(&json!({ "source_asset_id": "as_abc" })).unwrap();
    assert_eq!((read.output_format.as_str(), read.resolution.as_str()), ("mp4", "1080p"));
    assert_eq!(read.watermark, Watermark::None);
    assert!(!read.require_watermark_approval, "there is nothing to approve");
    let marked =
        json!({ "source_asset_id": "as_abc", "watermark": { "mode": "text", "text": "x" } });
    let read = RenderArguments::read(&marked).unwrap();
    assert_eq!(
        read.watermark,
        Watermark::Text { text: "x".into(), position: "bottom_right".into() }
    );
    assert!(read.require_watermark_approval);
}

#[test]
fn two_calls_that_mean_the_same_compare_equal() {
    let short = json!({ "source_asset_id": "as_abc", "idempotency_key": "one" });
    let long = json!({
        "source_asset_id": "as_abc", "output_format": "mp4", "resolution": "1080p",
        "watermark": { "mode": "none", "text": "ignored" }, "require_watermark_approval": true,
        "idempotency_key": "two",
    });
    let [short, long] = [short, long].map(|call| RenderArguments::read(&call).unwrap());
    assert_eq!(serde_json::to_value(short).unwrap(), serde_json::to_value(long).unwrap());
}

#[test]
fn a_mode_needs_its_field() {
    let text = json!({ "source_asset_id": "as_abc", "watermark": { "mode": "text" } });
    assert_eq!(fields_of(text), ["watermark.text"]);
    let image =
        json!({ "source_asset_id": "as_abc", "watermark": { "mode": "image", "text": "x" } });
    assert_eq!(fields_of(image), ["watermark.image_asset_id"]);
    let blank =
        json!({ "source_asset_id": "as_abc", "watermark": { "mode": "text", "text": "  " } });
    assert_eq!(fields_of(blank), ["watermark.text"]);
    let wrong = json!({ "source_asset_id": "as_abc", "watermark": { "mode": "text", "text": "" } });
    assert_eq!(fields_of(wrong), ["watermark.text"], "said once");
}

#[test]
fn what_a_repair_passes_on_can_be_called() {
    let call = json!({
        "source_asset_id": "as_abc", "watermark": { "mode": "image", "image_asset_id": "as_img" },
        "idempotency_key": "key",
    });
    let read = RenderArguments::read(&call).unwrap();
    let again = RenderArguments::read(&read.to_arguments()).unwrap();
    assert_eq!(again, RenderArguments { idempotency_key: None, ..read });
}

#[test]
fn the_fallback_tools_read_their_arguments() {
    let status = StatusArguments::read(&json!({ "render_id": "r" })).unwrap();
    assert_eq!(status.wait_ms, 0);
    assert!(StatusArguments::read(&json!({ "render_id": "r", "wait_ms": 45_001 })).is_err());
    assert!(StatusArguments::read(&json!({ "render_id": "r", "wait": 1 })).is_err());
    let answer =
        json!({ "render_id": "r", "approved": false, "feedback": "smaller", "question_id": "q" });
    let answer = ApproveArguments::read(&answer).unwrap();
    assert!(!answer.approved && answer.feedback.as_deref() == Some("smaller"));
    assert!(ApproveArguments::read(&json!({ "render_id": "r" })).is_err());
    assert!(ApproveArguments::read(&json!({ "render_id": "r", "approved": "yes" })).is_err());
    assert_eq!(read_cancel(&json!({ "render_id": "r" })).unwrap(), "r");
    assert!(read_cancel(&json!({})).is_err());
}
