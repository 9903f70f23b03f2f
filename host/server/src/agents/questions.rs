//! How often a person is asked the same: a question that was closed without an
//! answer is put again later, under another key, and not for ever.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use mcp::model::Look;
use store::Millis;

/// How long a question that was closed is left alone.
const REST: Duration = Duration::from_secs(60);

/// How often a question is put, at most.
const MOST: u32 = 3;

/// The most questions that are remembered; the oldest dismissals are forgotten
/// first, which at worst asks a person once more.
const REMEMBERED: usize = 10_000;

/// Where a question stands with the people that it was put to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    /// How often it was put.
    times: u32,
    /// When it was closed without an answer, unless it is open.
    dismissed: Option<Millis>,
}

impl Asked {
    const FIRST: Self = Self { times: 1, dismissed: None };

    /// What comes of a look at the question.
    fn looked_at(self, look: Look, now: Millis) -> Self {
        match self.dismissed {
            Some(at) if look == Look::Attend && self.times < MOST && now >= at.after(REST) => {
                Self { times: self.times + 1, dismissed: None }
            }
            _ => self,
        }
    }
}

/// Questions that were closed without an answer at least once.
#[derive(Default)]
pub(super) struct Questions(Mutex<HashMap<String, Asked>>);

impl Questions {
    /// The key under which a question is open to whoever looks like this; none
    /// while it is to be left alone.
    pub(super) fn key(&self, question: &str, look: Look, now: Millis) -> Option<String> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = match all.get_mut(question) {
            Some(asked) => {
                *asked = asked.looked_at(look, now);
                *asked
            }
            None => Asked::FIRST,
        };
        asked.dismissed.is_none().then(|| format!("{question}#{}", asked.times))
    }

    /// The question that a key stands for.
    pub(super) fn question(key: &str) -> &str {
        key.split_once('#').map_or(key, |(question, _)| question)
    }

    /// A person has closed the question without an answer.
    pub(super) fn dismissed(&self, key: &str, now: Millis) {
        let Some((question, times)) = key.split_once('#') else { return };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= REMEMBERED && !all.contains_key(question) {
            let oldest = all.iter().min_by_key(|(_, asked)| asked.dismissed);
            if let Some(oldest) = oldest.map(|(question, _)| question.clone()) {
                all.remove(&oldest);
            }
        }
        let asked = all.entry(question.to_owned()).or_insert(Asked::FIRST);
        // A late answer to an earlier form does not close the one that is open.
        if times.parse() == Ok(asked.times) {
            asked.dismissed = Some(now);
        }
    }

    /// The question was answered.
    pub(super) fn answered(&self, question: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(question);
    }
}

#[cfg(test)]
mod tests;
