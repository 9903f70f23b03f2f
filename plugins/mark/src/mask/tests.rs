use super::*;

fn mask(width: u32, rows: &[&[u8]]) -> Mask {
    Mask::new(Size::new(width, rows.len() as u32), rows.concat())
}

#[test]
fn ink_adds_up_without_overflowing() {
    let mut ink = mask(2, &[&[255, 128]]);
    ink.add(&mask(2, &[&[200, 128]]), 0, 0);
    assert_eq!(ink, mask(2, &[&[255, 192]]));
}

#[test]
fn what_is_outside_is_left_out() {
    let mut ink = Mask::empty(Size::new(2, 2));
    ink.add(&mask(2, &[&[1, 2], &[3, 4]]), 1, 1);
    assert_eq!(ink, mask(2, &[&[0, 0], &[0, 1]]));
}

#[test]
fn a_halo_surrounds_its_ink_evenly() {
    let dot = mask(1, &[&[255]]).placed(Size::new(9, 7), 4, 3);
    let halo = dot.halo(1);
    assert_eq!(halo.size(), dot.size());
    let row: Vec<u8> = halo.pixels().skip(3 * 9).take(9).collect();
    assert!(row[4] > 0 && row[0] == 0);
    assert_eq!(row, row.iter().rev().copied().collect::<Vec<u8>>());
    let column: Vec<u8> = halo.pixels().skip(4).step_by(9).collect();
    assert_eq!(column[..], row[1..8]);
}

#[test]
fn a_mask_of_nothing_stays_nothing() {
    let nothing = Mask::empty(Size::new(0, 0));
    assert!(nothing.is_empty() && nothing.halo(3).is_empty());
}
