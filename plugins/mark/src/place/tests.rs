use super::*;

const PICTURE: Size = Size::new(200, 40);

fn place(x: f32, y: f32) -> (u32, u32) {
    let point = room(Size::new(1920, 1080), 5.0).place(PICTURE, Anchor { x, y });
    (point.x, point.y)
}

#[test]
fn five_positions_keep_their_margins() {
    assert_eq!(place(0.0, 0.0), (54, 54));
    assert_eq!(place(1.0, 0.0), (1920 - 54 - 200, 54));
    assert_eq!(place(0.0, 1.0), (54, 1080 - 54 - 40));
    assert_eq!(place(1.0, 1.0), (1920 - 54 - 200, 1080 - 54 - 40));
    assert_eq!(place(0.5, 0.5), (860, 520));
}

#[test]
fn places_are_even_and_inside_on_every_raster() {
    for raster in [Size::new(2, 2), Size::new(64, 2), Size::new(1282, 722), Size::new(16_384, 16)] {
        for margin in [0.0, 3.0, 25.0, f32::NAN, 1e9] {
            let room = room(raster, margin);
            for share in [0.0, 0.3, 0.5, 0.77, 1.0, f32::NAN] {
                let at = room.place(Size::new(2, 2), Anchor { x: share, y: share });
                assert!(at.x.is_multiple_of(2) && at.y.is_multiple_of(2));
                assert!(at.x + 2 <= raster.width && at.y + 2 <= raster.height);
            }
        }
    }
}

#[test]
fn places_have_names() {
    assert_eq!(words(Anchor { x: 1.0, y: 1.0 }), "bottom right");
    assert_eq!(words(Anchor { x: 0.0, y: 0.0 }), "top left");
    assert_eq!(words(Anchor { x: 0.5, y: 0.5 }), "in the centre");
}
