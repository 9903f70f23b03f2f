use proptest::prelude::*;

use crate::{Layout, OutOfBounds, Picture, Pool, Rect, Size};

fn picture(width: u32, height: u32) -> Picture {
    let mut picture = Pool::new(Size { width, height }, Layout::Yuv420p8, 1).take();
    for (at, sample) in picture.bytes_mut().iter_mut().enumerate() {
        *sample = at as u8;
    }
    picture
}

fn rect(x: u32, y: u32, width: u32, height: u32) -> Rect {
    Rect { x, y, width, height }
}

#[test]
fn a_rectangle_of_each_plane_is_read() {
    let picture = picture(6, 4);
    let mut samples = vec![99; 3];
    picture.read_rect(0, rect(1, 2, 2, 2), &mut samples).unwrap();
    assert_eq!(samples, [13, 14, 19, 20]);
    picture.read_rect(1, rect(2, 0, 1, 2), &mut samples).unwrap();
    assert_eq!(samples, [26, 29]);
    picture.read_rect(2, rect(0, 1, 3, 1), &mut samples).unwrap();
    assert_eq!(samples, [33, 34, 35]);
}

#[test]
fn odd_sides_have_colour_for_their_last_row_and_column() {
    let picture = picture(3, 3);
    let mut samples = Vec::new();
    picture.read_rect(2, rect(1, 1, 1, 1), &mut samples).unwrap();
    assert_eq!(samples, [16]);
    assert_eq!(picture.bytes().len(), 17);
}

#[test]
fn what_is_not_there_is_an_error_and_changes_nothing() {
    let mut picture = picture(6, 4);
    let before = picture.bytes().to_vec();
    for area in [rect(5, 0, 2, 1), rect(0, 4, 1, 1), rect(7, 0, 0, 0), rect(u32::MAX, 0, 2, 1)] {
        assert_eq!(picture.fill_rect(0, area, 0), Err(OutOfBounds::Area));
        assert_eq!(picture.read_rect(0, area, &mut Vec::new()), Err(OutOfBounds::Area));
        assert_eq!(picture.write_rect(0, area, &[0, 0]), Err(OutOfBounds::Area));
    }
    assert_eq!(picture.fill_rect(3, rect(0, 0, 1, 1), 0), Err(OutOfBounds::Plane));
    assert_eq!(picture.write_rect(1, rect(0, 0, 2, 2), &[0; 5]), Err(OutOfBounds::Length));
    assert_eq!(picture.bytes(), before);
}

proptest! {
    #[test]
    fn what_is_written_is_read_and_nothing_else_changes(
        (width, height) in (1..20_u32, 1..20_u32),
        (x, y, w, h) in (0..20_u32, 0..20_u32, 0..20_u32, 0..20_u32),
        plane in 0..3_usize,
    ) {
        let mut picture = picture(width, height);
        let size = Layout::Yuv420p8.planes(picture.size())[plane];
        let (x, y) = (x.min(size.width), y.min(size.height));
        let area = rect(x, y, w.min(size.width - x), h.min(size.height - y));
        let before = picture.bytes().to_vec();
        let mut old = Vec::new();
        picture.read_rect(plane, area, &mut old).unwrap();
        let written: Vec<_> = old.iter().map(|sample| !sample).collect();
        picture.write_rect(plane, area, &written).unwrap();
        let changed = picture.bytes().iter().zip(&before).filter(|(new, old)| new != old).count();
        prop_assert_eq!(changed, (area.width * area.height) as usize);
        let mut read = Vec::new();
        picture.read_rect(plane, area, &mut read).unwrap();
        prop_assert_eq!(&read, &written);
        picture.write_rect(plane, area, &old).unwrap();
        prop_assert_eq!(picture.bytes(), &before[..]);
        picture.fill_rect(plane, area, 77).unwrap();
        picture.read_rect(plane, area, &mut read).unwrap();
        prop_assert!(read.iter().all(|sample| *sample == 77));
    }
}
