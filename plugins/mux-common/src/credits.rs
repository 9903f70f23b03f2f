//! Which texts of the source are kept.

/// A text that a source carries about itself and that its renders keep.
///
/// This is an allow-list: what is not on it is dropped. It holds what was written for an
/// audience, which a render must not take away: title, author, rights. Where and with what a film
/// was shot is nobody's business, and comments are full of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credit {
    /// What it is called.
    Title,
    /// Whose work it is.
    Artist,
    /// Who holds which rights.
    Copyright,
}

impl Credit {
    /// All that are kept.
    pub const ALL: [Self; 3] = [Self::Title, Self::Artist, Self::Copyright];

    /// The tag by ffmpeg's name.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Artist => "artist",
            Self::Copyright => "copyright",
        }
    }
}

/// The texts of a source that its renders keep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credits(Vec<(Credit, String)>);

impl Credits {
    /// Asks for each text by its tag, and leaves out those that are not there or empty.
    pub fn gather(tag: impl Fn(&str) -> Option<String>) -> Self {
        let present = |credit: Credit| {
            let text = tag(credit.tag()).filter(|text| !text.trim().is_empty())?;
            Some((credit, text))
        };
        Self(Credit::ALL.into_iter().filter_map(present).collect())
    }

    /// Whether there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is kept, in the order of [`Credit::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Credit, &str)> {
        self.0.iter().map(|(credit, text)| (*credit, text.as_str()))
    }
}

#[cfg(test)]
mod tests;
