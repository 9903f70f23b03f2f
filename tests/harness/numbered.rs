//! Films whose frames say their own number: sixteen columns are the bits of it, the lowest one
//! on the left, white above black for a one and black above white for a nought. Blocks of this
//! size live through lossy codecs, scaling and a mark on top.

use std::path::{Path, PathBuf};

use crate::sources::make;

/// Columns of a picture.
pub const COLUMNS: usize = 16;
/// Rows of a picture: the number, and its opposite.
pub const ROWS: usize = 2;
/// The brightness by which the two blocks of a bit must differ.
const CLEARLY: f64 = 40.0;

/// The words that make ffmpeg draw such frames.
pub fn lavfi(size: (u32, u32), rate: &str, seconds: u32) -> String {
    let (width, height) = size;
    format!(
        "-f lavfi -i color=black:size={width}x{height}:rate={rate}:duration={seconds},format=yuv420p,\
         geq=lum=16+219*mod(floor(N/pow(2\\,floor(X*{COLUMNS}/W)))+lt(Y\\,H/{ROWS})+1\\,2):cb=128:cr=128"
    )
}

/// A numbered film with a tone, encoded as `codecs` says.
#[track_caller]
pub fn film(file: PathBuf, size: (u32, u32), rate: &str, seconds: u32, codecs: &str) -> PathBuf {
    let picture = lavfi(size, rate, seconds);
    let sound = format!("-f lavfi -i sine=frequency=440:sample_rate=48000:duration={seconds}");
    make(file, &format!("{picture} {sound} {codecs}"))
}

/// The number in the brightness of the blocks, row by row; none if they are not clearly a number.
pub fn number(blocks: &[f64]) -> Option<u64> {
    if blocks.len() != COLUMNS * ROWS {
        return None;
    }
    let (above, below) = blocks.split_at(COLUMNS);
    above.iter().zip(below).enumerate().try_fold(0, |number, (bit, (above, below))| {
        let clear = (above - below).abs() >= CLEARLY;
        clear.then_some(number | u64::from(above > below) << bit)
    })
}

/// The number of a decoded frame, of which the luma plane comes first.
pub fn of_luma(samples: &[u8], width: usize, height: usize) -> Option<u64> {
    let mut blocks = Vec::new();
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            // The middle of a block: its edges are smeared by scaling.
            let xs = span(column, width, COLUMNS);
            let sum: u64 = span(row, height, ROWS)
                .flat_map(|y| xs.clone().map(move |x| u64::from(samples[y * width + x])))
                .sum();
            let count = xs.len() * span(row, height, ROWS).len();
            blocks.push(sum as f64 / count as f64);
        }
    }
    number(&blocks)
}

/// The middle half of the n-th of `count` parts of a side.
fn span(nth: usize, side: usize, count: usize) -> std::ops::Range<usize> {
    let at = |quarters: usize| side * (4 * nth + quarters) / (4 * count);
    at(1)..at(3)
}

/// The numbers of all frames of a film, as ffmpeg decodes it.
#[track_caller]
pub fn numbers(file: &Path, width: usize, height: usize) -> Vec<Option<u64>> {
    let frames = crate::judge::yuv_frames(file, width, height);
    frames.iter().map(|frame| of_luma(frame, width, height)).collect()
}
