use super::*;

#[test]
fn the_fingerprint_has_its_form_and_stays_the_same() {
    let fingerprint = fingerprint("1.2.3");
    let hash = fingerprint.strip_prefix("video-render-mcp@1.2.3+").unwrap();
    assert!(hash.len() == 7 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash}");
    assert_eq!(super::fingerprint("1.2.3"), fingerprint);
}

#[test]
fn the_summary_is_honest_about_its_names() {
    let text = whole("0.1.0", "http://127.0.0.1/assets").to_string();
    for tool in tools::all() {
        assert!(text.contains(tool.name) || INSTRUCTIONS.contains(tool.name), "{}", tool.name);
    }
    assert!(INSTRUCTIONS.contains(URI));
}

#[test]
fn an_agent_learns_how_an_upload_goes_on() {
    let summary = whole("0.1.0", "http://127.0.0.1/assets");
    let resume = &summary["uploads"]["resume"];
    let begin = resume["begin"].as_str().unwrap();
    assert!(begin.starts_with("POST http://127.0.0.1/assets?sha256=HEX"), "{begin}");
    let ask = resume["ask"].as_str().unwrap();
    assert!(ask.starts_with("GET http://127.0.0.1/assets/uploads/HEX "), "{ask}");
    assert!(resume["go_on"].as_str().unwrap().contains("&offset=N"), "{resume}");
}
