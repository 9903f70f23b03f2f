//! Run-length lists, the shape in which the format stores most of what it says about samples.

/// A list of values in which equal neighbours are counted instead of repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Runs<T> {
    runs: Vec<(u32, T)>,
}

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Self { runs: Vec::new() }
    }
}

impl<T: Copy + PartialEq> Runs<T> {
    /// Appends a value.
    pub(crate) fn push(&mut self, value: T) {
        match self.runs.last_mut() {
            Some((count, last)) if *last == value && *count < u32::MAX => {
                *count = count.saturating_add(1);
            }
            _ => self.runs.push((1, value)),
        }
    }

    /// The runs: how often a value comes, and the value.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, T)> {
        self.runs.iter().copied()
    }

    /// The number of runs.
    pub(crate) fn len(&self) -> usize {
        self.runs.len()
    }

    /// Bytes of memory behind the list.
    #[cfg(test)]
    pub(crate) fn memory(&self) -> usize {
        self.runs.capacity() * size_of::<(u32, T)>()
    }
}
