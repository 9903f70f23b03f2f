//! From somebody's file to its picture.

mod decode;
mod scale;
#[cfg(test)]
mod tests;

use crate::subject::Style;
use decode::{Decoded, Note};
use image::DynamicImage;
use image::metadata::Orientation;
use stage_sdk::{Blob, Fault, Image, Size};

/// A picture's share of the raster's height is at most so many times the share
/// of the width that is asked for, which only upright ones meet.
const HEIGHT_TO_WIDTH: f64 = 2.0;

/// From which enlargement on somebody is told that it looks soft.
const SOFT: f64 = 1.5;

/// The picture at the size that `style` asks for on a raster, or the largest
/// one at which all of it fits into `room`.
///
/// # Errors
/// A fault on the picture if it cannot be read.
pub(crate) fn draw(
    file: &Blob,
    raster: Size,
    style: &Style,
    room: Size,
    warn: impl Fn(&'static str, String),
) -> Result<Image, Fault> {
    let decoded = decode::decode(file)?;
    for note in &decoded.notes {
        match note {
            Note::FirstFrameOnly => warn(
                "watermark_not_animated",
                "Only the first frame of the watermark's animation was drawn.".to_owned(),
            ),
            Note::ForeignColour => warn(
                "watermark_colour_profile_ignored",
                "The watermark's colour profile was ignored and its colours taken for sRGB."
                    .to_owned(),
            ),
        }
    }
    let upright = turned(decoded.size, decoded.orientation);
    let share = f64::from(style.image_width_percent) / 100.0;
    let height = f64::from(raster.height) * (share * HEIGHT_TO_WIDTH).min(1.0);
    let wanted = fit(upright, f64::from(raster.width) * share, height);
    let size = if wanted.width > room.width || wanted.height > room.height {
        fit(upright, room.width.into(), room.height.into())
    } else {
        wanted
    };
    if size != wanted {
        let percent = 100 * size.width / wanted.width.max(1);
        warn(
            "watermark_scaled_down",
            format!("The watermark was drawn at {percent} % of its size so that all of it fits."),
        );
    }
    if f64::from(size.width) > f64::from(upright.width) * SOFT {
        warn(
            "watermark_enlarged",
            format!(
                "The watermark is {} pixels wide and was enlarged to {}, which looks soft.",
                upright.width, size.width
            ),
        );
    }
    finish(&decoded, size, style.opacity)
}

/// The largest size with the aspect of `picture` in a box; no side is lost.
fn fit(picture: Size, width: f64, height: f64) -> Size {
    let (picture_width, picture_height) = (f64::from(picture.width), f64::from(picture.height));
    let scale = (width / picture_width).min(height / picture_height);
    let side = |side: f64| (side * scale).round().max(1.0) as u32;
    Size::new(side(picture_width), side(picture_height))
}

/// The size after a picture was turned upright; turning back is the same.
fn turned(size: Size, orientation: Orientation) -> Size {
    match orientation {
        Orientation::Rotate90
        | Orientation::Rotate270
        | Orientation::Rotate90FlipH
        | Orientation::Rotate270FlipH => Size::new(size.height, size.width),
        _ => size,
    }
}

/// The picture at this size, upright, with its opacity, on even sides.
fn finish(decoded: &Decoded, size: Size, opacity: f32) -> Result<Image, Fault> {
    let lying = turned(size, decoded.orientation);
    let rgba = scale::scale(decoded, lying);
    let mut upright = image::RgbaImage::from_raw(lying.width, lying.height, rgba)
        .map(DynamicImage::ImageRgba8)
        .ok_or_else(|| Fault::failed("A scaled picture has another size than it should."))?;
    upright.apply_orientation(decoded.orientation);

    let even = Size::new(size.width.next_multiple_of(2), size.height.next_multiple_of(2));
    let opacity = opacity.clamp(0.0, 1.0);
    let mut rgba = Vec::with_capacity(even.width as usize * even.height as usize * 4);
    for row in upright.into_bytes().chunks_exact(size.width as usize * 4) {
        for pixel in row.chunks_exact(4) {
            let [colour @ .., alpha] = pixel else { continue };
            rgba.extend_from_slice(colour);
            rgba.push((f32::from(*alpha) * opacity).round() as u8);
        }
        rgba.resize(rgba.len().next_multiple_of(even.width as usize * 4), 0);
    }
    rgba.resize(even.width as usize * even.height as usize * 4, 0);
    Ok(Image { size: even, rgba })
}
