use super::*;
use crate::schema;

fn fields(arguments: Value) -> Vec<String> {
    let found = check(&schema::RENDER_INPUT, &arguments);
    found.into_iter().map(|error| error.field).collect()
}

#[test]
fn good_arguments_have_no_errors() {
    assert!(fields(json!({ "source_asset_id": "as_abc" })).is_empty());
    let all = json!({
        "source_asset_id": "as_9f2", "output_format": "webm", "resolution": "4k",
        "watermark": { "mode": "text", "text": "x", "position": "center" },
        "require_watermark_approval": false, "idempotency_key": "k",
    });
    assert!(fields(all).is_empty());
}

#[test]
fn every_wrong_field_is_named() {
    let wrong = json!({
        "output_format": "avi",
        "watermark": { "mode": "text", "text": "", "colour": "red" },
        "more": 1,
    });
    let mut found = fields(wrong);
    found.sort();
    let expected =
        ["more", "output_format", "source_asset_id", "watermark.colour", "watermark.text"];
    assert_eq!(found, expected);
}

#[test]
fn arguments_that_are_no_object_are_wrong_as_a_whole() {
    for arguments in [json!(null), json!([]), json!("x"), json!(7)] {
        assert_eq!(fields(arguments), [""]);
    }
}

#[test]
fn the_failure_names_the_first_and_lists_all() {
    let wrong = json!({ "source_asset_id": 7, "resolution": "8k" });
    let found = check(&schema::RENDER_INPUT, &wrong);
    let failure = failure(&found).unwrap();
    assert_eq!(failure.code, Code::InvalidField);
    assert_eq!(failure.details["fields"].as_array().unwrap().len(), 2);
    assert_eq!(failure.details["field"], failure.details["fields"][0]["field"]);
    assert!(super::failure(&[]).is_none());
}

#[test]
fn endless_values_do_not_make_endless_reasons() {
    let wrong = json!({ "source_asset_id": "x".repeat(1 << 20) });
    let found = check(&schema::RENDER_INPUT, &wrong);
    assert!(found[0].reason.chars().count() <= MAX_REASON + 1);
    let many: serde_json::Map<String, Value> =
        (0..1000).map(|n| (format!("f{n}"), json!(1))).collect();
    assert!(check(&schema::RENDER_INPUT, &Value::Object(many)).len() <= MAX_FIELDS);
}
