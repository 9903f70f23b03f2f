//! What the file says about itself in words.

use mux_common::{Credit, Credits, Language};

use super::track::handler;
use super::{Writer, packed};
use crate::container::Container;

/// The user data of the movie; nothing if there is nothing to say.
pub(crate) fn user_data(w: &mut Writer, container: Container, credits: &Credits) {
    if credits.is_empty() {
        return;
    }
    w.nest(*b"udta", |w| match container {
        Container::Mp4 => item_list(w, credits),
        Container::Mov => user_texts(w, credits),
    });
}

/// The list of items that players of mp4 read: each a box of its own around UTF-8.
fn item_list(w: &mut Writer, credits: &Credits) {
    w.full(*b"meta", 0, 0, |w| {
        handler(w, [0; 4], *b"mdir", *b"appl", |w| w.u8(0));
        w.nest(*b"ilst", |w| {
            for (credit, text) in credits.iter() {
                w.nest(item_kind(credit), |w| {
                    w.nest(*b"data", |w| {
                        w.u32(1); // UTF-8
                        w.u32(0); // any country, any language
                        w.raw(text.as_bytes());
                    });
                });
            }
        });
    });
}

fn item_kind(credit: Credit) -> [u8; 4] {
    match credit {
        Credit::Title => *b"\xa9nam",
        Credit::Artist => *b"\xa9ART",
        Credit::Copyright => *b"cprt",
    }
}

/// QuickTime's user data texts: length, language, text. A packed ISO language says that the text
/// is Unicode and not in one of the Macintosh encodings.
fn user_texts(w: &mut Writer, credits: &Credits) {
    for (credit, text) in credits.iter() {
        let kind = match credit {
            Credit::Title => *b"\xa9nam",
            Credit::Artist => *b"\xa9ART",
            Credit::Copyright => *b"\xa9cpy",
        };
        w.nest(kind, |w| {
            w.narrow16(text.len());
            w.u16(packed(Language::new(None)));
            w.raw(text.as_bytes());
        });
    }
}
