use serde_json::json;

use super::*;

fn schema() -> Schema {
    Schema::parse(
        &json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "quality": { "type": "number", "minimum": 0, "maximum": 51, "default": 20 },
                "preset": { "enum": ["fast", "slow"], "default": "fast" },
                "margin": {
                    "type": "object",
                    "properties": { "x": { "type": "integer", "default": 1 } },
                    "default": {}
                }
            }
        })
        .to_string(),
    )
    .unwrap()
}

#[test]
fn defaults_are_filled_in_and_what_is_given_stays() {
    let all = json!({"quality": 20, "preset": "fast", "margin": {}});
    assert_eq!(schema().check(&Value::Null).unwrap(), all);
    assert_eq!(
        schema().check(&json!({"preset": "slow", "margin": {}})).unwrap(),
        json!({"quality": 20, "preset": "slow", "margin": {"x": 1}})
    );
}

#[test]
fn what_does_not_fit_is_named() {
    let wrong = [
        (json!({"quality": 52}), "/quality"),
        (json!({"preset": "medium"}), "/preset"),
        (json!({"margin": {"x": "wide"}}), "/margin/x"),
        (json!({"presset": "fast"}), ""),
        (json!([1]), ""),
    ];
    for (given, pointer) in wrong {
        let error = schema().check(&given).unwrap_err();
        assert_eq!(error.pointer, pointer, "{given}");
        assert!(!error.message.is_empty());
    }
}

#[test]
fn only_schemas_of_objects_with_defaults_are_taken() {
    let wrong = [
        "",
        "[]",
        "true",
        r#"{"properties": {}}"#,
        r#"{"type": "array"}"#,
        r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#,
        r#"{"type": "object", "properties": {"a": {"type": "string", "default": 1}}}"#,
        r#"{"type": "object", "minProperties": "many"}"#,
        r#"{"type": "object", "$ref": "https://example.org/schema"}"#,
        r#"{"type": "object", "required": ["a"]}"#,
    ];
    for text in wrong {
        assert!(Schema::parse(text).is_err(), "{text}");
    }
    assert!(Schema::parse(r#"{"type": "object"}"#).is_ok());
}

#[test]
fn a_plugin_without_parameters_takes_none() {
    assert_eq!(check_none(&Value::Null).unwrap(), json!({}));
    assert_eq!(check_none(&json!({})).unwrap(), json!({}));
    assert!(check_none(&json!({"a": 1})).is_err());
}
