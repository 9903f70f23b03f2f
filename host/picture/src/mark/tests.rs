use proptest::prelude::*;

use super::convert::Coefficients;
use crate::{Layout, Mark, MarkColour, OutOfBounds, Picture, Point, Pool, Size};

const RED: [u8; 4] = [255, 0, 0, 255];
const CLEAR: [u8; 4] = [0, 255, 0, 0];
const HD: MarkColour = MarkColour { matrix: 1, full_range: false };

fn mark(pixels: &[[u8; 4]], width: u32, at: Point) -> Mark {
    let height = u32::try_from(pixels.len()).unwrap() / width;
    Mark::new(&pixels.concat(), Size { width, height }, at, HD).unwrap()
}

fn grey(width: u32, height: u32) -> Picture {
    let mut picture = Pool::new(Size { width, height }, Layout::Yuv420p8, 1).take();
    picture.bytes_mut().fill(128);
    picture
}

/// Y, Cb and Cr of a colour.
fn samples(colour: MarkColour, rgb: [u8; 3]) -> [u8; 3] {
    let [r, g, b] = rgb;
    let coefficients = Coefficients::of(colour);
    let (cb, cr) = coefficients.chroma(&[[r, g, b, 255]; 4]);
    [coefficients.luma([r, g, b, 255]), cb, cr]
}

#[test]
fn colours_are_those_of_the_standards() {
    let red = |matrix, full_range| samples(MarkColour { matrix, full_range }, [255, 0, 0]);
    assert_eq!(red(1, false), [63, 102, 240]);
    assert_eq!(red(1, true), [54, 99, 255]);
    assert_eq!(red(6, false), [81, 90, 240]);
    assert_eq!(red(5, true), [76, 85, 255]);
    assert_eq!(red(9, false), [74, 97, 240]);
    assert_eq!(red(7, false), [62, 102, 240]);
    assert_eq!(red(4, false), [82, 90, 240]);
    for matrix in [1, 4, 5, 6, 7, 9, 10] {
        let range = |full_range| MarkColour { matrix, full_range };
        assert_eq!(samples(range(false), [255; 3]), [235, 128, 128]);
        assert_eq!(samples(range(false), [0; 3]), [16, 128, 128]);
        assert_eq!(samples(range(true), [255; 3]), [255, 128, 128]);
        assert_eq!(samples(range(true), [0; 3]), [0, 128, 128]);
        assert_eq!(samples(range(false), [0, 0, 255])[1], 240);
    }
}

#[test]
fn it_begins_on_an_even_pixel_and_ends_with_a_clear_edge() {
    let odd = mark(&[RED; 6], 3, Point { x: 3, y: 5 });
    assert_eq!(odd.at(), Point { x: 2, y: 4 });
    assert_eq!(odd.size(), Size { width: 6, height: 6 });
    let alpha = &odd.bytes()[36 + 9 + 9..];
    let rows: Vec<_> = alpha.chunks(6).collect();
    assert_eq!(rows[0], [0; 6]);
    assert_eq!(rows[1], [0, 255, 255, 255, 0, 0]);
    assert_eq!(rows[2], [0, 255, 255, 255, 0, 0]);
    assert!(rows[3..].iter().all(|row| *row == [0; 6]));
    let even = mark(&[RED; 4], 2, Point { x: 2, y: 4 });
    assert_eq!((even.at(), even.size()), (Point { x: 2, y: 4 }, Size { width: 4, height: 4 }));
}

#[test]
fn what_is_hidden_tints_nothing() {
    let half_blue = [0, 0, 255, 85];
    let given = mark(&[RED, CLEAR, half_blue, CLEAR], 2, Point { x: 0, y: 0 });
    // By alpha: three parts red, one part blue.
    let mut picture = grey(2, 2);
    given.blend(&mut picture).unwrap();
    let colour = samples(HD, [191, 0, 64]);
    let (cb, cr) = (given.bytes()[16], given.bytes()[20]);
    assert!(cb.abs_diff(colour[1]) <= 1 && cr.abs_diff(colour[2]) <= 1, "{cb}, {cr}");
}

#[test]
fn an_opaque_mark_replaces_and_a_clear_one_changes_nothing() {
    let mut picture = grey(8, 6);
    mark(&[CLEAR; 12], 4, Point { x: 2, y: 2 }).blend(&mut picture).unwrap();
    assert!(picture.bytes().iter().all(|sample| *sample == 128));
    // As far as the last pixel: the edge lies outside.
    mark(&[RED; 8], 4, Point { x: 4, y: 4 }).blend(&mut picture).unwrap();
    let (luma, colour) = picture.bytes().split_at(48);
    for (at, sample) in luma.iter().enumerate() {
        let inside = at % 8 >= 4 && at / 8 >= 4;
        assert_eq!(*sample, if inside { 63 } else { 128 }, "luma {at}");
    }
    let mut cb = [128; 12];
    cb[10..].fill(102);
    assert_eq!(colour[..12], cb);
}

#[test]
fn a_mark_may_not_leave_the_picture() {
    let mut picture = grey(8, 6);
    for at in [Point { x: 5, y: 0 }, Point { x: 0, y: 5 }, Point { x: 8, y: 0 }] {
        let mark = mark(&[RED; 8], 4, at);
        assert_eq!(mark.blend(&mut picture), Err(OutOfBounds::Area), "{at:?}");
    }
    assert!(picture.bytes().iter().all(|sample| *sample == 128));
    let far = Mark::new(&[0; 4], Size { width: 1, height: 1 }, Point { x: u32::MAX, y: 0 }, HD);
    assert_eq!(far, Err(OutOfBounds::Area));
    let short = Mark::new(&[0; 5], Size { width: 1, height: 1 }, Point { x: 0, y: 0 }, HD);
    assert_eq!(short, Err(OutOfBounds::Length));
}

#[test]
fn an_odd_picture_is_drawn_on_up_to_its_last_pixel() {
    let mut picture = grey(3, 3);
    mark(&[RED; 4], 2, Point { x: 1, y: 1 }).blend(&mut picture).unwrap();
    assert_eq!(picture.bytes()[..9], [128, 128, 128, 128, 63, 63, 128, 63, 63]);
}

proptest! {
    #[test]
    fn a_sample_is_the_nearest_to_the_true_value(
        rgb in any::<[u8; 3]>(), full_range: bool,
    ) {
        for (matrix, kr, kb) in [(1, 0.2126, 0.0722), (6, 0.299, 0.114), (9, 0.2627, 0.0593)] {
            let [r, g, b] = rgb.map(|value| f64::from(value) / 255.0);
            let y = kr * r + (1.0 - kr - kb) * g + kb * b;
            let (zero, luma, chroma) =
                if full_range { (0.0, 255.0, 255.0) } else { (16.0, 219.0, 224.0) };
            let expected = [
                zero + luma * y,
                128.0 + chroma * (b - y) / (2.0 * (1.0 - kb)),
                128.0 + chroma * (r - y) / (2.0 * (1.0 - kr)),
            ];
            let found = samples(MarkColour { matrix, full_range }, rgb);
            for (found, expected) in found.into_iter().zip(expected) {
                let off = (f64::from(found) - expected.min(255.0)).abs();
                prop_assert!(off < 0.5 + 1e-9, "{found} for {expected}");
            }
        }
    }
}
