use super::*;
use crate::schema;

#[test]
fn every_code_makes_an_envelope_that_fits_both_output_schemas() {
    for code in Code::ALL {
        let failure = Failure::new(*code, "A sentence.").with("key", 1);
        let repair = Repair::call("poll", "video_get_render_status", json!({ "render_id": "r" }));
        for envelope in [
            Envelope::new(failure.clone()),
            Envelope::new(failure).retry_after_ms(5).repair(repair),
        ] {
            let json = envelope.to_json("7", "video-render-mcp@0+abc");
            assert!(schema::RENDER_OUTPUT.accepts(&json), "{json}");
            assert!(schema::STATUS_OUTPUT.accepts(&json), "{json}");
            assert!(json.get("retry_after_ms").is_some() && json["request_id"].is_string());
        }
    }
}

#[test]
fn what_is_wrong_with_the_server_is_told_to_its_operator_only() {
    let secret =
        Failure::new(Code::ConfigInvalid, "The file /srv/secret is wrong.").with("path", "/srv");
    let json = Envelope::new(secret).to_json("1", "f");
    assert_eq!(json["code"], "internal");
    assert!(!json.to_string().contains("/srv"), "{json}");
    let internal = Failure::new(Code::Internal, "reading /srv/x failed");
    assert!(!Envelope::new(internal).to_json("1", "f").to_string().contains("/srv"));
}
