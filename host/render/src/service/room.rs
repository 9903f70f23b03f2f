//! When a tenant that has as many renders as it may have can expect room.

use std::time::Duration;

use store::{Millis, OpenRender, Status};

use super::Service;

/// Asking more often than this is of no use.
const SHORTEST: Duration = Duration::from_secs(1);

/// A person may answer, and a render be cancelled, long before what is known.
const LONGEST: Duration = Duration::from_mins(10);

impl Service {
    /// How long until the first of a tenant's renders is likely to end, as far
    /// as anything is known about it.
    pub(super) async fn room_in(&self, tenant: &str) -> Duration {
        let open = self.inner.store.open_renders().await.unwrap_or_else(|error| {
            tracing::warn!("the open renders cannot be listed: {error}");
            Vec::new()
        });
        let own = open.iter().filter(|render| render.tenant == tenant).map(|render| {
            let now = self.inner.live.now(&render.id);
            (render, now.map(|now| now.fraction))
        });
        wait(own, self.now())
    }
}

/// How long until the first of these ends, each with how far it is.
fn wait<'a>(open: impl Iterator<Item = (&'a OpenRender, Option<f64>)>, now: Millis) -> Duration {
    let first = open.map(|(render, fraction)| left(render, fraction, now)).min();
    first.unwrap_or(SHORTEST).clamp(SHORTEST, LONGEST)
}

/// How long until a render ends: one that runs by how far it has come since it
/// was taken up, one that waits for a person at its deadline, and every one
/// when it expires.
fn left(render: &OpenRender, fraction: Option<f64>, now: Millis) -> Duration {
    let until = |moment: Millis| Duration::from_millis(moment.0.saturating_sub(now.0));
    let latest = until(render.deadline.unwrap_or(render.expires).min(render.expires));
    let running = fraction.filter(|fraction| *fraction > 0.0 && render.status == Status::Working);
    let Some(fraction) = running else { return latest };
    let taken = Duration::from_millis(now.0.saturating_sub(render.updated.0));
    let whole = Duration::try_from_secs_f64(taken.as_secs_f64() / fraction).unwrap_or(latest);
    whole.saturating_sub(taken).min(latest)
}

#[cfg(test)]
mod tests;
