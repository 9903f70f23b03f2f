//! The store as its callers see it: one suite for every backend, and what only
//! files and processes can show.

mod contract;
mod crash;
mod figures;
mod full;
mod migration;
mod model;
mod processes;
mod rules;
mod world;
