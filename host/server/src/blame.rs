//! Whose fault a failure is, where the tools may be to blame.

use media::Ffmpeg;
use render::catalogue::Code;
use render::failure::Failure;
use render::media_error;

/// Looks at the tools once something has failed for which they may be the
/// reason: what is not the right program, or too old, is said instead. Asking
/// them before would take longer than reading most sources.
pub(crate) async fn find<T>(ffmpeg: &Ffmpeg, result: Result<T, Failure>) -> Result<T, Failure> {
    let may_be_the_tools = |failure: &Failure| {
        matches!(failure.code, Code::UnsupportedSource | Code::RenderFailed | Code::Internal)
    };
    match result {
        Err(failure) if may_be_the_tools(&failure) => match ffmpeg.check().await {
            Ok(()) => Err(failure),
            Err(error) => Err(media_error(error)),
        },
        result => result,
    }
}
