//! What the plugin writes, judged by readers that share no code with it: ffprobe, ffmpeg and a
//! demuxer in Rust. Tests that need ffmpeg say so and pass where it is missing.

#[cfg(test)]
mod films;
#[cfg(test)]
mod large;
#[cfg(test)]
mod seeking;
#[cfg(test)]
mod support;
