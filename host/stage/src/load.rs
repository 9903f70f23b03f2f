//! From bytes to a plugin.

mod imports;

use std::sync::{Arc, PoisonError};

use wasmtime::component::{Component, InstancePre};

use crate::call::Watch;
use crate::engine::Shared;
use crate::host::bindings::exports::video_render::stage::plugin;
use crate::host::exports::Exports;
use crate::host::{Host, ManifestHandle};
use crate::model::Stage;
use crate::plugin::Loaded;
use crate::{Digest, Grants, Manifest, Plugin, PluginFault, Terms};

/// Why bytes are no plugin for this host.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The component is larger than [`EngineConfig::max_component_bytes`](crate::EngineConfig).
    #[error("the plugin has {size} bytes, {allowed} are allowed")]
    TooLarge {
        /// The limit in bytes.
        allowed: usize,
        /// The size in bytes.
        size: usize,
    },
    /// The bytes are not a WebAssembly component.
    #[error("this is not a WebAssembly component: {message}")]
    NotAComponent {
        /// What was found instead.
        message: String,
    },
    /// A component, but not one that fills a stage of this contract.
    #[error("the component does not fit the stage contract: {message}")]
    WrongWorld {
        /// What is missing or of another form.
        message: String,
    },
    /// The component wants something that no plugin is given.
    #[error("the plugin imports {import}, which is not granted")]
    UngrantedImport {
        /// The import's name.
        import: String,
    },
    /// The component was built against a contract that this host does not have.
    #[error("the plugin was built against {name}, this host has version {has} of the contract")]
    NewerContract {
        /// The import or export that names the other version.
        name: String,
        /// The host's version.
        has: String,
    },
    /// The plugin did not manage to say what it is.
    #[error("the plugin could not describe itself: {0}")]
    Describe(#[source] PluginFault),
    /// The component could not be compiled.
    #[error("the plugin could not be compiled: {message}")]
    Compile {
        /// The compiler's reason.
        message: String,
    },
    /// The host itself failed.
    #[error("the plugin host failed: {message}")]
    Host {
        /// What happened.
        message: String,
    },
}

/// Loads a plugin, or finds it among those that are loaded.
pub(crate) async fn load(shared: &Arc<Shared>, bytes: &[u8]) -> Result<Plugin, LoadError> {
    check_form(bytes, shared.config.max_component_bytes)?;
    let digest = Digest::of(bytes);
    if let Some(plugin) = find(shared, &digest) {
        return Ok(plugin);
    }
    let component = compile(shared, bytes).await?;
    let imports = imports::check(&component, &shared.wasmtime)?;
    let pre = shared
        .linker
        .instantiate_pre(&component)
        .map_err(|error| imports::unmet(&imports, &error))?;
    let exports = Exports::find(&pre)
        .map_err(|error| imports::no_export(&component, &shared.wasmtime, &error))?;
    if let Some(message) = exports.missing() {
        return Err(LoadError::WrongWorld { message: message.to_owned() });
    }
    let stages = exports.stages();
    if stages.is_empty() {
        let message = "it exports neither encode nor watermark nor mux".to_owned();
        return Err(LoadError::WrongWorld { message });
    }
    let ManifestHandle { name, version, parameters: schema, containers, marks } =
        describe(shared, &pre, &exports, &digest).await?;
    let parameters = schema.as_ref().map(|schema| schema.text().clone());
    let manifest = Manifest { name, version, parameters, containers, marks };
    let shared = Arc::clone(shared);
    let loaded = Loaded { shared, pre, exports, digest, manifest, schema, stages, imports };
    Ok(keep(loaded))
}

/// Says early and clearly what is no component at all.
fn check_form(bytes: &[u8], allowed: usize) -> Result<(), LoadError> {
    if bytes.len() > allowed {
        return Err(LoadError::TooLarge { allowed, size: bytes.len() });
    }
    let message = match bytes.get(..8) {
        Some([0, b'a', b's', b'm', _, 0, 1, 0]) => return Ok(()),
        Some([0, b'a', b's', b'm', _, 0, 0, 0]) => "it is a core module",
        _ => "it does not begin as one",
    };
    Err(LoadError::NotAComponent { message: message.to_owned() })
}

async fn compile(shared: &Arc<Shared>, bytes: &[u8]) -> Result<Component, LoadError> {
    let host_fault = |message: String| LoadError::Host { message };
    let _turn = shared.compiling.acquire().await.map_err(|e| host_fault(e.to_string()))?;
    let (engine, bytes) = (shared.wasmtime.clone(), bytes.to_owned());
    tokio::task::spawn_blocking(move || Component::new(&engine, bytes))
        .await
        .map_err(|e| host_fault(e.to_string()))?
        .map_err(|e| LoadError::Compile { message: format!("{e:#}") })
}

/// Checks the types of all exports and asks the plugin what it is.
async fn describe(
    shared: &Shared,
    pre: &InstancePre<Host>,
    exports: &Exports,
    digest: &Digest,
) -> Result<ManifestHandle, LoadError> {
    let terms = Terms { limits: shared.config.describe.clone(), grants: Grants::default() };
    let watch = Watch::new(&digest.to_string(), &terms);
    let work = async {
        let mut store = watch.store(shared, terms.limits.plugin_time_ms, None)?;
        let instance = pre.instantiate_async(&mut store).await?;
        let plugin = match check_types(exports, &mut store, &instance) {
            Ok(plugin) => plugin,
            Err(error) => return Ok(Err(error)),
        };
        let manifest = plugin.call_describe(&mut store).await?;
        store.data_mut().take(manifest).map(Ok)
    };
    let outcome = watch.run(terms.limits.wall_time_ms, work).await.map_err(LoadError::Describe)?;
    outcome.map_err(|error| LoadError::WrongWorld { message: format!("{error:#}") })
}

fn check_types(
    exports: &Exports,
    store: &mut wasmtime::Store<Host>,
    instance: &wasmtime::component::Instance,
) -> wasmtime::Result<plugin::Guest> {
    for stage in exports.stages() {
        let decider = exports.decider(stage, store, instance);
        decider
            .map_err(|error| error.context(format!("its interface {stage} is of another form")))?;
    }
    if exports.stages().contains(&Stage::Mux) {
        let muxing = exports.muxing(store, instance);
        muxing.map_err(|error| error.context("its interface muxing is of another form"))?;
    }
    if exports.filters_frames() {
        let filter = exports.filter(store, instance);
        filter.map_err(|error| error.context("its interface frame-filter is of another form"))?;
    }
    if exports.encodes_frames() {
        let encoder = exports.encoder(store, instance);
        encoder.map_err(|error| error.context("its interface frame-encoder is of another form"))?;
    }
    exports.plugin(store, instance)
}

fn find(shared: &Shared, digest: &Digest) -> Option<Plugin> {
    let loaded = shared.loaded.lock().unwrap_or_else(PoisonError::into_inner);
    loaded.get(digest)?.upgrade().map(Plugin)
}

/// Keeps a plugin for others that load the same bytes; the first of two that raced is kept.
fn keep(plugin: Loaded) -> Plugin {
    let shared = Arc::clone(&plugin.shared);
    let mut loaded = shared.loaded.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(first) = loaded.get(&plugin.digest).and_then(std::sync::Weak::upgrade) {
        return Plugin(first);
    }
    loaded.retain(|_, plugin| plugin.strong_count() > 0);
    let plugin = Arc::new(plugin);
    loaded.insert(plugin.digest, Arc::downgrade(&plugin));
    Plugin(plugin)
}
