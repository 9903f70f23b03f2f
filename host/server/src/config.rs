//! The configuration file: chain, plugin folder, parameters, grants, limits.
//!
//! Every key has a default, and `reference.toml` documents them all; a test
//! keeps the two equal.

mod chain;
mod server;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use media::jail::{JailLimits, Landlock};
use render::catalogue::Code;
use render::failure::Failure;
use serde::{Deserialize, Serialize};
use stage::{Grants, Limits, Terms};

pub(crate) use chain::{ChainConfig, is_path};
pub(crate) use server::{Auth, RendersConfig, ServerConfig, public};

/// The documented reference, which is also the default.
pub(crate) const REFERENCE: &str = include_str!("config/reference.toml");

/// What one call of a plugin can carry, by the stage engine's own limit.
const MAX_STATE_BYTES: u64 = 16 << 20;

/// The least address space in which ffmpeg starts at all, its libraries being
/// mapped.
const MIN_FFMPEG_BYTES: u64 = 512 << 20;

/// A whole configuration.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Config {
    /// Where plugins are found by name; the folder `plugins` beside the
    /// program if not given.
    pub(crate) plugin_dir: Option<PathBuf>,
    /// Where compiled plugins are kept; the user's cache folder if not given.
    pub(crate) cache_dir: Option<PathBuf>,
    /// Which plugin fills which stage.
    pub(crate) chain: ChainConfig,
    /// What each plugin is given, by name.
    pub(crate) plugins: BTreeMap<String, PluginConfig>,
    /// The limits of every plugin.
    pub(crate) limits: Limits,
    /// The codec engine.
    pub(crate) media: MediaConfig,
    /// Questions to a person.
    pub(crate) approval: ApprovalConfig,
    /// Where and for whom `serve` serves.
    pub(crate) server: ServerConfig,
    /// The renders of a server.
    pub(crate) renders: RendersConfig,
}

/// What one plugin is given.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct PluginConfig {
    /// Its own parameters.
    pub(crate) parameters: serde_json::Map<String, serde_json::Value>,
    /// What it may use beyond the baseline.
    pub(crate) grants: Grants,
    /// Where its limits differ from those of all plugins.
    limits: toml::Table,
}

impl PluginConfig {
    /// Its limits, given those of all plugins; the error says what is wrong.
    fn limits(&self, all: &Limits) -> Result<Limits, String> {
        let mut limits = toml::Table::try_from(all).map_err(|error| error.to_string())?;
        limits.extend(self.limits.clone());
        limits.try_into().map_err(|error: toml::de::Error| error.message().replace('\n', " "))
    }
}

/// How ffmpeg is found, locked in and limited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct MediaConfig {
    pub(crate) ffmpeg: Option<PathBuf>,
    pub(crate) ffprobe: Option<PathBuf>,
    pub(crate) landlock: LandlockConfig,
    pub(crate) memory_bytes: u64,
    pub(crate) cpu_seconds: u64,
    pub(crate) max_pixels: u64,
    pub(crate) max_frames: u64,
    pub(crate) stall_seconds: u64,
    pub(crate) probe_seconds: u64,
    pub(crate) buffer_bytes: u64,
}

/// Whether ffmpeg may run where the kernel cannot lock it in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LandlockConfig {
    Required,
    IfAvailable,
}

impl Default for MediaConfig {
    fn default() -> Self {
        let limits = media::Limits::default();
        Self {
            ffmpeg: None,
            ffprobe: None,
            landlock: LandlockConfig::Required,
            memory_bytes: limits.jail.memory_bytes,
            cpu_seconds: limits.jail.cpu_seconds,
            max_pixels: limits.max_pixels,
            max_frames: limits.max_frames,
            stall_seconds: limits.stall.as_secs(),
            probe_seconds: limits.probe_time.as_secs(),
            buffer_bytes: limits.buffer_bytes,
        }
    }
}

impl MediaConfig {
    /// The limits of the codec engine.
    pub(crate) fn limits(&self) -> media::Limits {
        let defaults = media::Limits::default();
        media::Limits {
            jail: JailLimits {
                memory_bytes: self.memory_bytes,
                cpu_seconds: self.cpu_seconds,
                ..defaults.jail
            },
            landlock: match self.landlock {
                LandlockConfig::Required => Landlock::Required,
                LandlockConfig::IfAvailable => Landlock::IfAvailable,
            },
            max_pixels: self.max_pixels,
            max_frames: self.max_frames,
            stall: Duration::from_secs(self.stall_seconds),
            probe_time: Duration::from_secs(self.probe_seconds),
            buffer_bytes: self.buffer_bytes,
        }
    }
}

/// Questions to a person.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ApprovalConfig {
    /// How long an answer is waited for.
    pub(crate) deadline_seconds: u64,
}

impl Default for ApprovalConfig {
    fn default() -> Self {
        Self { deadline_seconds: 24 * 3600 }
    }
}

impl Config {
    /// Reads a file, or gives the defaults where there is none. Relative paths
    /// in the file are taken from the file's folder.
    ///
    /// # Errors
    ///
    /// `config_invalid` with the place.
    pub(crate) fn load(file: Option<&Path>) -> Result<Self, Failure> {
        let Some(file) = file else { return Ok(Self::default()) };
        let invalid = |what: String| {
            Failure::new(
                Code::ConfigInvalid,
                format!("The configuration {} {what}", file.display()),
            )
        };
        let text = fs::read_to_string(file)
            .map_err(|error| invalid(format!("cannot be read: {error}.")))?;
        let mut config =
            Self::parse(&text).map_err(|error| invalid(format!("is wrong at {error}.")))?;
        config.check_ranges().map_err(|what| invalid(format!("is wrong: {what}.")))?;
        let folder = file.parent().unwrap_or(Path::new("."));
        let own = [&mut config.plugin_dir, &mut config.cache_dir, &mut config.server.data_dir];
        for path in own.into_iter().flatten() {
            *path = folder.join(&*path);
        }
        config.chain.start_paths_at(folder);
        Ok(config)
    }

    /// Parses a configuration; the error says line, column and what is wrong,
    /// in one line.
    fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| {
            let place = error.span().map(|span| position(text, span.start));
            let (line, column) = place.unwrap_or((1, 1));
            format!("line {line}, column {column}: {}", error.message().replace('\n', " "))
        })
    }

    /// Refuses numbers with which nothing could run.
    fn check_ranges(&self) -> Result<(), String> {
        check_limits(&self.limits)?;
        for (name, plugin) in &self.plugins {
            let limits = plugin.limits(&self.limits).and_then(|limits| check_limits(&limits));
            limits.map_err(|what| format!("the limits of `{name}`: {what}"))?;
        }
        check_positive(&self.media)?;
        self.server.check()?;
        self.renders.check()?;
        if self.media.memory_bytes < MIN_FFMPEG_BYTES {
            return Err(format!("ffmpeg needs a memory_bytes of at least {MIN_FFMPEG_BYTES}"));
        }
        Ok(())
    }

    /// The limits and grants of a plugin.
    pub(crate) fn terms(&self, name: &str) -> Terms {
        let own = self.plugins.get(name);
        Terms {
            // What does not fit was refused when the configuration was read.
            limits: own
                .and_then(|own| own.limits(&self.limits).ok())
                .unwrap_or_else(|| self.limits.clone()),
            grants: own.map(|own| own.grants.clone()).unwrap_or_default(),
        }
    }

    /// The parameters of a plugin as given.
    pub(crate) fn parameters(&self, name: &str) -> serde_json::Value {
        let given = self.plugins.get(name).map(|own| own.parameters.clone());
        serde_json::Value::Object(given.unwrap_or_default())
    }
}

/// Refuses limits under which nothing could run, or that no call could carry.
fn check_limits(limits: &Limits) -> Result<(), String> {
    check_positive(limits)?;
    if limits.state_bytes > MAX_STATE_BYTES {
        return Err(format!("state_bytes is at most {MAX_STATE_BYTES}"));
    }
    Ok(())
}

/// Refuses a zero in a table of limits.
fn check_positive(table: &impl Serialize) -> Result<(), String> {
    let table = toml::Value::try_from(table).map_err(|error| error.to_string())?;
    let zero =
        table.as_table().into_iter().flatten().find(|(_, value)| value.as_integer() == Some(0));
    match zero {
        Some((key, _)) => Err(format!("{key} must be above 0")),
        None => Ok(()),
    }
}

/// Line and column, from 1, of a byte in a text.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests;
