use super::*;

#[test]
fn a_moment_is_written_as_rfc_3339_with_milliseconds() {
    assert_eq!(Timestamp(1_783_789_320_007).rfc3339(), "2026-07-11T17:02:00.007Z");
    assert_eq!(Timestamp(u64::MAX).rfc3339(), "9999-12-31T23:59:59.999Z");
}
