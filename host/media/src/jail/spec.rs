//! What the host tells the jail: one JSON argument.

use std::ffi::OsStr;
use std::os::fd::RawFd;

use serde::{Deserialize, Serialize};

use super::{JailError, JailLimits, Landlock};

/// The number of the first descriptor of a job; those below are stdin, stdout and stderr.
pub(crate) const FIRST_DESCRIPTOR: RawFd = 3;

/// How to build one jail.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spec {
    /// Process id of the host.
    pub parent: i32,
    pub limits: JailLimits,
    pub landlock: Landlock,
    /// Descriptors that the tool keeps besides the three standard ones.
    pub descriptors: Vec<RawFd>,
    /// Those whose file the tool may also open again by `/proc/self/fd/N`, for reading.
    pub readable: Vec<RawFd>,
}

impl Spec {
    pub(super) fn parse(argument: Option<&OsStr>) -> Result<Self, JailError> {
        let text = argument
            .and_then(OsStr::to_str)
            .ok_or_else(|| JailError::Usage("no jail specification".into()))?;
        serde_json::from_str(text).map_err(|error| JailError::Usage(error.to_string()))
    }
}
