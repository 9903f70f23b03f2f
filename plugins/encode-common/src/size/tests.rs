use super::*;
use crate::tests::{job, video};

fn size(width: u32, height: u32, bounds: (u32, u32), upscale: bool) -> (u32, u32, bool) {
    let mut job = job(video(width, height));
    job.request.bounds = Size::new(bounds.0, bounds.1);
    let decided = raster_size(&job, &job.source.video[0], upscale);
    let warned = job.take_warnings().iter().any(|warning| warning.code == "scaled_up");
    (decided.width, decided.height, warned)
}

#[test]
fn fills_the_box_and_keeps_the_aspect() {
    assert_eq!(size(3840, 2160, (1920, 1080), true), (1920, 1080, false));
    assert_eq!(size(4096, 2160, (1920, 1080), true), (1920, 1012, false));
    assert_eq!(size(1440, 1080, (1280, 720), true), (960, 720, false));
}

#[test]
fn turns_the_box_for_a_portrait_source() {
    assert_eq!(size(1080, 1920, (1280, 720), true), (720, 1280, false));
    assert_eq!(size(1000, 1000, (1280, 720), true), (720, 720, false));
}

#[test]
fn says_that_it_scales_up() {
    assert_eq!(size(640, 360, (1920, 1080), true), (1920, 1080, true));
    assert_eq!(size(640, 360, (1920, 1080), false), (640, 360, false));
    assert_eq!(size(641, 361, (1920, 1080), false), (640, 360, false));
    assert_eq!(size(2000, 100, (1920, 1080), false), (1920, 96, false));
}

#[test]
fn one_pixel_for_evenness_is_no_enlargement() {
    assert_eq!(size(1919, 1079, (1920, 1080), true), (1920, 1080, false));
}

#[test]
fn uses_the_exact_aspect_and_not_the_rounded_size() {
    let mut track = video(768, 576);
    track.display_aspect = Rational::new(16, 9);
    let job = job(track);
    assert_eq!(raster_size(&job, &job.source.video[0], true), Size::new(1920, 1080));
}

#[test]
fn sides_are_even_and_inside_whatever_the_source() {
    let sides = [1, 2, 3, 17, 465, 640, 719, 1081, 9999, 16_384, u32::MAX];
    for width in sides {
        for height in sides {
            for bounds in [(1280, 720), (1921, 1081), (3840, 2160), (2, 2), (1, 1)] {
                for upscale in [true, false] {
                    let (w, h, _) = size(width, height, bounds, upscale);
                    let (long, short) = (bounds.0.max(2), bounds.1.max(2));
                    assert!(w % 2 == 0 && h % 2 == 0 && w >= 2 && h >= 2);
                    assert!(w.max(h) <= long && w.min(h) <= short, "{width}x{height}: {w}x{h}");
                }
            }
        }
    }
}
