//! Between the generated bindings and the crate's own types.

mod read;
mod stages;
mod write;

pub use stages::{Encode, Mux, Watermark};
