use super::*;
use stage_sdk::{Colour, Rational};
use std::collections::HashSet;

const MARK: Size = Size::new(40, 12);

fn pattern(speed_percent: f32) -> Pattern {
    let raster = Raster {
        size: Size::new(320, 180),
        frame_rate: Rational::new(25, 1),
        colour: Colour::BT709,
    };
    let parameters = Parameters { speed_percent, spacing_percent: 10.0, ..Parameters::default() };
    Pattern::new(MARK, raster, &parameters)
}

#[test]
fn marks_are_even_inside_and_apart() {
    for index in [0, 1, 7, 1000, 123_456_789, u64::MAX] {
        let placed: Vec<Placed> = pattern(5.0).placed(index).collect();
        assert!(placed.len() > 20, "{} on frame {index}", placed.len());
        let mut pixels = HashSet::new();
        for Placed { area, from } in placed {
            let numbers =
                [area.origin.x, area.origin.y, area.size.width, area.size.height, from.x, from.y];
            assert!(numbers.iter().all(|number| number % 2 == 0), "{area:?} {from:?}");
            assert!(area.is_inside(Size::new(320, 180)));
            assert!(from.x + area.size.width <= MARK.width);
            assert!(from.y + area.size.height <= MARK.height);
            for y in 0..area.size.height {
                for x in 0..area.size.width {
                    assert!(pixels.insert((area.origin.x + x, area.origin.y + y)));
                }
            }
        }
    }
}

#[test]
fn marks_move_at_most_two_pixels_a_frame() {
    let whole = |placed: &Placed| placed.area.size == MARK;
    for speed in [0.0, 0.5, 5.0, 20.0] {
        let places = |index| -> HashSet<(u32, u32)> {
            let placed = pattern(speed).placed(index).filter(whole);
            placed.map(|placed| (placed.area.origin.x, placed.area.origin.y)).collect()
        };
        for index in 0..200 {
            let (before, after) = (places(index), places(index + 1));
            let follows = |dx, dy| {
                let moved = before.iter().filter(|(x, y)| after.contains(&(x + dx, y + dy)));
                moved.count() * 2 > before.len()
            };
            assert!([(0, 0), (2, 0), (2, 2), (0, 2)].iter().any(|(x, y)| follows(*x, *y)));
        }
        assert_eq!(places(0) == places(200), speed == 0.0);
    }
}

#[test]
fn marks_leave_no_gap_at_the_edges() {
    // Along every edge there are marks that are cut, on some frame.
    let cut: Vec<Placed> = (0..400)
        .flat_map(|index| pattern(5.0).placed(index))
        .filter(|placed| placed.area.size != MARK)
        .collect();
    assert!(cut.iter().any(|placed| placed.from.x > 0));
    assert!(cut.iter().any(|placed| placed.from.y > 0));
    assert!(cut.iter().any(|placed| placed.from.x == 0 && placed.area.size.width < MARK.width));
    assert!(cut.iter().any(|placed| placed.from.y == 0 && placed.area.size.height < MARK.height));
}
