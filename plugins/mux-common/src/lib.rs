//! What writers of every container share: the texts that they keep of a source, languages, and
//! why a file cannot be written.

mod credits;
mod error;
mod language;

pub use credits::{Credit, Credits};
pub use error::{MuxError, TrackProblem};
pub use language::Language;
