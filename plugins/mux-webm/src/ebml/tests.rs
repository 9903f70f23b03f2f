use super::*;
use proptest::prelude::*;

/// Reads a length as a reader does: how many bytes it has and what it says.
fn read(bytes: &[u8]) -> (usize, u64) {
    let count = bytes[0].leading_zeros() as usize + 1;
    let value = bytes[..count].iter().fold(0, |value, byte| (value << 8) | u64::from(*byte));
    (count, value & !(1 << (7 * count)))
}

fn length(value: u64) -> Vec<u8> {
    let mut w = Writer::default();
    w.length(value);
    w.finish()
}

proptest! {
    #[test]
    fn every_length_is_read_as_it_was_written(value in 0..=LARGEST, bits in 0_u32..=56) {
        // Lengths of every order of magnitude, not only huge ones.
        let value = value >> bits;
        let bytes = length(value);
        prop_assert_eq!(read(&bytes), (bytes.len(), value));
        prop_assert_eq!(read(&wide_length(value)), (8, value));
        let all_set = (1_u64 << (7 * bytes.len())) - 1;
        prop_assert!(value < all_set, "that would say that it is not known");
        if bytes.len() > 1 {
            let shorter = (1_u64 << (7 * (bytes.len() - 1))) - 1;
            prop_assert!(value >= shorter, "{} bytes are too many", bytes.len());
        }
    }

    #[test]
    fn every_number_is_read_as_it_was_written(value: u64, bits in 0_u32..64) {
        let value = value >> bits;
        let mut w = Writer::default();
        w.number(ids::CUE_TIME, value);
        let bytes = w.finish();
        let number = bytes[2..].iter().fold(0, |number, byte| (number << 8) | u64::from(*byte));
        prop_assert_eq!((bytes[0], read(&bytes[1..]).1), (0xb3, bytes.len() as u64 - 2));
        prop_assert_eq!(number, value);
        prop_assert!(bytes.len() == 3 || bytes[2] != 0, "without leading zeros");
    }
}

#[test]
fn lengths_grow_where_the_next_value_would_say_unknown() {
    assert_eq!(length(126), [0xfe]);
    assert_eq!(length(127), [0x40, 0x7f]);
    assert_eq!(length(16_382), [0x7f, 0xfe]);
    assert_eq!(length(16_383), [0x20, 0x3f, 0xff]);
    assert_eq!(length(0), [0x80]);
    assert_eq!(length(LARGEST), wide_length(LARGEST));
}

#[test]
fn elements_nest_and_know_their_lengths() {
    let mut w = Writer::default();
    w.master(ids::CUE_POINT, |w| {
        w.number(ids::CUE_TIME, 258);
        w.master(ids::CUE_TRACK_POSITIONS, |w| w.wide_number(ids::CUE_CLUSTER_POSITION, 5));
    });
    let expected = b"\xbb\x90\xb3\x82\x01\x02\xb7\x8a\xf1\x88\0\0\0\0\0\0\0\x05";
    assert_eq!(w.finish(), expected);
}
