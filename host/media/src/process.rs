//! Running one tool in the jail: descriptors in, pipes out, progress, an end that is certain.
//!
//! The engine's own methods are built on this. It is public so that a test or a diagnosis can
//! run a tool under exactly the conditions of a render.

mod capture;
mod child;
mod exit;
mod job;
mod progress;
pub(crate) mod said;
mod spawner;
mod tail;
mod watchdog;

pub use child::Child;
pub use exit::Exit;
pub use job::{Job, Tool};
pub use progress::{Progress, ProgressParser};
pub(crate) use spawner::Spawner;
pub use watchdog::{Verdict, Watchdog};
