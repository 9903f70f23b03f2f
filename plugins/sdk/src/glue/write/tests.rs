use super::*;

fn picture(width: u32, height: u32, bytes: usize) -> Image {
    let rgba = (0..bytes).map(|byte| (byte % 251) as u8).collect();
    Image { size: Size::new(width, height), rgba }
}

#[test]
fn a_picture_is_handed_over_in_whole_rows_that_a_call_can_take() {
    for (width, height, parts) in [(3, 2, 1), (512, 512, 1), (512, 513, 2), (16384, 40, 3)] {
        let image = picture(width, height, width as usize * height as usize * 4);
        let mut next = 0;
        let mut together = Vec::new();
        for band in bands(&image) {
            assert_eq!(band.top, next);
            assert_eq!(band.rgba.len(), (width * band.height * 4) as usize);
            assert!(band.rgba.len() <= CALL_BYTES);
            next += band.height;
            together.extend_from_slice(band.rgba);
        }
        assert_eq!((next, together), (height, image.rgba.clone()));
        assert_eq!(bands(&image).count(), parts);
    }
}

#[test]
fn pixels_of_another_number_stay_wrong_for_the_host() {
    for bytes in [0, 8, 11, 13] {
        let image = picture(1, 3, bytes);
        let [band] = &bands(&image).collect::<Vec<_>>()[..] else { panic!("one part") };
        assert_eq!((band.top, band.height, band.rgba.len()), (0, 3, bytes));
    }
}
