//! The language of a track.

/// A language by the three letters of ISO 639-2/T, `und` where it is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language([u8; 3]);

impl Language {
    /// The language of these letters; undetermined without them or if they are no such code.
    pub fn new(code: Option<&str>) -> Self {
        code.and_then(|code| <[u8; 3]>::try_from(code.as_bytes()).ok())
            .filter(|code| code.iter().all(u8::is_ascii_lowercase))
            .map_or(Self(*b"und"), Self)
    }

    /// Its letters.
    pub fn letters(self) -> [u8; 3] {
        self.0
    }
}

#[cfg(test)]
mod tests;
