//! The engine that all plugins of a process share.

mod ticker;

use std::collections::HashMap;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

use tokio::sync::Semaphore;
use wasmtime::component::Linker;
use wasmtime::{Cache, CacheConfig, Config, InstanceAllocationStrategy, WasmBacktraceDetails};

use crate::host::{Host, linker};
use crate::plugin::Loaded;
use crate::{Digest, Limits, LoadError, Plugin};
use ticker::Ticker;

/// The step in which plugin time is counted.
pub(crate) const TICK_MS: u64 = 10;

/// The stack that a plugin's calls may use.
pub(crate) const STACK_BYTES: usize = 512 << 10;

/// The stack of a call with what host functions need on top.
const FIBER_BYTES: usize = 2 << 20;

/// How an engine is set up.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// Where compiled plugins are kept for the next process; created for the owner alone. Default:
    /// none, every process compiles.
    pub cache_dir: Option<PathBuf>,
    /// The largest component that is accepted. Default: 32 MiB.
    pub max_component_bytes: usize,
    /// How many components are compiled at a time, at least 1. Default: 2.
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

/// The engine that all plugins of a process share. Cheap to clone; its thread ends with the last
/// clone and the last plugin.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
}

/// What an engine and its plugins have in common.
pub(crate) struct Shared {
    pub(crate) wasmtime: wasmtime::Engine,
    pub(crate) linker: Linker<Host>,
    pub(crate) config: EngineConfig,
    pub(crate) compiling: Semaphore,
    pub(crate) loaded: Mutex<HashMap<Digest, Weak<Loaded>>>,
    live: Arc<AtomicUsize>,
    _ticker: Ticker,
}

impl Engine {
    /// Sets up an engine.
    ///
    /// # Errors
    /// If the cache directory cannot be made or others can write to it, or the machine cannot run compiled components.
    pub fn new(config: EngineConfig) -> Result<Self, EngineError> {
        let set_up = || -> wasmtime::Result<Shared> {
            let wasmtime = wasmtime::Engine::new(&wasmtime_config(config.cache_dir.as_deref())?)?;
            let mut linker = Linker::new(&wasmtime);
            linker::fill(&mut linker)?;
            Ok(Shared {
                _ticker: Ticker::start(&wasmtime)?,
                wasmtime,
                linker,
                compiling: Semaphore::new(config.compile_jobs.max(1)),
                config,
                loaded: Mutex::default(),
                live: Arc::default(),
            })
        };
        match set_up() {
            Ok(shared) => Ok(Self { shared: Arc::new(shared) }),
            Err(error) => Err(EngineError { message: format!("{error:#}") }),
        }
    }

    /// Checks and compiles a component and asks it what it is. The same bytes are compiled once
    /// while any plugin made from them lives.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub async fn load(&self, bytes: &[u8]) -> Result<Plugin, LoadError> {
        crate::load::load(&self.shared, bytes).await
    }

    /// How many instances of plugins live now.
    pub fn live_instances(&self) -> usize {
        self.shared.live.load(Ordering::Acquire)
    }
}

impl Shared {
    /// Counts an instance for as long as the value lives.
    pub(crate) fn alive(&self) -> Alive {
        self.live.fetch_add(1, Ordering::AcqRel);
        Alive(Arc::clone(&self.live))
    }
}

/// Counts as one living instance.
pub(crate) struct Alive(Arc<AtomicUsize>);

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Makes a directory for the owner alone, or takes one that nobody else can write to: what is in
/// it will run as native code.
fn make_private_dir(dir: &Path) -> wasmtime::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    if fs::metadata(dir)?.permissions().mode() & 0o022 != 0 {
        return Err(wasmtime::Error::msg(format!("others can write to {}", dir.display())));
    }
    Ok(())
}

fn wasmtime_config(cache_dir: Option<&Path>) -> wasmtime::Result<Config> {
    let mut config = Config::new();
    config
        .concurrency_support(false)
        .epoch_interruption(true)
        .max_wasm_stack(STACK_BYTES)
        .async_stack_size(FIBER_BYTES)
        .allocation_strategy(InstanceAllocationStrategy::OnDemand)
        .wasm_backtrace_details(WasmBacktraceDetails::Enable)
        // Plugins use none of these, and each is code that hostile bytes could reach. Threads are
        // not even built in.
        .wasm_relaxed_simd(false)
        .wasm_memory64(false)
        .wasm_multi_memory(false)
        .wasm_gc(false)
        .wasm_exceptions(false)
        .wasm_tail_call(false);
    if let Some(dir) = cache_dir {
        make_private_dir(dir)?;
        let mut cache = CacheConfig::new();
        cache.with_directory(std::path::absolute(dir)?);
        config.cache(Some(Cache::new(cache)?));
    }
    Ok(config)
}
