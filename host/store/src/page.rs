//! Long lists in pages.

use crate::clock::Millis;
use crate::error::{Error, Result};

/// Which part of a list is wanted.
#[derive(Clone, Debug)]
pub struct PageRequest {
    /// What [`Page::next`] of the page before said; none for the first page.
    pub cursor: Option<String>,
    /// The most entries that are wanted.
    pub limit: u32,
}

impl PageRequest {
    /// The first page.
    #[must_use]
    pub fn first(limit: u32) -> Self {
        Self { cursor: None, limit }
    }
}

/// A part of a list, newest first. What is added meanwhile comes before it, and
/// what is removed is missing: no entry comes twice and none is skipped.
#[derive(Clone, Debug)]
pub struct Page<T> {
    /// The entries.
    pub items: Vec<T>,
    /// Where the next page begins; none after the last entry.
    pub next: Option<String>,
}

/// A place in a list: before this moment, and of the same moment before this id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) created: Millis,
    pub(crate) id: String,
}

impl Place {
    fn cursor(&self) -> String {
        format!("{:x}.{}", self.created.0, self.id)
    }

    /// Reads a cursor; none is the place before the newest.
    pub(crate) fn of(request: &PageRequest) -> Result<Self> {
        let Some(cursor) = &request.cursor else {
            return Ok(Self { created: Millis(i64::MAX.unsigned_abs()), id: String::new() });
        };
        let place = cursor.split_once('.').and_then(|(created, id)| {
            let created = Millis(u64::from_str_radix(created, 16).ok()?);
            i64::try_from(created.0).ok()?;
            Some(Self { created, id: id.to_owned() })
        });
        place.ok_or_else(|| Error::Invalid("The cursor is not one that this list gave.".into()))
    }
}

impl<T> Page<T> {
    /// Makes a page of one entry more than was wanted, where there is one.
    pub(crate) fn cut(mut items: Vec<T>, limit: u32, place: impl Fn(&T) -> Place) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let more = items.len() > limit;
        items.truncate(limit);
        let next = items.last().filter(|_| more).map(|last| place(last).cursor());
        Self { items, next }
    }
}
