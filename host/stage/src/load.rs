//! From bytes to a plugin.

use crate::PluginFault;

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
    #[error("the plugin needs {import}, this host has version {has} of the contract")]
    NewerContract {
        /// The import or export that names the other version.
        import: String,
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
