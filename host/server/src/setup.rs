//! Wiring: from a configuration to the engines and a chain.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use media::{Ffmpeg, Launcher, Tools};
use render::catalogue::Code;
use render::chain::{Chain, Link};
use render::clock::SystemClock;
use render::failure::Failure;
use render::render::Host;
use render::request::Container;
use render::suspension::Configured;
use render::watch::Watcher;
use render::{load_error, media_error};
use stage::model::Stage;
use stage::{Engine, EngineConfig, EngineError, Plugin};

use crate::config::{Config, MediaConfig, is_path};

/// The hidden command with which the program starts itself again to become
/// ffmpeg in its jail.
pub(crate) const JAIL_COMMAND: &str = "__jail";

/// The engines that a configuration asks for.
pub(crate) struct Setup {
    pub(crate) config: Config,
    pub(crate) engine: Engine,
}

impl Setup {
    /// Reads the configuration and starts the plugin engine.
    pub(crate) fn new(config_file: Option<&Path>) -> Result<Self, Failure> {
        let config = Config::load(config_file)?;
        let engine = match &config.cache_dir {
            Some(dir) => engine(Some(dir.clone())).map_err(|error| {
                let message =
                    format!("The cache folder {} cannot be used: {error}.", dir.display());
                Failure::new(Code::ConfigInvalid, message)
            })?,
            // Without a cache plugins are compiled every time, which is slow but right.
            None => engine(user_cache()).or_else(|error| {
                tracing::warn!("plugins are compiled anew every time: {error}");
                engine(None).map_err(|error| Failure::new(Code::Internal, format!("{error}.")))
            })?,
        };
        Ok(Self { config, engine })
    }

    /// The codec engine.
    pub(crate) fn ffmpeg(&self) -> Result<Ffmpeg, Failure> {
        ffmpeg(&self.config.media)
    }

    /// What every render shares.
    pub(crate) fn host(&self, watcher: Arc<dyn Watcher>) -> Result<Host, Failure> {
        Ok(Host {
            ffmpeg: self.ffmpeg()?,
            clock: Arc::new(SystemClock),
            approval_time: Duration::from_secs(self.config.approval.deadline_seconds),
            watcher,
        })
    }

    /// The plugin folder.
    pub(crate) fn plugin_dir(&self) -> PathBuf {
        self.config.plugin_dir.clone().unwrap_or_else(beside_the_program)
    }

    /// The file that a chain entry names.
    pub(crate) fn component_file(&self, entry: &str) -> PathBuf {
        if is_path(entry) {
            PathBuf::from(entry)
        } else {
            self.plugin_dir().join(format!("{entry}.wasm"))
        }
    }

    /// The chain for a container as configured.
    pub(crate) async fn chain(&self, container: Container) -> Result<Chain, Failure> {
        self.check_names()?;
        // Side by side: reading and checking a component takes a while.
        let links = tokio::try_join!(
            self.link(Stage::Encode, container),
            self.link(Stage::Watermark, container),
            self.link(Stage::Mux, container),
        )?;
        let (encode, watermark, mux) = links;
        let links = [(Stage::Encode, encode), (Stage::Watermark, watermark), (Stage::Mux, mux)];
        let chain = Chain::new(links.into())?;
        chain.check_container(container)?;
        Ok(chain)
    }

    /// Refuses a configuration with a chain of its own for a container that cannot work, whatever
    /// container is asked for: the mistake is found when it is made, not by a later render.
    pub(crate) async fn check_chains(&self) -> Result<(), Failure> {
        for container in Container::ALL.iter().copied() {
            if self.config.chain.is_set_for(container) {
                self.chain(container).await.map_err(|mut failure| {
                    failure.message = format!("In [chain.{container}]: {}", failure.message);
                    failure
                })?;
            }
        }
        Ok(())
    }

    /// The plugin that fills a stage in the chain for a container.
    async fn link(&self, stage: Stage, container: Container) -> Result<Link, Failure> {
        let entry = self.config.chain.plugin(stage, container);
        let (plugin, component) = self.load(&self.component_file(entry)).await?;
        let name = plugin_name(entry);
        let parameters = self.config.parameters(&name);
        let terms = self.config.terms(&name);
        Link::new(stage, &name, plugin, component, &parameters, terms)
    }

    /// Refuses settings for a plugin that there is not: a misspelt name would
    /// lose them in silence.
    fn check_names(&self) -> Result<(), Failure> {
        let in_chain =
            |name: &str| self.config.chain.entries().any(|entry| plugin_name(entry) == name);
        let unknown = self
            .config
            .plugins
            .keys()
            .find(|name| !in_chain(name) && !self.component_file(name).is_file());
        match unknown {
            Some(name) => {
                let message = format!(
                    "The configuration has settings for `{name}`, and there is no such plugin."
                );
                Err(Failure::new(Code::ConfigInvalid, message))
            }
            None => Ok(()),
        }
    }

    /// Loads a component from a file.
    pub(crate) async fn load(&self, file: &Path) -> Result<(Plugin, Arc<Vec<u8>>), Failure> {
        let path = file.to_owned();
        let read = tokio::task::spawn_blocking(move || fs::read(path)).await;
        let component = read.unwrap_or_else(|error| Err(io::Error::other(error)));
        let component = component.map_err(|error| {
            let message = format!("The plugin {} cannot be read: {error}.", file.display());
            Failure::new(Code::PluginUnusable, message).with("plugin", file.display().to_string())
        })?;
        let plugin = self
            .engine
            .load(&component)
            .await
            .map_err(|error| load_error(&file.display().to_string(), &error))?;
        Ok((plugin, Arc::new(component)))
    }

    /// What the configuration says of every stage, for comparing with what is
    /// pinned.
    pub(crate) fn configured(&self, container: Container) -> BTreeMap<Stage, Configured> {
        Stage::ALL
            .into_iter()
            .map(|stage| {
                let name = plugin_name(self.config.chain.plugin(stage, container));
                let configured = Configured {
                    parameters: self.config.parameters(&name),
                    grants: self.config.terms(&name).grants,
                    name,
                };
                (stage, configured)
            })
            .collect()
    }
}

/// ffmpeg as configured.
pub(crate) fn tools(media: &MediaConfig) -> Result<Tools, Failure> {
    Tools::find(media.ffmpeg.as_deref(), media.ffprobe.as_deref()).map_err(media_error)
}

/// The codec engine as configured.
pub(crate) fn ffmpeg(media: &MediaConfig) -> Result<Ffmpeg, Failure> {
    // The link still leads to this program when its file has been replaced.
    let launcher = Launcher {
        program: PathBuf::from("/proc/self/exe"),
        args: vec![OsString::from(JAIL_COMMAND)],
    };
    Ffmpeg::new(tools(media)?, launcher, media.limits()).map_err(media_error)
}

fn engine(cache_dir: Option<PathBuf>) -> Result<Engine, EngineError> {
    Engine::new(EngineConfig { cache_dir, ..EngineConfig::default() })
}

/// The name of a chain entry: itself, or a path's last part without `.wasm`.
pub(crate) fn plugin_name(entry: &str) -> String {
    if !is_path(entry) {
        return entry.to_owned();
    }
    Path::new(entry).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn beside_the_program() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    program.parent().unwrap_or(Path::new(".")).join("plugins")
}

fn user_cache() -> Option<PathBuf> {
    user_folder("XDG_CACHE_HOME", ".cache")
}

/// This program's folder among the user's: below what the variable names, else below this place at
/// home.
pub(crate) fn user_folder(variable: &str, at_home: &str) -> Option<PathBuf> {
    let absolute =
        |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(at_home)))?;
    Some(folder.join("video-render-mcp"))
}
