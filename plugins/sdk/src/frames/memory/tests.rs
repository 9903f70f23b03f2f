use super::*;

const SIZE: Size = Size::new(8, 6);
const GREY: [u8; 3] = [100, 128, 128];

fn frame() -> MemoryFrame {
    MemoryFrame::filled(3, SIZE, Colour::BT709, GREY)
}

fn picture(size: Size, rgba: [u8; 4]) -> Image {
    Image { size, rgba: rgba.repeat((size.width * size.height) as usize) }
}

#[test]
fn a_rectangle_comes_back_as_it_was_written() {
    let mut frame = frame();
    let area = Rect::new(1, 1, 2, 2);
    frame.write_rect(1, area, &[1, 2, 3, 4]);
    let mut samples = vec![9; 100];
    frame.read_rect(1, area, &mut samples);
    assert_eq!(samples, [1, 2, 3, 4]);
    assert_eq!(frame.samples(1)[4..12], [128, 1, 2, 128, 128, 3, 4, 128]);
    assert!(frame.samples(0).iter().all(|sample| *sample == 100));
    assert_eq!(frame.planes()[2].size, Size::new(4, 3));
}

#[test]
fn a_picture_is_blended_by_its_alpha_in_the_colour_of_the_frame() {
    for (rgba, expected) in [
        ([255, 0, 0, 255], [63, 102, 240]),
        ([255, 0, 0, 0], GREY),
        ([255, 255, 255, 128], [168, 128, 128]),
    ] {
        let mut frame = frame();
        frame.blit(&picture(Size::new(2, 2), rgba), Point { x: 2, y: 4 });
        let seen = [(0, 4 * 8 + 2), (1, 2 * 4 + 1), (2, 2 * 4 + 1)]
            .map(|(plane, place)| frame.samples(plane)[place]);
        assert_eq!(seen, expected);
        assert_eq!(frame.samples(0)[4 * 8 + 1], 100);
        assert_eq!(frame.samples(1)[2 * 4 + 2], 128);
    }
}

#[test]
fn a_lone_pixel_has_a_quarter_of_a_say_in_the_colour() {
    let mut frame = frame();
    frame.blit(&picture(Size::new(1, 1), [255, 0, 0, 255]), Point { x: 3, y: 3 });
    assert_eq!(frame.samples(0)[3 * 8 + 3], 63);
    assert_eq!(frame.samples(2)[4 + 1], 156);
}

#[test]
#[should_panic(expected = "leaves plane 0")]
fn what_ends_a_call_in_the_host_panics() {
    frame().fill_rect(0, Rect::new(7, 0, 2, 1), 0);
}
