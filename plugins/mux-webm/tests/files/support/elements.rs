//! The elements of a file, for questions about its structure.

/// An element by its identifier, where it begins, and its content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'a> {
    pub(crate) id: u32,
    /// From the beginning of what it was found in.
    pub(crate) position: usize,
    pub(crate) content: &'a [u8],
}

impl Element<'_> {
    /// Its content as an unsigned number.
    pub(crate) fn number(&self) -> u64 {
        number(self.content)
    }
}

/// The elements that follow each other here. One that promises more than there is has what there
/// is.
pub(crate) fn children(bytes: &[u8]) -> Vec<Element<'_>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let position = at;
        let id_length = bytes[at].leading_zeros() as usize + 1;
        let id = number(&bytes[at..at + id_length]);
        at += id_length;
        let count = bytes[at].leading_zeros() as usize + 1;
        let length = number(&bytes[at..at + count]) & !(1 << (7 * count));
        at += count;
        let end = bytes.len().min(at + usize::try_from(length).unwrap());
        found.push(Element { id: id.try_into().unwrap(), position, content: &bytes[at..end] });
        at = end;
    }
    found
}

/// The elements on this path.
pub(crate) fn all<'a>(bytes: &'a [u8], path: &[u32]) -> Vec<Element<'a>> {
    let (last, outer) = path.split_last().unwrap();
    let inside = outer.iter().fold(vec![bytes], |inside, id| {
        let named = |bytes| children(bytes).into_iter().filter(|found| found.id == *id);
        inside.into_iter().flat_map(named).map(|found| found.content).collect()
    });
    inside.into_iter().flat_map(children).filter(|found| found.id == *last).collect()
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| (number << 8) | u64::from(*byte))
}
