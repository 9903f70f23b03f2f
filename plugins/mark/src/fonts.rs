//! The fonts in this plugin; see `fonts/README.md`. There are no others.

use cosmic_text::fontdb::{Database, Source};
use cosmic_text::{Attrs, CacheKeyFlags, Fallback, Family, FontSystem, Weight};
use std::sync::Arc;
use unicode_script::Script;

/// Asked first for every character; the others follow in their order.
const FIRST: &str = "Noto Sans";

const FONTS: [&[u8]; 3] = [
    include_bytes!("../fonts/NotoSans-Bold.ttf"),
    include_bytes!("../fonts/NotoSansArabic-Bold.ttf"),
    include_bytes!("../fonts/NotoSansHebrew-Bold.ttf"),
];

/// The height of capital letters as a share of the font size, as the first
/// font's OS/2 table has it.
pub(crate) const CAPITAL_HEIGHT: f32 = 0.714;

/// The embedded fonts, read but for their glyphs.
pub(crate) fn load() -> FontSystem {
    let mut database = Database::new();
    for font in FONTS {
        database.load_font_source(Source::Binary(Arc::new(font)));
    }
    // The language only picks among fonts for Chinese characters.
    FontSystem::new_with_locale_and_db_and_fallback("en".to_owned(), database, AnyFont)
}

/// What every text is set in. Hinting would bend the letters to the pixel grid
/// of a screen that this is not.
pub(crate) fn attributes() -> Attrs<'static> {
    Attrs::new()
        .family(Family::Name(FIRST))
        .weight(Weight::BOLD)
        .cache_key_flags(CacheKeyFlags::DISABLE_HINTING)
}

/// Looks for a glyph in all fonts without preferences of the platform, so that
/// a text looks the same wherever it is drawn.
struct AnyFont;

impl Fallback for AnyFont {
    fn common_fallback(&self) -> &[&'static str] {
        &[]
    }

    fn forbidden_fallback(&self) -> &[&'static str] {
        &[]
    }

    fn script_fallback(&self, _script: Script, _locale: &str) -> &[&'static str] {
        &[]
    }
}
