//! From a checked text to its picture.

use crate::fonts::CAPITAL_HEIGHT;
use crate::mask::Mask;
use crate::subject::Style;
use crate::typeset::typeset;
use stage_sdk::{Anchor, Fault, Image, Size};

/// The smallest height of capital letters in pixels that is aimed at, whatever
/// the share of the picture.
const READABLE: f32 = 8.0;

/// The halo's reach as a share of the font size.
const HALO_REACH: f32 = 1.0 / 24.0;

/// The text as a picture of just its size.
///
/// # Errors
/// What [`typeset`] finds wrong with the text.
pub(crate) fn draw(
    text: &str,
    raster: Size,
    style: &Style,
    room: Size,
    anchor: Anchor,
    warn: impl Fn(&'static str, String),
) -> Result<Image, Fault> {
    let short = raster.width.min(raster.height) as f32;
    let wanted = (short * style.size_percent / 100.0).max(READABLE) / CAPITAL_HEIGHT;

    // The halo smears twice; the room is even, so that odd sides can be made even.
    let reach = halo_radius(wanted) * 2;
    let inside =
        Size::new(room.width.saturating_sub(2 * reach), room.height.saturating_sub(2 * reach));
    let set = typeset(text, anchor, wanted, inside)?;
    if set.font_size < wanted {
        let percent = (set.font_size / wanted * 100.0).round();
        warn(
            "watermark_scaled_down",
            format!("The watermark was drawn at {percent} % of its size so that all of it fits."),
        );
    }
    Ok(colour(&set.ink, halo_radius(set.font_size), style))
}

fn halo_radius(font_size: f32) -> u32 {
    (font_size * HALO_REACH).round().max(1.0) as u32
}

/// White ink over its dark halo, with even sides and straight alpha.
fn colour(ink: &Mask, radius: u32, style: &Style) -> Image {
    let reach = radius * 2;
    let even = |side: u32| (side + 2 * reach).next_multiple_of(2);
    let size = Size::new(even(ink.size().width), even(ink.size().height));
    let ink = ink.placed(size, reach, reach);
    let halo = ink.halo(radius);
    let opacity = style.opacity.clamp(0.0, 1.0);
    let darkness = style.halo.clamp(0.0, 1.0);
    let rgba = ink
        .pixels()
        .zip(halo.pixels())
        .flat_map(|(ink, halo)| {
            pixel(f32::from(ink) / 255.0, f32::from(halo) / 255.0 * darkness, opacity)
        })
        .collect();
    Image { size, rgba }
}

/// White that covers `ink` of a pixel over black that covers `halo` of it.
fn pixel(ink: f32, halo: f32, opacity: f32) -> [u8; 4] {
    let covered = ink + halo * (1.0 - ink);
    let grey = if covered > 0.0 { ink / covered } else { 0.0 };
    let byte = |share: f32| (share * 255.0).round() as u8;
    [byte(grey), byte(grey), byte(grey), byte(covered * opacity)]
}
