//! What watermark plugins share: texts and pictures made into marks, and the
//! question about them.
//!
//! A [`Subject`] is what the request asks to draw. It becomes a picture of its
//! own size, wherever the plugin then puts it. Fonts and picture formats are in
//! this crate and nowhere else, so everything that somebody gave is parsed
//! inside the sandbox.
#![forbid(unsafe_code)]

mod approval;
mod fonts;
mod ink;
mod mask;
mod picture;
pub mod place;
mod subject;
mod text;
mod typeset;

pub use approval::{ask, conclude};
pub use subject::{Style, Subject};
