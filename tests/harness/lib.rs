//! What the tests of the whole product share: running the real program, making
//! sources, and judging outputs with tools that are not ours.

pub mod chromium;
pub mod film;
pub mod judge;
pub mod mcp;
pub mod numbered;
pub mod pictures;
pub mod processes;
pub mod product;
pub mod sources;

pub use product::{Product, Ran};
