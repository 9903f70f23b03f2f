//! Scaling in linear light with premultiplied alpha: fine bright lines keep
//! their brightness, and nothing bleeds out of transparent pixels.
//!
//! A picture is first shrunk by a whole number, each pixel the mean of those
//! below it, and then brought to its size by a cubic filter, row by row: memory
//! is taken for a few rows only.

#[cfg(test)]
mod tests;

use super::decode::Decoded;
use stage_sdk::Size;
use std::collections::VecDeque;

/// Red, green and blue in linear light times alpha, and alpha, each in 0..=1.
type Pixel = [f32; 4];

/// The picture at this size: RGBA, sRGB, straight alpha.
pub(super) fn scale(picture: &Decoded, to: Size) -> Vec<u8> {
    let ratio = (picture.size.width / to.width.max(1)).min(picture.size.height / to.height.max(1));
    let shrink = ratio.max(1) as usize;
    let columns = taps(picture.size.width, to.width, shrink);
    let mut rows = Shrunk::new(picture, shrink).map(|row| across(&row, &columns));

    let curve = Curve::new();
    let mut rgba = Vec::with_capacity(to.width as usize * to.height as usize * 4);
    let mut window = VecDeque::new();
    let mut first = 0;
    for taps in taps(picture.size.height, to.height, shrink) {
        while first + window.len() < taps.first + taps.weights.len() {
            let Some(row) = rows.next() else { break };
            window.push_back(row);
        }
        while first < taps.first && window.pop_front().is_some() {
            first += 1;
        }
        let mut sum: Vec<Pixel> = vec![[0.0; 4]; to.width as usize];
        for (row, weight) in window.iter().zip(&taps.weights) {
            for (sum, pixel) in sum.iter_mut().zip(row) {
                add(sum, pixel, *weight);
            }
        }
        sum.iter().for_each(|pixel| rgba.extend(curve.encode(*pixel)));
    }
    rgba
}

fn add(sum: &mut Pixel, pixel: &Pixel, weight: f32) {
    for (sum, part) in sum.iter_mut().zip(pixel) {
        *sum += part * weight;
    }
}

/// A row at its new width.
fn across(row: &[Pixel], columns: &[Taps]) -> Vec<Pixel> {
    let pixel = |taps: &Taps| {
        let mut sum = [0.0; 4];
        let pixels = row.get(taps.first..).unwrap_or_default();
        for (pixel, weight) in pixels.iter().zip(&taps.weights) {
            add(&mut sum, pixel, *weight);
        }
        sum
    };
    columns.iter().map(pixel).collect()
}

/// Which pixels make a new one, and how much each counts; together 1.
struct Taps {
    first: usize,
    weights: Vec<f32>,
}

/// For each of `to` new pixels, the pixels of a line of `from` that was shrunk
/// by `shrink`.
fn taps(from: u32, to: u32, shrink: usize) -> Vec<Taps> {
    let last_pixel = (from as usize).div_ceil(shrink).saturating_sub(1);
    let step = f64::from(from) / shrink as f64 / f64::from(to.max(1));
    // The filter gets wider as the picture gets smaller, so that all pixels count.
    let stretch = step.max(1.0);
    let reach = 2.0 * stretch;
    let new_pixel = |place: u32| {
        let centre = (f64::from(place) + 0.5) * step - 0.5;
        let last = ((centre + reach).floor().max(0.0) as usize).min(last_pixel);
        let first = ((centre - reach).ceil().max(0.0) as usize).min(last);
        let weights: Vec<f64> =
            (first..=last).map(|place| cubic((place as f64 - centre) / stretch)).collect();
        let sum: f64 = weights.iter().sum();
        Taps { first, weights: weights.iter().map(|weight| (weight / sum) as f32).collect() }
    };
    (0..to).map(new_pixel).collect()
}

/// The cubic filter of Catmull and Rom.
fn cubic(distance: f64) -> f64 {
    let x = distance.abs();
    if x < 1.0 {
        (1.5 * x - 2.5) * x * x + 1.0
    } else if x < 2.0 {
        ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0
    } else {
        0.0
    }
}

/// The rows of a picture that is shrunk by a whole number.
struct Shrunk<'a> {
    rows: std::slice::Chunks<'a, u8>,
    row_bytes: usize,
    channels: usize,
    shrink: usize,
    linear: [f32; 256],
}

impl<'a> Shrunk<'a> {
    fn new(picture: &'a Decoded, shrink: usize) -> Self {
        let row_bytes = (picture.size.width as usize * picture.channels).max(1);
        Self {
            rows: picture.samples.chunks(row_bytes * shrink),
            row_bytes,
            channels: picture.channels,
            shrink,
            linear: std::array::from_fn(|byte| linear(byte as f32 / 255.0)),
        }
    }

    /// Adds the pixels of a source row to the new ones that they belong to.
    fn add_row<const CHANNELS: usize>(&self, row: &[u8], sums: &mut [Pixel]) {
        let linear = |byte: u8| self.linear.get(usize::from(byte)).copied().unwrap_or_default();
        for (sum, group) in sums.iter_mut().zip(row.chunks(CHANNELS * self.shrink)) {
            for pixel in group.as_chunks::<CHANNELS>().0 {
                let (colour, alpha) = match *pixel.as_slice() {
                    [grey] => ([grey; 3], 255),
                    [grey, alpha] => ([grey; 3], alpha),
                    [red, green, blue] => ([red, green, blue], 255),
                    [red, green, blue, alpha] => ([red, green, blue], alpha),
                    _ => ([0; 3], 0),
                };
                let [red, green, blue] = colour.map(linear);
                add(sum, &[red, green, blue, 1.0], f32::from(alpha) / 255.0);
            }
        }
    }
}

impl Iterator for Shrunk<'_> {
    type Item = Vec<Pixel>;

    fn next(&mut self) -> Option<Vec<Pixel>> {
        let rows = self.rows.next()?;
        let width = self.row_bytes / self.channels.max(1);
        let mut sums: Vec<Pixel> = vec![[0.0; 4]; width.div_ceil(self.shrink)];
        for row in rows.chunks(self.row_bytes) {
            match self.channels {
                1 => self.add_row::<1>(row, &mut sums),
                2 => self.add_row::<2>(row, &mut sums),
                3 => self.add_row::<3>(row, &mut sums),
                _ => self.add_row::<4>(row, &mut sums),
            }
        }
        // The last group of a line, and the last of all rows, may be smaller.
        let height = rows.len() / self.row_bytes;
        for (place, sum) in sums.iter_mut().enumerate() {
            let columns = self.shrink.min(width - place * self.shrink);
            let share = 1.0 / (columns * height) as f32;
            sum.iter_mut().for_each(|part| *part *= share);
        }
        Some(sums)
    }
}

/// An sRGB value in 0..=1 in linear light.
fn linear(value: f32) -> f32 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// Back to sRGB bytes.
struct Curve {
    /// The light from which on a byte is the next one.
    steps: [f32; 255],
}

impl Curve {
    fn new() -> Self {
        Self { steps: std::array::from_fn(|byte| linear((byte as f32 + 0.5) / 255.0)) }
    }

    fn encode(&self, [red, green, blue, alpha]: Pixel) -> [u8; 4] {
        if alpha < 0.5 / 255.0 {
            return [0; 4];
        }
        let byte = |part: f32| self.steps.partition_point(|step| *step <= part / alpha) as u8;
        [byte(red), byte(green), byte(blue), (alpha.min(1.0) * 255.0).round() as u8]
    }
}
