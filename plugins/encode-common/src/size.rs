//! How large the raster is.

#[cfg(test)]
mod tests;

use stage_sdk::{Job, Rational, Size, SourceVideo};

/// The largest even size of the source's aspect within the asked box, or the
/// source's own size where that is smaller and scaling up is forbidden.
pub fn raster_size<P>(job: &Job<P>, video: &SourceVideo, upscale: bool) -> Size {
    let own = video.display_size;
    let bounds = turned(job.request.bounds, video.display_aspect);
    if !upscale && own.width <= bounds.width && own.height <= bounds.height {
        return Size::new(even_below(own.width), even_below(own.height));
    }
    let fitted = fit(video.display_aspect, bounds);
    // One pixel more is what evenness asks for, not an enlargement.
    if fitted.width > own.width.saturating_add(1) || fitted.height > own.height.saturating_add(1) {
        let message = format!(
            "The source is {}×{} and was scaled up to {}×{}.",
            own.width, own.height, fitted.width, fitted.height
        );
        job.warn("scaled_up", message);
    }
    fitted
}

/// The box as a portrait source needs it.
fn turned(bounds: Size, aspect: Rational) -> Size {
    let portrait = aspect.numerator < aspect.denominator;
    let (long, short) = (bounds.width.max(bounds.height), bounds.width.min(bounds.height));
    if portrait { Size::new(short, long) } else { Size::new(long, short) }
}

/// Fills the box in one direction and rounds the other to the nearest even
/// number; never leaves the box, never below 2.
fn fit(aspect: Rational, bounds: Size) -> Size {
    let (width, height) = (even_below(bounds.width), even_below(bounds.height));
    let natural_height = even_share(width, aspect.denominator, aspect.numerator);
    if natural_height <= height {
        return Size::new(width, natural_height);
    }
    let natural_width = even_share(height, aspect.numerator, aspect.denominator);
    Size::new(natural_width.min(width), height)
}

/// `side · numerator / denominator` as the nearest even number from 2 on.
fn even_share(side: u32, numerator: u32, denominator: u32) -> u32 {
    let denominator = u128::from(denominator.max(1));
    let product = u128::from(side) * u128::from(numerator);
    let even = (product + denominator) / (2 * denominator) * 2;
    u32::try_from(even).unwrap_or(u32::MAX - 1).max(2)
}

fn even_below(side: u32) -> u32 {
    (side & !1).max(2)
}
