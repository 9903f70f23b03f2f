use super::*;

#[tokio::test]
async fn keeps_the_end_of_much() {
    let mut said = vec![b'a'; 10 * KEPT];
    said.extend(b"\nlast words");
    let tail = drain(said.as_slice()).await;
    assert_eq!(tail.len(), KEPT);
    assert!(tail.ends_with("a\nlast words"));
}

#[test]
fn shows_nothing_that_moves_the_cursor_or_turns_the_line() {
    let said = b"\x1b[2Jclear\x07\r50%\r100%\ttab\n\xe2\x80\xaeevil\xe2\x81\xa6\xff\x00end\x9b";
    assert_eq!(sanitise(said), "[2Jclear\n50%\n100%tab\nevil\u{fffd}end\u{fffd}");
}
