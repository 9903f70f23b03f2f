//! Where things lie, found from where this program runs and never written down.

use crate::Outcome;
use std::path::{Path, PathBuf};

/// The workspace of the server that ours is measured against, in the checkout.
pub(crate) const REFERENCE: &str = "host/bench/reference";

/// The checkout.
pub(crate) fn root() -> Outcome<PathBuf> {
    // Set by `cargo run`; what the compiler knew serves a program run by hand.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let root = manifest.ancestors().nth(2).map(Path::to_owned);
    root.ok_or_else(|| "this program does not lie in host/xtask of a checkout".into())
}

/// The folder that built programs are put in, this one among them: whatever
/// target directory and profile cargo was told to use.
pub(crate) fn binaries() -> Outcome<PathBuf> {
    let program = std::env::current_exe()?;
    let folder = program.parent().map(Path::to_owned);
    folder.ok_or_else(|| "this program lies in no folder".into())
}
