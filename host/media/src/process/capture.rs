//! A tool that answers on stdout and ends.

use std::time::Duration;

use tokio::io::AsyncReadExt;

use super::Job;
use crate::{Ffmpeg, MediaError};

impl Ffmpeg {
    /// Runs `job` and gives what it wrote to stdout.
    ///
    /// It may take `within` altogether ([`MediaError::TimedOut`]) and write `max_bytes`
    /// ([`MediaError::Budget`]); any other end than exit code 0 is the error of
    /// [`Exit::check`](super::Exit::check).
    pub async fn capture(
        &self,
        job: Job,
        max_bytes: u64,
        within: Duration,
    ) -> Result<Vec<u8>, MediaError> {
        self.capture_with_words(job, max_bytes, within).await.map(|(answer, _)| answer)
    }

    /// The same, and what it said on stderr meanwhile.
    pub(crate) async fn capture_with_words(
        &self,
        mut job: Job,
        max_bytes: u64,
        within: Duration,
    ) -> Result<(Vec<u8>, String), MediaError> {
        let mut stdout = job.stdout()?.take(max_bytes.saturating_add(1));
        let mut child = self.spawn(job).await?;
        let answer = async {
            let mut answer = Vec::new();
            let read = stdout.read_to_end(&mut answer).await;
            read.map_err(|error| MediaError::host("reading from a tool", error))?;
            let asked = u64::try_from(answer.len()).unwrap_or(u64::MAX);
            if asked > max_bytes {
                let what = "bytes of output from ffmpeg";
                return Err(MediaError::Budget { what, allowed: max_bytes, asked });
            }
            let exit = child.wait().await?;
            exit.check(&self.limits().jail)?;
            Ok((answer, exit.stderr_tail))
        };
        let outcome = tokio::time::timeout(within, answer).await;
        outcome.unwrap_or(Err(MediaError::TimedOut { limit: within }))
    }
}
