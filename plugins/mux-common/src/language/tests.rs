use super::*;

#[test]
fn anything_but_three_small_letters_is_undetermined() {
    assert_eq!(Language::new(Some("deu")).letters(), *b"deu");
    for code in [None, Some("de"), Some("DEU"), Some("d\u{e9}"), Some("de-CH"), Some("")] {
        assert_eq!(Language::new(code).letters(), *b"und", "{code:?}");
    }
}
