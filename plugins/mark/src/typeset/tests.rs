use super::*;

const RIGHT: Anchor = Anchor { x: 1.0, y: 1.0 };

fn set(text: &str, font_size: f32, room: (u32, u32)) -> Result<Typeset, Fault> {
    typeset(text, RIGHT, font_size, Size::new(room.0, room.1))
}

fn size(text: &str) -> Size {
    set(text, 40.0, (2000, 1000)).expect("is drawn").ink.size()
}

#[test]
fn latin_arabic_and_hebrew_have_glyphs() {
    for text in [
        "CONFIDENTIAL",
        "Ünïcödé №5 — Ωμέγα Привет",
        "سري للغاية",
        "סודי ביותר",
        "© مثال 2026 דוגמה",
    ] {
        let set = set(text, 40.0, (2000, 1000)).expect("is drawn");
        assert!(!set.ink.is_empty(), "{text}");
        assert_eq!(set.font_size, 40.0);
    }
}

#[test]
fn arabic_letters_join() {
    // Apart, the same letters take more room than in a word.
    let apart: u32 = "سري".chars().map(|letter| size(&letter.to_string()).width).sum();
    assert!(size("سري").width < apart);
}

#[test]
fn right_to_left_text_starts_at_the_right() {
    let dot_side = |text: &str| {
        let ink = set(text, 60.0, (2000, 1000)).expect("is drawn").ink;
        let size = ink.size();
        // A stop reaches only the lowest part of the line.
        let upper: Vec<u8> = ink.pixels().take((size.width * size.height / 2) as usize).collect();
        let first = upper.chunks(size.width as usize).filter(|row| row[..8].iter().any(|b| *b > 0));
        first.count() == 0
    };
    assert!(dot_side("שלום."), "the stop ends Hebrew on the left");
    assert!(!dot_side("Hill."), "and English on the right");
}

#[test]
fn characters_without_a_glyph_are_named() {
    let Err(Fault::InvalidField { field, message }) = set("a漢b🎬漢", 40.0, (2000, 1000))
    else {
        panic!("drawn as boxes");
    };
    assert_eq!(field, "watermark.text");
    assert!(message.ends_with("U+6F22, U+1F3AC."), "{message}");
}

#[test]
fn long_texts_are_wrapped_and_then_made_smaller() {
    let text = "All of these words must be seen by whoever looks. ".repeat(4);
    let wrapped = set(text.trim(), 30.0, (900, 400)).expect("fits in lines");
    assert_eq!(wrapped.font_size, 30.0);
    assert!(wrapped.ink.size().height > 100 && wrapped.ink.size().width <= 900);

    let smaller = set(text.trim(), 30.0, (300, 100)).expect("fits when smaller");
    assert!(smaller.font_size < 30.0);
    assert!(smaller.ink.size().width <= 300 && smaller.ink.size().height <= 100);

    let word = "W".repeat(200);
    let broken = set(&word, 30.0, (900, 400)).expect("a long word is broken");
    assert!(broken.ink.size().width <= 900);
}

#[test]
fn what_can_never_be_read_is_refused() {
    assert!(matches!(set(&"W".repeat(200), 30.0, (40, 20)), Err(Fault::InvalidField { .. })));
    assert!(matches!(set("x", 30.0, (0, 0)), Err(Fault::InvalidField { .. })));
    assert!(matches!(set("\u{200d}", 30.0, (100, 100)), Err(Fault::InvalidField { .. })));
}
