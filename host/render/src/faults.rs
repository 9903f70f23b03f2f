//! How the failures of the engines become failures of a render.

use media::MediaError;
use stage::{LoadError, PluginFault};

use crate::catalogue::Code;
use crate::failure::Failure;

/// What a plugin's fault means for the render.
pub(crate) fn plugin_fault(fault: PluginFault) -> Failure {
    let sentence = sentence(&fault.to_string());
    match fault {
        PluginFault::UnsupportedSource { plugin, message } => {
            Failure::new(Code::UnsupportedSource, message).with("plugin", plugin)
        }
        PluginFault::InvalidField { plugin, field, message } => {
            Failure::invalid_field(&field, message).with("plugin", plugin)
        }
        PluginFault::Declined => Failure::new(
            Code::WatermarkRejected,
            "The watermark was rejected; the render ended without output.",
        ),
        PluginFault::Storage(error) => Failure::storage("writing the output", &error),
        PluginFault::Limit { plugin, limit, allowed, used, unit } => {
            Failure::new(Code::PluginFailed, sentence)
                .with("plugin", plugin)
                .with("limit", limit.as_str())
                .with("allowed", allowed)
                .with("used", used)
                .with("unit", unit)
        }
        PluginFault::Trap { plugin, backtrace, .. } => Failure::new(Code::PluginFailed, sentence)
            .with("plugin", plugin)
            .with("backtrace", backtrace),
        PluginFault::Failed { plugin, .. }
        | PluginFault::Exit { plugin, .. }
        | PluginFault::Contract { plugin, .. } => {
            Failure::new(Code::PluginFailed, sentence).with("plugin", plugin)
        }
        PluginFault::Host { .. } => Failure::new(Code::Internal, sentence),
    }
}

/// Why a component cannot be used. `place` is the file or name that was asked
/// for.
#[must_use]
pub fn load_error(place: &str, error: &LoadError) -> Failure {
    let code = match error {
        LoadError::Host { .. } => Code::Internal,
        _ => Code::PluginUnusable,
    };
    Failure::new(code, format!("The plugin {place} cannot be used: {error}.")).with("plugin", place)
}

/// What the codec engine's error means for the render.
#[must_use]
pub fn media_error(error: MediaError) -> Failure {
    let code = match &error {
        MediaError::NotFound { .. } | MediaError::NotAFile { .. } => Code::SourceNotFound,
        MediaError::ToolMissing { .. }
        | MediaError::ToolTooOld { .. }
        | MediaError::ToolSilent { .. } => Code::FfmpegUnavailable,
        MediaError::JailUnavailable { .. } => Code::JailUnavailable,
        MediaError::Storage(error) => return Failure::storage("buffering media", error),
        // One that cannot be copied is encoded, so nobody should meet this.
        MediaError::CannotCopy { .. }
        | MediaError::Encoder { .. }
        | MediaError::Stalled { .. }
        | MediaError::TimedOut { .. } => Code::RenderFailed,
        MediaError::UnsupportedPlan { .. } => Code::PluginFailed,
        MediaError::Host { .. } => Code::Internal,
        MediaError::Empty { .. }
        | MediaError::NotMedia { .. }
        | MediaError::NoVideo
        | MediaError::Unreadable { .. }
        | MediaError::UnsupportedSource { .. }
        | MediaError::FrameCount { .. }
        | MediaError::Budget { .. } => Code::UnsupportedSource,
    };
    Failure::new(code, sentence(&error.to_string()))
}

/// An error's text as a sentence. A program's name keeps its own spelling.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let mut sentence: String = match chars.next() {
        Some(first) if !text.starts_with("ff") => first.to_uppercase().collect(),
        first => first.into_iter().collect(),
    };
    sentence.push_str(chars.as_str());
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}
