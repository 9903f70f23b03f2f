use super::*;
use stage_sdk::{Colour, Rational, Size};

fn copies(change: impl FnOnce(&mut SourceVideo)) -> bool {
    let mut video = SourceVideo::new("avc1", Size::new(1920, 1080));
    change(&mut video);
    let raster = Raster {
        size: Size::new(1920, 1080),
        frame_rate: Rational::new(50, 2),
        colour: Colour::BT709,
    };
    may_copy(Copying::WhenPossible, &video, "avc1", &raster)
}

#[test]
fn a_track_may_be_copied_if_nothing_about_it_would_change() {
    assert!(copies(|_| ()));
    assert!(!copies(|video| video.codec = "hvc1".into()));
    assert!(!copies(|video| video.display_size.height = 1078));
    assert!(!copies(|video| video.frame_rate = Rational::new(24, 1)));
    assert!(!copies(|video| video.constant_frame_rate = false));
}
