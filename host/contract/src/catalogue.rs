//! The one catalogue of what can go wrong.
//!
//! A [`Code`] is stable: people and agents act on it. Each has a page under
//! `errors/` that says what it means and what to do, and a test demands that
//! the page exists.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Who can do something about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// Whoever asked for the render: the source, the arguments or the answer.
    Caller,
    /// The author of a plugin.
    Plugin,
    /// Whoever runs the host: configuration, disk, tools.
    Operator,
    /// The host itself.
    Host,
}

macro_rules! catalogue {
    ($($variant:ident = $name:literal, $blame:ident, temporary: $temporary:literal, $next:literal;)*) => {
        /// A stable name for a kind of failure.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Code {
            $(
                #[doc = concat!("`", $name, "`: ", $next)]
                #[serde(rename = $name)]
                $variant,
            )*
        }

        impl Code {
            /// Every code, in the catalogue's order.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The code as it is written in messages and results.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// Who can do something about it.
            #[must_use]
            pub fn blame(self) -> Blame {
                match self { $(Code::$variant => Blame::$blame,)* }
            }

            /// Whether the same request may succeed later, unchanged.
            #[must_use]
            pub fn is_temporary(self) -> bool {
                match self { $(Code::$variant => $temporary,)* }
            }

            /// What to do next, as one sentence.
            #[must_use]
            pub fn next_step(self) -> &'static str {
                match self { $(Code::$variant => $next,)* }
            }

            /// The page that explains the code, in Markdown.
            #[must_use]
            pub fn page(self) -> &'static str {
                match self { $(Code::$variant => include_str!(concat!("../errors/", $name, ".md")),)* }
            }
        }
    };
}

catalogue! {
    SourceNotFound = "source_not_found", Caller, temporary: false, "Name a video file that exists and can be read.";
    UnsupportedSource = "unsupported_source", Caller, temporary: false, "Use a source that holds a whole, decodable video.";
    InvalidField = "invalid_field", Caller, temporary: false, "Correct the named field and ask again.";
    OutputExists = "output_exists", Caller, temporary: false, "Choose another output name, or allow overwriting.";
    OutputUnwritable = "output_unwritable", Caller, temporary: false, "Choose an output in a folder that exists and can be written.";
    WatermarkRejected = "watermark_rejected", Caller, temporary: false, "Render again with a watermark that will be approved, or without asking.";
    ApprovalExpired = "approval_expired", Caller, temporary: false, "Start the render again and answer before the deadline.";
    ResumeRefused = "resume_refused", Caller, temporary: false, "Restore what differs from the time of the question, or start the render again.";
    Cancelled = "cancelled", Caller, temporary: false, "Start the render again if it is still wanted.";
    PluginFailed = "plugin_failed", Plugin, temporary: false, "Tell the plugin's author, or put another plugin in the chain.";
    PluginUnusable = "plugin_unusable", Operator, temporary: false, "Install a component that fills the stage and imports only what it was granted.";
    ConfigInvalid = "config_invalid", Operator, temporary: false, "Correct the configuration at the named place.";
    DataUnusable = "data_unusable", Operator, temporary: false, "Make the data directory usable, or name another one.";
    ListenFailed = "listen_failed", Operator, temporary: false, "Choose an address and port of this machine that are free.";
    FfmpegUnavailable = "ffmpeg_unavailable", Operator, temporary: false, "Install ffmpeg 5.1 or newer, or name it in the configuration.";
    JailUnavailable = "jail_unavailable", Operator, temporary: false, "Use a kernel with landlock, or allow running without it in the configuration.";
    StorageFull = "storage_full", Operator, temporary: true, "Free disk space and try again.";
    QuotaExceeded = "quota_exceeded", Caller, temporary: true, "Wait as long as retry_after_ms says, then ask again.";
    RateLimited = "rate_limited", Caller, temporary: true, "Wait as long as retry_after_ms says, then ask again.";
    CapabilityNotNegotiated = "capability_not_negotiated", Caller, temporary: false, "Answer the question with video_approve_watermark.";
    RenderNotFound = "render_not_found", Caller, temporary: false, "Use the render_id that video_render returned.";
    RenderExpired = "render_expired", Caller, temporary: false, "Start the render again; what it made is gone.";
    RenderFinished = "render_finished", Caller, temporary: false, "Look at the render's status; it is over.";
    NotAwaitingApproval = "not_awaiting_approval", Caller, temporary: false, "Look at the render's status; it asks nothing now.";
    AlreadyDecided = "already_decided", Caller, temporary: false, "Look at the render's status; the first answer stands.";
    IdempotencyConflict = "idempotency_conflict", Caller, temporary: false, "Use a new idempotency_key for other arguments.";
    Unauthenticated = "unauthenticated", Caller, temporary: false, "Send a bearer token that is known and has not expired.";
    InsufficientScope = "insufficient_scope", Caller, temporary: false, "Use a token that has the named scope.";
    TooLargeToInline = "too_large_to_inline", Caller, temporary: false, "Fetch the file from its download address.";
    RenderFailed = "render_failed", Host, temporary: true, "Try again; if it fails the same way, report it with the details.";
    Internal = "internal", Host, temporary: true, "Report it with the details.";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that is no code of the catalogue.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no error code `{0}`")]
pub struct UnknownCode(String);

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.name() == name)
            .ok_or_else(|| UnknownCode(name.to_owned()))
    }
}

#[cfg(test)]
mod tests;
