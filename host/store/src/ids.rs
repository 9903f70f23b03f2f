//! Names that nobody can guess, injected so that tests can foresee them.

use crate::error::{Error, Result};

/// Gives the randomness that ids and secrets are made of.
pub trait Ids: Send + Sync {
    /// Fills `bytes` with bytes that nobody can foresee.
    ///
    /// # Errors
    ///
    /// A sentence, where the system has none to give.
    fn draw(&self, bytes: &mut [u8]) -> std::result::Result<(), String>;
}

/// The operating system's randomness.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemIds;

impl Ids for SystemIds {
    fn draw(&self, bytes: &mut [u8]) -> std::result::Result<(), String> {
        getrandom::fill(bytes).map_err(|error| error.to_string())
    }
}

/// One of 32 characters, so that each stands for five bits.
fn letter(byte: u8) -> char {
    match byte % 32 {
        letter @ 0..26 => char::from(b'a' + letter),
        digit => char::from(b'2' + digit - 26),
    }
}

/// The characters of an id: 130 bits.
const ID_CHARS: usize = 26;

/// The characters of a secret: 260 bits.
const SECRET_CHARS: usize = 52;

/// `prefix` and 130 bits of chance.
pub(crate) fn id(ids: &dyn Ids, prefix: &str) -> Result<String> {
    random(ids, prefix, ID_CHARS)
}

/// `prefix` and 260 bits of chance.
pub(crate) fn secret(ids: &dyn Ids, prefix: &str) -> Result<String> {
    random(ids, prefix, SECRET_CHARS)
}

fn random(ids: &dyn Ids, prefix: &str, chars: usize) -> Result<String> {
    let mut bytes = [0; SECRET_CHARS];
    let bytes = bytes.get_mut(..chars).unwrap_or_default();
    ids.draw(bytes).map_err(Error::Io)?;
    let letters = bytes.iter().map(|byte| letter(*byte));
    Ok(prefix.chars().chain(letters).collect())
}
