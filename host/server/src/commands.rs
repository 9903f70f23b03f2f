//! One module for each command.

pub(crate) mod asset;
pub(crate) mod config;
pub(crate) mod explain;
pub(crate) mod links;
pub(crate) mod plugin;
pub(crate) mod probe;
pub(crate) mod render;
pub(crate) mod resume;
pub(crate) mod serve;
pub(crate) mod token;
