use super::*;

fn message(text: &str) -> String {
    match check(text) {
        Err(Fault::InvalidField { field, message }) => {
            assert_eq!(field, "watermark.text");
            message
        }
        other => panic!("{text:?} gave {other:?}"),
    }
}

#[test]
fn white_space_around_a_text_does_not_matter() {
    assert_eq!(check("  CONFIDENTIAL \n"), Ok("CONFIDENTIAL"));
}

#[test]
fn nothing_to_draw_is_refused() {
    assert!(message("").contains("empty"));
    assert!(message(" \t\u{a0}\u{3000}").contains("empty"));
}

#[test]
fn length_is_counted_in_characters() {
    assert!(check(&"é".repeat(200)).is_ok());
    assert!(message(&"x".repeat(10_000)).contains("10000"));
}

#[test]
fn commands_are_refused_by_name() {
    assert!(message("a\nb\u{7}").ends_with("U+000A, U+0007."));
    assert!(message("abc\u{202e}def\u{202e}").ends_with(": U+202E."));
    assert!(check("a\u{200f}b\u{200d}").is_ok());
}
