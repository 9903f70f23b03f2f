use super::*;

#[test]
fn only_what_rises_is_let_through() {
    let rising = Rising::default();
    let said = [0.0, 0.0, 0.5, 0.4, f64::NAN, f64::INFINITY, 0.5, 0.6, 1.0, 1.0];
    let passed: Vec<_> = said.into_iter().filter(|p| rising.passes(*p)).collect();
    assert_eq!(passed, [0.0, 0.5, 0.6, 1.0]);
}

#[test]
fn the_token_keeps_its_type_and_the_task_is_named() {
    let progress = Progress { progress: 0.5, total: None, message: None };
    let token = RequestId::Number(7.into());
    assert_eq!(params(&token, &progress, None), json!({ "progressToken": 7, "progress": 0.5 }));
    let progress = Progress { progress: 1.0, total: Some(2.0), message: Some("m".to_owned()) };
    let related = json!({ "io.modelcontextprotocol/related-task": { "taskId": "t" } });
    assert_eq!(
        params(&RequestId::Text("7".to_owned()), &progress, Some("t")),
        json!({ "progressToken": "7", "progress": 1.0, "total": 2.0, "message": "m", "_meta": related }),
    );
}
