//! The bytes of plugins that waiting renders need.

use crate::Reply;

/// Plugins by their digest: `sha256:` and 64 hexadecimal digits. One that no
/// unfinished render needs is removed some time later.
pub trait Plugins: Send + Sync {
    /// Keeps a plugin and gives its digest. Keeping the same again is cheap.
    fn keep_plugin(&self, bytes: Vec<u8>) -> Reply<String>;

    /// The bytes of a kept plugin; `NotFound`.
    fn plugin(&self, digest: &str) -> Reply<Vec<u8>>;
}
