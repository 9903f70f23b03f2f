use super::*;
use image::metadata::Orientation;

fn picture(width: u32, height: u32, channels: usize, samples: Vec<u8>) -> Decoded {
    let size = Size::new(width, height);
    Decoded { size, orientation: Orientation::NoTransforms, channels, samples, notes: Vec::new() }
}

#[test]
fn a_picture_at_its_own_size_is_unchanged() {
    let samples: Vec<u8> = (0..=255).flat_map(|byte| [byte, 255 - byte, 7, 255]).collect();
    let scaled = scale(&picture(16, 16, 4, samples.clone()), Size::new(16, 16));
    assert_eq!(scaled, samples);
}

#[test]
fn every_size_of_one_colour_has_that_colour() {
    for (width, height) in [(1, 1), (3, 7), (100, 3), (61, 64), (200, 128)] {
        let samples = [200, 90, 13, 128].repeat(61 * 64);
        let scaled = scale(&picture(61, 64, 4, samples), Size::new(width, height));
        assert_eq!(scaled.len(), (width * height * 4) as usize);
        assert!(scaled.chunks(4).all(|pixel| pixel == [200, 90, 13, 128]), "{width}×{height}");
    }
}

#[test]
fn light_is_what_is_averaged() {
    // Half of the light of white is byte 188, not 128.
    let stripes = [0, 255].repeat(32 * 32);
    let scaled = scale(&picture(64, 32, 1, stripes), Size::new(16, 8));
    assert!(scaled.chunks(4).all(|pixel| pixel == [188, 188, 188, 255]), "{scaled:?}");
}

#[test]
fn transparent_pixels_have_no_colour_to_give() {
    // Red beside a transparent green: no mixture may be anything but red.
    let samples = [255, 0, 0, 255, 0, 255, 0, 0].repeat(64);
    for width in [3, 4, 8, 40] {
        let scaled = scale(&picture(16, 8, 4, samples.clone()), Size::new(width, 4));
        for pixel in scaled.chunks(4).filter(|pixel| pixel[3] > 0) {
            assert_eq!(pixel[..3], [255, 0, 0], "at width {width}");
        }
    }
}

#[test]
fn grey_with_alpha_and_rgb_are_read_as_such() {
    let grey = scale(&picture(1, 1, 2, vec![77, 40]), Size::new(1, 1));
    assert_eq!(grey, [77, 77, 77, 40]);
    let rgb = scale(&picture(1, 2, 3, vec![1, 2, 3, 4, 5, 6]), Size::new(1, 2));
    assert_eq!(rgb, [1, 2, 3, 255, 4, 5, 6, 255]);
}

#[test]
fn a_picture_keeps_its_middle() {
    // A bright dot in the middle of an odd picture stays in the middle.
    let mut samples = vec![0; 45 * 45];
    samples[22 * 45 + 22] = 255;
    let scaled = scale(&picture(45, 45, 1, samples), Size::new(15, 15));
    let brightest = scaled.chunks(4).enumerate().max_by_key(|(_, pixel)| pixel[0]);
    assert_eq!(brightest.map(|(place, _)| place), Some(7 * 15 + 7));
}
