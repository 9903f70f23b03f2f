//! Finding boxes within boxes.

use super::{BoxHead, Malformed};

/// The boxes of which `bytes` consist, each with its head.
pub(super) fn children(bytes: &[u8]) -> impl Iterator<Item = Result<&[u8], Malformed>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let head = BoxHead::read(rest).transpose()?;
        let split = head.and_then(|head| {
            let size = usize::try_from(head.size).unwrap_or(usize::MAX);
            rest.split_at_checked(size).ok_or_else(|| Malformed::new("a box is cut off"))
        });
        // After an error there is nothing more.
        rest = split.as_ref().map_or(&[], |(_, after)| after);
        Some(split.map(|(found, _)| found))
    })
}

/// The first box of `kind` in `bytes`.
pub(super) fn child<'a>(bytes: &'a [u8], kind: &[u8; 4]) -> Result<&'a [u8], Malformed> {
    of_kind(bytes, kind).next().unwrap_or_else(|| Err(missing(kind)))
}

/// The box of `kind` in `bytes`, if there is exactly one.
pub(super) fn only<'a>(bytes: &'a [u8], kind: &[u8; 4]) -> Result<&'a [u8], Malformed> {
    let mut found = of_kind(bytes, kind);
    let first = found.next().unwrap_or_else(|| Err(missing(kind)))?;
    if found.next().is_some() {
        return Err(Malformed::new("not one track but several"));
    }
    Ok(first)
}

fn of_kind<'a>(
    bytes: &'a [u8],
    kind: &[u8; 4],
) -> impl Iterator<Item = Result<&'a [u8], Malformed>> {
    children(bytes).filter(move |found| {
        found.as_ref().map_or(true, |found| found.get(4..8) == Some(&kind[..]))
    })
}

fn missing(kind: &[u8; 4]) -> Malformed {
    Malformed(format!("there is no {}", String::from_utf8_lossy(kind)))
}

/// What is in a box.
pub(super) fn payload(whole: &[u8]) -> Result<&[u8], Malformed> {
    let head = BoxHead::read(whole)?;
    let inner = head.and_then(|head| whole.get(head.length..));
    inner.ok_or_else(|| Malformed::new("a box is cut off"))
}
