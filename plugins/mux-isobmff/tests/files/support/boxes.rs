//! Finds boxes by their path, knowing nothing but their headers.

/// The payload of the first box on this path.
pub(crate) fn find<'a>(bytes: &'a [u8], path: &[&[u8; 4]]) -> Option<&'a [u8]> {
    all(bytes, path).into_iter().next()
}

/// The payloads of all boxes on this path.
pub(crate) fn all<'a>(bytes: &'a [u8], path: &[&[u8; 4]]) -> Vec<&'a [u8]> {
    let Some((kind, rest)) = path.split_first() else { return vec![bytes] };
    let named = children(bytes).into_iter().filter(|(name, _)| name == *kind);
    named.flat_map(|(name, payload)| all(&payload[inner(&name)..], rest)).collect()
}

/// The names and payloads of the boxes that follow each other here. A box that promises more
/// than there is, as media data without its media does, has what there is.
pub(crate) fn children(mut bytes: &[u8]) -> Vec<([u8; 4], &[u8])> {
    let mut found = Vec::new();
    while bytes.len() >= 8 {
        let small = u32::from_be_bytes(bytes[..4].try_into().unwrap());
        let (size, header) = match small {
            1 => (u64::from_be_bytes(bytes[8..16].try_into().unwrap()), 16),
            size => (u64::from(size), 8),
        };
        let end = usize::try_from(size).unwrap().min(bytes.len());
        found.push((bytes[4..8].try_into().unwrap(), &bytes[header..end]));
        bytes = &bytes[end..];
    }
    found
}

/// Bytes of a box's own before the boxes in it.
fn inner(kind: &[u8; 4]) -> usize {
    match kind {
        b"avc1" | b"av01" | b"vp09" | b"mp4v" | b"jpeg" => 78,
        b"mp4a" | b"Opus" => 28,
        b"stsd" => 8,
        b"meta" => 4,
        _ => 0,
    }
}
