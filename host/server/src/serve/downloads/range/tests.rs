use axum::http::HeaderName;

use super::Wanted::{Nothing, Part, Whole};
use super::*;

fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
    let pairs = pairs.iter().map(|(name, value)| (name.clone(), value.parse().unwrap()));
    pairs.collect()
}

#[test]
fn a_single_range_is_a_part_of_the_file() {
    for (range, expected) in [
        ("bytes=0-", Part { first: 0, length: 10 }),
        ("bytes=0-9", Part { first: 0, length: 10 }),
        ("bytes=3-5", Part { first: 3, length: 3 }),
        ("Bytes = 3-5", Whole),
        ("BYTES=3-3", Part { first: 3, length: 1 }),
        ("bytes=9-99999999999999999999999", Part { first: 9, length: 1 }),
        ("bytes=-4", Part { first: 6, length: 4 }),
        ("bytes=-99", Part { first: 0, length: 10 }),
        ("bytes=10-", Nothing),
        ("bytes=10-12", Nothing),
        ("bytes=99999999999999999999999-", Nothing),
        ("bytes=-0", Nothing),
        ("bytes=5-3", Whole),
        ("bytes=-", Whole),
        ("bytes=a-b", Whole),
        ("bytes=+1-2", Whole),
        ("bytes=1-2,4-5", Whole),
        ("bytes 1-2", Whole),
        ("frames=1-2", Whole),
    ] {
        assert_eq!(wanted(&headers(&[(header::RANGE, range)]), "\"t\"", 10), expected, "{range}");
    }
    assert_eq!(wanted(&headers(&[(header::RANGE, "bytes=0-")]), "\"t\"", 0), Nothing);
    assert_eq!(wanted(&HeaderMap::new(), "\"t\"", 10), Whole);
}

#[test]
fn the_rest_of_another_file_is_not_given() {
    let range = (header::RANGE, "bytes=3-5");
    for (tag, part) in [("\"t\"", true), ("\"u\"", false), ("Tue, 01 Dec 2026 00:00:00 GMT", false)]
    {
        let found = wanted(&headers(&[range.clone(), (header::IF_RANGE, tag)]), "\"t\"", 10);
        assert_eq!(found != Whole, part, "{tag}");
    }
}

#[test]
fn a_list_of_tags_names_a_tag() {
    for (list, named) in [
        ("\"t\"", true),
        ("W/\"t\"", true),
        ("\"a\", \"t\"", true),
        ("*", true),
        ("\"a\"", false),
        ("t", false),
        ("", false),
    ] {
        assert_eq!(names(Some(&HeaderValue::from_static(list)), "\"t\""), named, "{list}");
    }
    assert!(!names(None, "\"t\""));
}
