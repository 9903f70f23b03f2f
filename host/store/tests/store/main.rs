//! The store as its callers see it: one suite for every backend, and what only
//! files and processes can show.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod contract;
mod crash;
mod figures;
mod full;
mod migration;
mod model;
mod processes;
mod rules;
mod world;
