//! The engine: tools that work, a way into the jail, and limits.

use std::sync::Arc;
use std::time::Duration;

use crate::jail::{JailLimits, Landlock};
use crate::process::Spawner;
use crate::{Launcher, MediaError, Tools};

/// What media work may cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// What the kernel grants to one tool process.
    pub jail: JailLimits,
    /// Whether a kernel without landlock will do.
    pub landlock: Landlock,
    /// Pixels of one decoded picture.
    pub max_pixels: u64,
    /// Frames of one output.
    pub max_frames: u64,
    /// Time without progress after which a tool is killed.
    pub stall: Duration,
    /// Time for one probe.
    pub probe_time: Duration,
    /// Memory for packets that wait to be merged, in bytes; what exceeds it goes to disk.
    pub buffer_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            jail: JailLimits::default(),
            landlock: Landlock::default(),
            // 8K UHD.
            max_pixels: 7680 * 4320,
            // Twelve hours at 60 frames a second.
            max_frames: 12 * 3600 * 60,
            stall: Duration::from_secs(60),
            probe_time: Duration::from_secs(15),
            buffer_bytes: 64 << 20,
        }
    }
}

/// The codec engine. A clone is the same engine; processes that it started are killed when the
/// last one, and the last [`Child`](crate::process::Child), is dropped.
#[derive(Clone, Debug)]
pub struct Ffmpeg {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    tools: Tools,
    launcher: Launcher,
    limits: Limits,
    spawner: Arc<Spawner>,
}

impl Ffmpeg {
    /// An engine that runs `tools` in the jail that `launcher` starts. Nothing is run yet:
    /// starting a tool takes longer than much of what it is asked. Whether the tools will do is
    /// what [`Ffmpeg::check`] finds out, at the start of a server or once something has failed.
    pub fn new(tools: Tools, launcher: Launcher, limits: Limits) -> Result<Self, MediaError> {
        let spawner = Spawner::start()
            .map_err(|error| MediaError::host("starting the spawning thread", error))?;
        let spawner = Arc::new(spawner);
        Ok(Self { inner: Arc::new(Inner { tools, launcher, limits, spawner }) })
    }

    /// The programs it runs.
    pub fn tools(&self) -> &Tools {
        &self.inner.tools
    }

    /// The limits it keeps.
    pub fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    pub(crate) fn launcher(&self) -> &Launcher {
        &self.inner.launcher
    }

    pub(crate) fn spawner(&self) -> &Arc<Spawner> {
        &self.inner.spawner
    }
}
