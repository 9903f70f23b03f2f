//! The engine that all plugins of a process share.

use std::path::PathBuf;
use std::sync::Arc;

use crate::{Limits, LoadError, Plugin};

/// How an engine is set up.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// Where compiled plugins are kept for the next process; created for the owner alone. Default:
    /// none, every process compiles.
    pub cache_dir: Option<PathBuf>,
    /// The largest component that is accepted. Default: 32 MiB.
    pub max_component_bytes: usize,
    /// How many components are compiled at a time. Default: 2.
    pub compile_jobs: usize,
    /// The limits for the one call of `describe`. Default: [`Limits::default`].
    pub describe: Limits,
}

impl Default for EngineConfig {
    fn default() -> Self {
        Self {
            cache_dir: None,
            max_component_bytes: 32 << 20,
            compile_jobs: 2,
            describe: Limits::default(),
        }
    }
}

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
#[error("the plugin engine could not start: {message}")]
pub struct EngineError {
    /// What happened.
    pub message: String,
}

/// The engine that all plugins of a process share. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    _shared: Arc<()>,
}

impl Engine {
    /// Sets up an engine.
    ///
    /// # Errors
    /// If the cache directory cannot be made or the machine cannot run compiled components.
    pub fn new(config: EngineConfig) -> Result<Self, EngineError> {
        let _ = config;
        Err(EngineError { message: "not built yet".into() })
    }

    /// Checks and compiles a component and asks it what it is. The same bytes are compiled once
    /// while any plugin made from them lives.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub async fn load(&self, bytes: &[u8]) -> Result<Plugin, LoadError> {
        let _ = bytes;
        Err(LoadError::Host { message: "not built yet".into() })
    }

    /// How many instances of plugins live now.
    pub fn live_instances(&self) -> usize {
        0
    }
}
