//! Between the generated bindings and the crate's own types.

mod frames;
mod output;
mod read;
mod stages;
mod write;

pub use stages::{Encode, Mux, Watermark};
