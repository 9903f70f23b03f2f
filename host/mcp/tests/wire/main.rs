//! The protocol over real HTTP, with a small product behind it.
#![cfg(test)]

mod cancellation;
mod elicitation;
mod handshake;
mod refusals;
mod resources;
mod restart;
mod streams;
mod support;
mod tasks;
