//! Which part of a file a request wants (RFC 9110, sections 13 and 14).

use axum::http::{HeaderMap, HeaderValue, header};

/// What is wanted of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All of it: there is no range, one that is not understood or of several parts, or the file is
    /// not the one that the rest was of.
    Whole,
    /// So many bytes from this one on.
    Part { first: u64, length: u64 },
    /// A part that the file does not have.
    Nothing,
}

/// What is wanted of a file of so many bytes.
pub(super) fn wanted(headers: &HeaderMap, tag: &str, bytes: u64) -> Wanted {
    let Some(range) = headers.get(header::RANGE).and_then(|range| range.to_str().ok()) else {
        return Wanted::Whole;
    };
    if headers.get(header::IF_RANGE).is_some_and(|rest_of| rest_of != tag) {
        return Wanted::Whole;
    }
    let (first, end) = match parse(range) {
        None => return Wanted::Whole,
        Some((Some(first), last)) => (first, last.map_or(bytes, |last| last.saturating_add(1))),
        Some((None, last)) => (bytes.saturating_sub(last.unwrap_or_default()), bytes),
    };
    match end.min(bytes).saturating_sub(first) {
        0 => Wanted::Nothing,
        length => Wanted::Part { first, length },
    }
}

/// A single range: `first-`, `first-last`, or `-length`. None for anything else.
fn parse(range: &str) -> Option<(Option<u64>, Option<u64>)> {
    let (unit, range) = range.split_once('=')?;
    if !unit.eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (first, last) = range.split_once('-')?;
    let (first, last) = (number(first)?, number(last)?);
    match (first, last) {
        (None, None) => None,
        (Some(first), Some(last)) if last < first => None,
        found => Some(found),
    }
}

/// A number, or nothing; the outer none is for what is neither.
fn number(text: &str) -> Option<Option<u64>> {
    if text.is_empty() {
        return Some(None);
    }
    let digits = text.bytes().all(|digit| digit.is_ascii_digit());
    // A number that is too large for us is past the end of every file.
    digits.then(|| Some(text.parse().unwrap_or(u64::MAX)))
}

/// Whether a list of entity tags names this one.
pub(super) fn names(list: Option<&HeaderValue>, tag: &str) -> bool {
    let list = list.and_then(|list| list.to_str().ok()).unwrap_or_default();
    list.split(',')
        .map(str::trim)
        .any(|named| named == "*" || named.trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests;
