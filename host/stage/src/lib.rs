//! The plugin engine: loads WASI components that fill the stages of a render, limits them, and
//! calls them.
//!
//! [`Engine::load`] turns bytes into a [`Plugin`] or says why not. A plugin is called with a
//! [`Job`](model::Job) under [`Terms`] and answers with a [`Decision`](model::Decision), or ends in
//! a [`PluginFault`] that says which limit or which rule of the contract it broke. Every call runs
//! in an instance of its own, which is gone when the call returns; only a [`Muxer`], a [`Filter`]
//! and an [`Encoder`] keep one, for the time of their file, pass or track.
//!
//! This crate knows the contract in `wit/` and nothing of codecs, files that are sources, or the
//! protocol by which renders are asked for.

mod call;
mod clock;
mod digest;
mod encoder;
mod engine;
mod fault;
mod filter;
mod host;
mod limits;
mod load;
pub mod model;
mod muxer;
mod output;
mod parameters;
mod plugin;
mod rules;

pub use digest::{Digest, MalformedDigest};
pub use encoder::{EncodedTrack, Encoder, EncodingTask};
pub use engine::{Engine, EngineConfig, EngineError};
pub use fault::{LimitKind, PluginFault};
pub use filter::{Filter, Pass};
pub use limits::{Grants, Limits, ReadGrant, Terms};
pub use load::LoadError;
pub use muxer::{Muxer, Written};
pub use output::Output;
pub use parameters::ParameterError;
pub use plugin::{Manifest, Plugin};
