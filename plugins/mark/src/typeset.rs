//! From a text to shaped, wrapped and rasterised glyphs.

#[cfg(test)]
mod tests;

use crate::fonts;
use crate::mask::Mask;
use crate::text::{invalid, named};
use cosmic_text::{Align, Buffer, FontSystem, Metrics, Shaping, SwashCache, Wrap};
use stage_sdk::{Anchor, Fault, Size};

/// Line to line as a share of the font size.
const LINE_HEIGHT: f32 = 1.25;

/// How much smaller the font gets at each try.
const SHRINK: f32 = 0.9;

/// The smallest font in pixels that a text is set in; below it nobody can read
/// a letter.
const SMALLEST: f32 = 5.0;

/// A text at the size at which it fits.
pub(crate) struct Typeset {
    /// Where there is ink, cut to where there is any.
    pub(crate) ink: Mask,
    /// The size of the font in pixels.
    pub(crate) font_size: f32,
}

/// Sets `text` in lines no longer than the room is wide, at `font_size` or the
/// next smaller one at which all of it fits into the room.
///
/// # Errors
/// A fault on the text if no font has a glyph for one of its characters, if
/// nothing of it can be seen, or if it does not fit at any readable size.
pub(crate) fn typeset(
    text: &str,
    anchor: Anchor,
    font_size: f32,
    room: Size,
) -> Result<Typeset, Fault> {
    let mut fonts = fonts::load();
    let mut size = font_size;
    let mut buffer = Buffer::new(&mut fonts, Metrics::relative(size, LINE_HEIGHT));
    buffer.set_wrap(Wrap::WordOrGlyph);
    buffer.set_text(text, &fonts::attributes(), Shaping::Advanced, Some(align(anchor)));
    while size >= SMALLEST {
        let metrics = Metrics::relative(size, LINE_HEIGHT);
        buffer.set_metrics_and_size(metrics, Some(room.width as f32), None);
        buffer.shape_until_scroll(&mut fonts, false);
        refuse_missing(&buffer)?;
        if fits(&buffer, room) {
            let ink = rasterise(&buffer, &mut fonts);
            if ink.size().width <= room.width && ink.size().height <= room.height {
                return seen(ink).map(|ink| Typeset { ink, font_size: size });
            }
        }
        size *= SHRINK;
    }
    Err(invalid("The watermark text is too long to be readable in a picture of this size."))
}

fn align(anchor: Anchor) -> Align {
    if anchor.x < 1.0 / 3.0 {
        Align::Left
    } else if anchor.x > 2.0 / 3.0 {
        Align::Right
    } else {
        Align::Center
    }
}

/// Glyph 0 is the box that fonts show for what they do not have.
fn refuse_missing(buffer: &Buffer) -> Result<(), Fault> {
    let missing = named(buffer.layout_runs().flat_map(|line| {
        let clusters = line.glyphs.iter().filter(|glyph| glyph.glyph_id == 0);
        clusters.flat_map(move |glyph| {
            line.text.get(glyph.start..glyph.end).unwrap_or_default().chars()
        })
    }));
    if missing.is_empty() {
        return Ok(());
    }
    Err(invalid(format!("No font of this plugin has these characters: {missing}.")))
}

/// Whether the lines fit, before the costly drawing.
fn fits(buffer: &Buffer, room: Size) -> bool {
    let below = |line: cosmic_text::LayoutRun<'_>| {
        line.line_w <= room.width as f32 && line.line_y <= room.height as f32
    };
    buffer.layout_runs().all(below)
}

fn seen(ink: Mask) -> Result<Mask, Fault> {
    if ink.is_empty() {
        return Err(invalid("The watermark text has no visible characters."));
    }
    Ok(ink)
}

fn rasterise(buffer: &Buffer, fonts: &mut FontSystem) -> Mask {
    let mut cache = SwashCache::new();
    let mut glyphs = Vec::new();
    for line in buffer.layout_runs() {
        for glyph in line.glyphs {
            let physical = glyph.physical((0.0, line.line_y), 1.0);
            let Some(image) = cache.get_image(fonts, physical.cache_key) else { continue };
            let placement = image.placement;
            if placement.width > 0 && placement.height > 0 {
                glyphs.push(Glyph {
                    left: physical.x + placement.left,
                    top: physical.y - placement.top,
                    mask: Mask::new(
                        Size::new(placement.width, placement.height),
                        image.data.clone(),
                    ),
                });
            }
        }
    }
    gather(&glyphs)
}

struct Glyph {
    left: i32,
    top: i32,
    mask: Mask,
}

/// One mask that just holds all glyphs.
fn gather(glyphs: &[Glyph]) -> Mask {
    let left = glyphs.iter().map(|glyph| glyph.left).min().unwrap_or(0);
    let top = glyphs.iter().map(|glyph| glyph.top).min().unwrap_or(0);
    let offset = |glyph: &Glyph| (glyph.left.abs_diff(left), glyph.top.abs_diff(top));
    let far = |side: fn(Size) -> u32, start: fn((u32, u32)) -> u32| {
        glyphs.iter().map(|glyph| start(offset(glyph)) + side(glyph.mask.size())).max()
    };
    let size = Size::new(
        far(|size| size.width, |offset| offset.0).unwrap_or(0),
        far(|size| size.height, |offset| offset.1).unwrap_or(0),
    );
    let mut all = Mask::empty(size);
    for glyph in glyphs {
        let (x, y) = offset(glyph);
        all.add(&glyph.mask, x, y);
    }
    all
}
