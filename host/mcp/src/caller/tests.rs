use serde_json::json;

use super::*;

#[test]
fn elicitation_is_read_as_the_revision_means_it() {
    for (revision, elicitation, form, url) in [
        ("2025-11-25", json!({}), true, false),
        ("2025-11-25", json!({ "form": {} }), true, false),
        ("2025-11-25", json!({ "url": {} }), false, true),
        ("2025-11-25", json!({ "form": {}, "url": {} }), true, true),
        ("2025-11-25", json!(true), false, false),
        ("2025-11-25", json!(null), false, false),
        ("2025-06-18", json!({}), true, false),
        ("2025-06-18", json!({ "form": {}, "url": {} }), true, false),
        ("2025-03-26", json!({}), false, false),
    ] {
        let said = json!({ "capabilities": { "elicitation": elicitation } });
        let facts = ClientFacts::read(revision, &said);
        assert_eq!(
            (facts.elicitation_form, facts.elicitation_url),
            (form, url),
            "{revision} {said}"
        );
    }
}

#[test]
fn a_client_that_says_nothing_can_nothing() {
    let facts = ClientFacts::read("2025-11-25", &json!({ "clientInfo": { "name": "n" } }));
    assert_eq!(facts.name, "n");
    assert!(!facts.sampling && !facts.elicitation_form && facts.tasks);
}
