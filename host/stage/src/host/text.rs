//! The forms that the contract gives to texts.

use crate::fault::{Stop, ensure};

/// The most bytes of a name, code or codec.
const NAME_BYTES: usize = 64;

/// The most bytes of a sentence.
const SENTENCE_BYTES: usize = 1024;

/// A name of at most 64 bytes.
pub(super) fn short(what: &str, text: String) -> Result<String, Stop> {
    ensure(!text.is_empty() && text.len() <= NAME_BYTES, || {
        format!("{what} has {} bytes, 1 to {NAME_BYTES} are allowed", text.len())
    })?;
    Ok(text)
}

/// A sentence of at most 1024 bytes, without control characters.
pub(super) fn sentence(what: &str, text: &str) -> Result<String, Stop> {
    ensure(text.len() <= SENTENCE_BYTES, || {
        format!("{what} has {} bytes, {SENTENCE_BYTES} are allowed", text.len())
    })?;
    Ok(plain(text))
}

/// The text cut to what a sentence may have, without control characters.
pub(super) fn cut_sentence(text: &str) -> String {
    cut(plain(text), SENTENCE_BYTES)
}

/// The text cut to what a name may have, without control characters.
pub(super) fn cut_name(text: &str) -> String {
    cut(plain(text), NAME_BYTES)
}

/// The text with a space for each character that could steer a terminal or begin a line.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The text cut to whole characters within so many bytes.
pub(super) fn cut(mut text: String, bytes: usize) -> String {
    text.truncate(text.floor_char_boundary(bytes));
    text
}

/// Whether the text is made of lower-case words (letters and digits, a letter first) with this
/// between them.
pub(super) fn is_words(text: &str, between: char) -> bool {
    let is_word = |word: &str| {
        word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()) && !word.is_empty()
    };
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.split(between).all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_lower_case_and_never_empty() {
        for good in ["a", "mux-isobmff", "a1-2b"] {
            assert!(is_words(good, '-'), "{good}");
        }
        for bad in ["", "-", "a-", "-a", "a--b", "A", "a_b", "1a", "ä", "a b"] {
            assert!(!is_words(bad, '-'), "{bad}");
        }
    }

    #[test]
    fn texts_for_people_cannot_steer_a_terminal() {
        let text = "a\u{1b}[31m\r\nb\u{9b}\u{7f}\0\té";
        let plain = "a [31m  b    é";
        assert_eq!(sentence("a text", text).unwrap(), plain);
        assert_eq!((cut_sentence(text), cut_name(text)), (plain.into(), plain.into()));
        assert_eq!(cut_name(&"\u{9b}".repeat(65)), " ".repeat(64));
    }

    #[test]
    fn cutting_keeps_characters_whole() {
        assert_eq!(cut("aé".into(), 2), "a");
        assert_eq!(cut("aé".into(), 3), "aé");
    }
}
