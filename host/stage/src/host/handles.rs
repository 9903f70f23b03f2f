//! What the handles of a plugin stand for, where it is not a type of the model itself.

#![allow(unreachable_pub, reason = "the generated bindings re-export what is here")]

use std::sync::Arc;

use picture::Frame;

use crate::PluginFault;
use crate::model::{Colour, Job, Request, Size, Source, Verdict};
use crate::output::Spool;
use crate::parameters::Schema;

/// A source.
pub struct SourceHandle(pub(super) Arc<Source>);

/// A job.
pub struct JobHandle(pub(crate) Job);

/// A request.
pub struct RequestHandle(pub(super) Arc<Request>);

/// A question.
pub struct QuestionHandle(pub(super) String);

/// What a plugin has come to.
pub enum VerdictHandle {
    /// A decision, or a question before it.
    Decided(Verdict),
    /// A refusal.
    Fault(FaultHandle),
}

/// A fault that a plugin declared.
pub enum FaultHandle {
    UnsupportedSource(String),
    InvalidField { field: String, message: String },
    Declined,
    Failed(String),
}

impl FaultHandle {
    /// The fault with the name of the plugin that declared it.
    pub(crate) fn of(self, plugin: &str) -> PluginFault {
        let plugin = plugin.to_owned();
        match self {
            Self::UnsupportedSource(message) => PluginFault::UnsupportedSource { plugin, message },
            Self::InvalidField { field, message } => {
                PluginFault::InvalidField { plugin, field, message }
            }
            Self::Declined => PluginFault::Declined,
            Self::Failed(message) => PluginFault::Failed { plugin, message },
        }
    }
}

/// A manifest that is being built.
pub struct ManifestHandle {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) parameters: Option<Schema>,
    pub(crate) containers: Vec<String>,
    pub(crate) marks: Vec<String>,
}

/// A frame.
pub struct FrameHandle(pub(super) Frame);

/// The picture format of a track.
pub struct VideoFormat {
    pub(super) size: Size,
    pub(super) colour: Colour,
}

/// The sound format of a track.
pub struct AudioFormat {
    pub(super) sample_rate: u32,
    pub(super) channels: u32,
}

/// The right to write to the output of the instance. The output itself stays with the host, so
/// that it outlives a plugin that drops this.
pub struct SinkHandle;

/// Packets that wait.
pub struct SpoolHandle(pub(super) Spool);
