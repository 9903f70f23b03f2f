//! Progress of one request.

use std::sync::Mutex;

use serde_json::{Value, json};

use super::{lock, wire::put};
use crate::{jsonrpc::RequestId, model::Progress};

/// Lets through what rises.
#[derive(Debug, Default)]
pub(crate) struct Rising(Mutex<Option<f64>>);

impl Rising {
    /// Whether this is more than what was let through last.
    pub(crate) fn passes(&self, progress: f64) -> bool {
        let mut last = lock(&self.0);
        let rises = progress.is_finite() && last.is_none_or(|last| progress > last);
        if rises {
            *last = Some(progress);
        }
        rises
    }
}

/// The parameters of a progress notification.
pub(crate) fn params(token: &RequestId, progress: &Progress, task: Option<&str>) -> Value {
    let mut params = json!({ "progressToken": token, "progress": progress.progress });
    if let Some(total) = progress.total.filter(|total| total.is_finite()) {
        put(&mut params, "total", json!(total));
    }
    if let Some(message) = &progress.message {
        put(&mut params, "message", json!(message));
    }
    if let Some(task) = task {
        put(&mut params, "_meta", super::wire::related(task));
    }
    params
}

#[cfg(test)]
mod tests;
