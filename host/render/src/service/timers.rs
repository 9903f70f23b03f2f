//! What happens by itself: questions that nobody answers, renders whose time
//! is over, housekeeping. One timer for all renders.

use std::time::Duration;

use contract::catalogue::Code;
use serde_json::json;
use store::Swept;

use super::{Service, work};
use crate::failure::Failure;

/// How long nothing is looked at, at most: clocks jump.
const LONGEST: Duration = Duration::from_secs(30);

/// How many questions are ended at a time.
const BATCH: u32 = 64;

/// Looks after deadlines until the service ends.
pub(super) async fn run(service: Service) {
    loop {
        if let Err(error) = look(&service).await {
            tracing::error!("deadlines cannot be looked after: {error}");
        }
        tokio::time::sleep(until_next(&service).await).await;
    }
}

/// How long to wait for the next deadline.
async fn until_next(service: &Service) -> Duration {
    match service.inner.store.next_due().await {
        Ok(Some(due)) => {
            let left = due.0.saturating_sub(service.now().0);
            Duration::from_millis(left.max(50)).min(LONGEST)
        }
        _ => LONGEST,
    }
}

/// Ends what is over.
async fn look(service: &Service) -> Result<(), store::Error> {
    let store = &service.inner.store;
    let failure = Failure::new(
        Code::ApprovalExpired,
        "Nobody answered the question before its deadline; the render ended without a film.",
    );
    loop {
        let expired = store.expire_questions("expired", json!(failure), BATCH).await?;
        let last = expired.len() < BATCH as usize;
        for render in expired {
            service.inner.live.changed(&render.id);
            work::tell_expired(service, &render).await;
        }
        if last {
            break;
        }
    }
    loop {
        let Swept { renders, more, .. } = store.sweep().await?;
        for ended in renders {
            if ended.unfinished {
                service.inner.live.stop(&ended.id);
            }
            service.inner.live.changed(&ended.id);
            let film = contract::answers::film_uri(&ended.id);
            service.inner.listener.resource(&ended.tenant, &film);
        }
        if !more {
            return Ok(());
        }
    }
}
