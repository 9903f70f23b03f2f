//! One module for each command.

pub(crate) mod config;
pub(crate) mod explain;
pub(crate) mod plugin;
pub(crate) mod probe;
pub(crate) mod render;
pub(crate) mod resume;
