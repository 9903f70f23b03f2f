use super::*;

#[test]
fn every_mixture_is_the_nearest() {
    for alpha in 0..=255_u8 {
        for ink in [0, 1, 16, 127, 128, 235, 254, 255] {
            let mut below: Vec<u8> = (0..=255).collect();
            blend(&mut below, &[ink; 256], &[alpha; 256]);
            for (old, new) in (0..=255_u32).zip(below) {
                let exact = old * u32::from(255 - alpha) + u32::from(ink) * u32::from(alpha);
                assert_eq!(u32::from(new), (exact + 127) / 255, "{old} under {ink} at {alpha}");
            }
        }
    }
}

#[test]
fn every_length_is_worked_on_to_its_end() {
    for length in 0..50 {
        let mut below = vec![10; length];
        blend(&mut below, &vec![90; length], &vec![255; length]);
        assert_eq!(below, vec![90; length]);
        assert_eq!(sum(&below), 90 * length as u32);
    }
}

#[test]
fn full_strength_changes_nothing_and_none_leaves_nothing() {
    let alpha: Vec<u8> = (0..=255).collect();
    let mut weaker = vec![9; 3];
    weaken(&alpha, 255, &mut weaker);
    assert_eq!(weaker, alpha);
    weaken(&alpha, 0, &mut weaker);
    assert_eq!(weaker, [0; 256]);
}
