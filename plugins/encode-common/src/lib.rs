//! What encode stages share: how large the raster is and how fast, what is heard, what may be
//! passed on as it is, and what is refused.
#![forbid(unsafe_code)]

mod copying;
mod rate;
mod refusals;
mod size;
mod sound;
#[cfg(test)]
mod tests;

pub use copying::{Copying, may_copy};
pub use rate::frame_rate;
pub use refusals::{refuse_hdr, refuse_other_container};
pub use size::raster_size;
pub use sound::{SoundCodec, SoundWishes, sound};
