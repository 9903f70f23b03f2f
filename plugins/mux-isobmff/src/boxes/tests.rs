use super::*;

#[test]
fn boxes_nest_and_know_their_sizes() {
    let mut w = Writer::default();
    w.nest(*b"oute", |w| {
        w.u16(0x0102);
        w.full(*b"inne", 1, 7, |w| w.time(1, 3));
    });
    let expected = b"\0\0\0\x1eoute\x01\x02\0\0\0\x14inne\x01\0\0\x07\0\0\0\0\0\0\0\x03";
    assert_eq!(w.finish().unwrap(), expected);
}

#[test]
fn a_number_that_does_not_fit_is_told_at_the_end() {
    let mut w = Writer::default();
    w.narrow16(65_536_u32);
    assert_eq!(w.finish(), Err(MuxError::TooLarge));
    let mut w = Writer::default();
    w.time(0, 1 << 32);
    assert_eq!(w.finish(), Err(MuxError::TooLarge));
    assert_eq!((version_for(u32::MAX.into()), version_for(1 << 32)), (0, 1));
}

#[test]
fn a_language_is_packed_into_15_bits() {
    assert_eq!(packed(Language::new(None)), 0x55c4);
    assert_eq!(packed(Language::new(Some("deu"))), (4 << 10) | (5 << 5) | 21);
}
