use std::io::Write;

use super::moov_first;

fn file(parts: &[&[u8]]) -> std::fs::File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&parts.concat()).unwrap();
    file
}

const FTYP: &[u8] = b"\0\0\0\x0cftypisom";
const MOOV: &[u8] = b"\0\0\0\x08moov";
/// A length of 64 bits.
const WIDE_FREE: &[u8] = b"\0\0\0\x01free\0\0\0\0\0\0\0\x12xx";
/// To the end of the file.
const MDAT: &[u8] = b"\0\0\0\x00mdatdata";

#[test]
fn the_order_of_the_boxes() {
    assert!(moov_first(&file(&[FTYP, WIDE_FREE, MOOV, MDAT])).unwrap());
    assert!(!moov_first(&file(&[FTYP, b"\0\0\0\x09mdatx", MOOV])).unwrap());
    assert!(!moov_first(&file(&[FTYP, MDAT])).unwrap());
}

#[test]
fn a_file_without_either_says_so() {
    assert!(moov_first(&file(&[FTYP])).is_err());
    assert!(moov_first(&file(&[])).is_err());
    assert!(moov_first(&file(&[b"\0\0\0\x04free"])).is_err());
}
