//! Randomness, injected so that tests can tell ids apart.

use std::fmt::Write as _;

/// Makes ids that nobody can guess.
pub trait Ids: Send + Sync + 'static {
    /// A new id of letters and digits, with at least 128 random bits. `None` if the machine has
    /// no randomness to give; nothing is served then.
    fn token(&self) -> Option<String>;
}

/// Ids from the operating system's randomness.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemIds;

impl Ids for SystemIds {
    fn token(&self) -> Option<String> {
        let mut bytes = [0_u8; 20];
        getrandom::fill(&mut bytes).ok()?;
        let mut text = String::with_capacity(40);
        for byte in bytes {
            write!(text, "{byte:02x}").ok()?;
        }
        Some(text)
    }
}
