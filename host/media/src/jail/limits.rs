//! Resource limits of one tool process.

use nix::sys::resource::{Resource, getrlimit, rlim_t, setrlimit};
use serde::{Deserialize, Serialize};

use super::JailError;

/// How long a tool that reached its processor time may take to end by itself.
const CPU_GRACE_SECONDS: u64 = 2;

/// Resource limits of one ffmpeg or ffprobe process, enforced by the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JailLimits {
    /// Address space in bytes. More than the process uses, because thread stacks and reserved
    /// heaps count too: on two cores 0.4 GiB for 640×360 and 2.7 GiB for 2160p with x264's
    /// preset slow; every further core adds its threads.
    pub memory_bytes: u64,
    /// Processor time of all threads together, in seconds.
    pub cpu_seconds: u64,
    /// Size of a file it writes, in bytes. It gets no file to write; this holds where landlock
    /// is missing.
    pub file_bytes: u64,
    /// Open descriptors.
    pub open_files: u64,
}

impl Default for JailLimits {
    fn default() -> Self {
        Self { memory_bytes: 8 << 30, cpu_seconds: 24 * 3600, file_bytes: 0, open_files: 128 }
    }
}

impl JailLimits {
    /// Sets the limits for this process and what it becomes.
    pub(super) fn apply(&self) -> Result<(), JailError> {
        limit(Resource::RLIMIT_CORE, 0, 0)?;
        limit(Resource::RLIMIT_FSIZE, self.file_bytes, self.file_bytes)?;
        limit(Resource::RLIMIT_NOFILE, self.open_files, self.open_files)?;
        let cpu_hard = self.cpu_seconds.saturating_add(CPU_GRACE_SECONDS);
        limit(Resource::RLIMIT_CPU, self.cpu_seconds, cpu_hard)?;
        // Last, because it holds for this process too until it becomes the tool.
        limit(Resource::RLIMIT_AS, self.memory_bytes, self.memory_bytes)
    }
}

/// Sets one limit; a lower one that the system already imposes stays.
fn limit(resource: Resource, soft: rlim_t, hard: rlim_t) -> Result<(), JailError> {
    let (_, imposed) = getrlimit(resource).map_err(JailError::step("read resource limits"))?;
    setrlimit(resource, soft.min(imposed), hard.min(imposed))
        .map_err(JailError::step("set resource limits"))
}
