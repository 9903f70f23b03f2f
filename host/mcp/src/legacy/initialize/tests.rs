use super::*;
use crate::model::ResourceCapabilities;

#[test]
fn what_is_served_is_echoed_and_anything_else_gets_the_newest() {
    for (asked, agreed) in [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        ("2024-11-05", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("", "2025-11-25"),
    ] {
        assert_eq!(agree(asked), agreed);
    }
}

#[test]
fn tasks_are_declared_as_nested_objects_and_only_where_there_are_tasks() {
    let description = ServerDescription {
        capabilities: Capabilities {
            tools: true,
            tasks: true,
            resources: Some(ResourceCapabilities { subscribe: true, list_changed: true }),
            ..Capabilities::default()
        },
        ..ServerDescription::default()
    };
    let tasks = json!({ "cancel": {}, "requests": { "tools": { "call": {} } } });
    assert_eq!(result("2025-11-25", &description)["capabilities"]["tasks"], tasks);
    assert!(result("2025-06-18", &description)["capabilities"].get("tasks").is_none());
    let none = result("2025-11-25", &ServerDescription::default());
    assert_eq!(none["capabilities"], json!({}));
}
