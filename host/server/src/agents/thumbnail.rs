//! A preview made small enough to be shown beside an answer.

use std::io::Cursor;

/// The largest picture beside an answer, in bytes.
pub(super) const MOST: usize = 256 << 10;

/// The largest side of a preview that is made smaller, in pixels.
const LONGEST: usize = 16_384;

/// The picture as a PNG of at most [`MOST`] bytes; none if it is no PNG of
/// three bytes a pixel, which previews are.
pub(super) fn of(png: &[u8]) -> Option<Vec<u8>> {
    if png.len() <= MOST {
        return Some(png.to_vec());
    }
    let mut reader = png::Decoder::new(Cursor::new(png)).read_info().ok()?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let is_rgb8 = (reader.info().color_type, reader.info().bit_depth)
        == (png::ColorType::Rgb, png::BitDepth::Eight);
    if !is_rgb8 || width.max(height) > LONGEST {
        return None;
    }
    let mut rgb = vec![0; reader.output_buffer_size()?];
    reader.next_frame(&mut rgb).ok()?;
    (2..=32).find_map(|factor| {
        let (small, w, h) = shrink(&rgb, width, height, factor)?;
        let file = encode(&small, w, h)?;
        (file.len() <= MOST).then_some(file)
    })
}

/// Every block of `factor`×`factor` pixels as its mean; what is over at the
/// right and the bottom is left out.
fn shrink(
    rgb: &[u8],
    width: usize,
    height: usize,
    factor: usize,
) -> Option<(Vec<u8>, usize, usize)> {
    let (w, h) = (width / factor, height / factor);
    if w == 0 || h == 0 {
        return None;
    }
    let mut small = Vec::with_capacity(w * h * 3);
    for rows in rgb.chunks_exact(width * 3 * factor).take(h) {
        let mut sums = vec![0_u32; w * 3];
        for row in rows.chunks_exact(width * 3) {
            for (sums, block) in sums.chunks_exact_mut(3).zip(row.chunks_exact(factor * 3)) {
                for pixel in block.chunks_exact(3) {
                    for (sum, value) in sums.iter_mut().zip(pixel) {
                        *sum += u32::from(*value);
                    }
                }
            }
        }
        let area = u32::try_from(factor * factor).unwrap_or(1);
        small.extend(sums.iter().map(|sum| u8::try_from(sum / area).unwrap_or(u8::MAX)));
    }
    Some((small, w, h))
}

fn encode(rgb: &[u8], width: usize, height: usize) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let (width, height) = (u32::try_from(width).ok()?, u32::try_from(height).ok()?);
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().ok()?.write_image_data(rgb).ok()?;
    Some(file)
}

#[cfg(test)]
mod tests;
