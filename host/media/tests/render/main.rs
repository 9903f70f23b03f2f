//! Probing and rendering with the real ffmpeg, in the real jail.
#![cfg(test)]

mod codecs;
mod copies;
mod damaged;
mod framed;
mod framed_ends;
mod generated;
mod inspection;
mod overlays;
mod previews;
mod samples;
mod support;
