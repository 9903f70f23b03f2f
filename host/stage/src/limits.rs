//! What a plugin may use and see.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The conditions under which a plugin is called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Terms {
    /// What it may use.
    pub limits: Limits,
    /// What it may see beyond the baseline.
    pub grants: Grants,
}

/// How much a plugin may use. What passes a limit ends in [`PluginFault::Limit`].
///
/// *Plugin time* is time in which the plugin's own code runs, counted in steps of 10 ms; waiting
/// for the host does not count. *Wall time* is all of it.
///
/// [`PluginFault::Limit`]: crate::PluginFault::Limit
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Plugin time of one decision (`describe`, `start`, `resume`). Default: 2 s: the reference
    /// plugins read and scale the largest picture in a fifth of it if nothing else runs.
    pub plugin_time_ms: u64,
    /// Wall time of one decision. Default: 10 s.
    pub wall_time_ms: u64,
    /// Plugin time of a muxer for a whole file. Default: 10 min.
    pub mux_time_ms: u64,
    /// Wall time of one call of a muxer. Default: 30 s.
    pub mux_wall_per_call_ms: u64,
    /// Plugin time of one call with a frame, and of the call that begins a pass or a track.
    /// Default: 2 s.
    pub frame_time_ms: u64,
    /// Wall time of one such call. Default: 30 s.
    pub frame_wall_per_call_ms: u64,
    /// Frames that an instance holds, each handle to one as a whole frame, together with the
    /// packets that it made. Default: 512 MiB.
    pub frame_bytes: u64,
    /// Memories and tables of an instance together. Default: 256 MiB.
    pub memory_bytes: u64,
    /// Handles that an instance holds at a time. Default: 1024.
    pub handles: u32,
    /// The state that a suspension leaves behind, at most the 16 MiB that are taken in one call.
    /// Default: 256 KiB.
    pub state_bytes: u64,
    /// Pictures that an instance has made, as RGBA. Default: 64 MiB.
    pub image_bytes: u64,
    /// The output file and its spools together. Default: 1 TiB.
    pub output_bytes: u64,
    /// What is kept of the plugin's standard output and error together in one instance; what comes
    /// after is dropped. Default: 64 KiB.
    pub log_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            plugin_time_ms: 2000,
            wall_time_ms: 10_000,
            mux_time_ms: 600_000,
            mux_wall_per_call_ms: 30_000,
            frame_time_ms: 2_000,
            frame_wall_per_call_ms: 30_000,
            frame_bytes: 512 << 20,
            memory_bytes: 256 << 20,
            handles: 1024,
            state_bytes: 256 << 10,
            image_bytes: 64 << 20,
            output_bytes: 1 << 40,
            log_bytes: 64 << 10,
        }
    }
}

/// What a plugin may see beyond the baseline, which is command-line basics, streams, clocks,
/// random numbers and an empty file system. Default: nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Grants {
    /// Directories that it may read.
    pub read_only: Vec<ReadGrant>,
}

/// A directory of the host that a plugin may read and not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadGrant {
    /// Where it is on the host.
    pub host: PathBuf,
    /// The name under which the plugin finds it, such as `/fonts`.
    pub guest: String,
}
