//! Trying the store again: it may fail for a moment, as where the disk is full
//! or somebody else holds the database, and be well afterwards.

use std::future::Future;
use std::time::Duration;

/// How long is waited after the first failure; each time twice as long.
const FIRST: Duration = Duration::from_millis(100);

/// How long is waited at most.
const LONGEST: Duration = Duration::from_secs(30);

/// How often it is tried: about an hour, which is time enough to free a disk.
const TRIES: u32 = 128;

/// Whether the same call may go well later.
fn may_pass(error: &store::Error) -> bool {
    matches!(error, store::Error::Io(_) | store::Error::Full | store::Error::Locked(_))
}

/// How long is waited after so many failures.
fn wait(failures: u32) -> Duration {
    let factor = 2_u32.saturating_pow(failures.saturating_sub(1));
    FIRST.saturating_mul(factor).min(LONGEST)
}

/// Makes a call until it goes well, fails for good, or has failed too often.
/// `sleep` is given how long to wait between two tries.
///
/// # Errors
///
/// The last one.
pub(super) async fn retry<T, Call, Sleep>(
    mut call: impl FnMut() -> Call,
    mut sleep: impl FnMut(Duration) -> Sleep,
) -> Result<T, store::Error>
where
    Call: Future<Output = Result<T, store::Error>>,
    Sleep: Future<Output = ()>,
{
    let mut failures = 0;
    loop {
        match call().await {
            Err(error) if may_pass(&error) && failures + 1 < TRIES => {
                failures += 1;
                let wait = wait(failures);
                tracing::warn!(failures, ?wait, "the store failed and is tried again: {error}");
                sleep(wait).await;
            }
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests;
