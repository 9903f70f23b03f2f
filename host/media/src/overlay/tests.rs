use std::sync::Arc;

use super::Prepared;
use crate::composition::Overlay;
use crate::units::{Point, Size};

const RED: [u8; 4] = [255, 0, 0, 255];
const CLEAR: [u8; 4] = [0, 255, 0, 0];

fn overlay(pixels: &[[u8; 4]], width: u32, at: Point) -> Overlay {
    let height = u32::try_from(pixels.len()).unwrap() / width;
    Overlay { rgba: Arc::new(pixels.concat()), size: Size { width, height }, at }
}

fn pixel(picture: &Prepared, x: u32, y: u32) -> [u8; 4] {
    let at = ((y * picture.size.width + x) * 4) as usize;
    picture.rgba[at..at + 4].try_into().unwrap()
}

#[test]
fn an_even_place_changes_no_opaque_picture() {
    let given = overlay(&[RED; 6], 3, Point { x: 2, y: 4 });
    let picture = Prepared::new(&given);
    assert_eq!((picture.size, picture.at), (given.size, given.at));
    assert_eq!(picture.rgba, *given.rgba);
}

#[test]
fn an_odd_place_gets_a_clear_edge_of_the_same_colour() {
    let picture = Prepared::new(&overlay(&[RED; 4], 2, Point { x: 3, y: 5 }));
    assert_eq!(picture.at, Point { x: 2, y: 4 });
    assert_eq!(picture.size, Size { width: 3, height: 3 });
    assert_eq!(pixel(&picture, 0, 0), [255, 0, 0, 0]);
    assert_eq!(pixel(&picture, 1, 1), RED);
    assert_eq!(pixel(&picture, 2, 2), RED);
}

#[test]
fn hidden_colours_give_way_to_those_beside_them() {
    let half_blue = [0, 0, 255, 85];
    let given = overlay(&[RED, CLEAR, half_blue, CLEAR], 2, Point { x: 0, y: 0 });
    let picture = Prepared::new(&given);
    // By alpha: three parts red, one part blue.
    assert_eq!(pixel(&picture, 1, 0), [191, 0, 63, 0]);
    assert_eq!(pixel(&picture, 0, 1), half_blue);
}
