//! The product: what a render is, from the request to the published file.
//!
//! The life of a render is a pure function in [`state`]; [`render`] performs
//! its effects with the plugin engine (`stage`) and the codec engine
//! (`media`), which meet only here. Nothing in this crate knows how a render
//! was asked for.

mod admission;
pub mod chain;
pub mod clock;
mod convert;
pub mod digest;
mod faults;
mod picture_file;
pub mod place;
pub mod plans;
mod preview;
mod publish;
pub mod render;
pub mod report;
pub mod request;
mod runner;
pub mod service;
pub mod state;
pub mod suspension;
pub mod watch;

pub use contract::{catalogue, failure};
pub use faults::{load_error, media_error};
