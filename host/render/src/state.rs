//! The life of a render as a pure function.
//!
//! [`next`] takes a state and an event and says the new state and what must be
//! done about it; doing it is somebody else's work. A terminal state never
//! changes.

use serde::{Deserialize, Serialize};
use stage::model::{Answer, Stage};

use crate::catalogue::Code;

/// Where a render is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Accepted, nothing decided yet.
    Admitted,
    /// The stage is deciding, for the first time or again after an answer.
    Planning(Stage),
    /// The stage has asked a person. Nothing of the plugin lives.
    Waiting(Stage),
    /// The plans are complete; media is being made.
    Running,
    /// The file is written and is being checked and published.
    Committing,
    /// The output is there. Terminal.
    Completed,
    /// It ended without output for this reason. Terminal.
    Failed(Code),
}

/// What happens to a render.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Work may begin.
    Begin,
    /// The stage that was deciding has decided.
    Decided,
    /// The stage that was deciding asks a person.
    Asked,
    /// The question was answered, or its deadline passed.
    Answered(Answer),
    /// The muxer has finished the file.
    Written,
    /// The file passed its checks and has its final name.
    Published,
    /// Something went wrong, or somebody cancelled ([`Code::Cancelled`]).
    Failed(Code),
}

/// What must be done after a transition, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Enter the stage's `start` in a new instance.
    Start(Stage),
    /// Render the preview of the plan in question and store the suspension;
    /// only then tell anybody.
    Park(Stage),
    /// Enter the stage's `resume` in a new instance.
    Resume(Stage, Answer),
    /// Make the media and write the file.
    Run,
    /// Check the file, make it durable and give it its final name.
    Commit,
    /// Remove everything that is not the final output.
    Discard,
}

/// An event that cannot happen in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a render that is {state:?} cannot take {event:?}")]
pub struct Impossible {
    /// The state, which stays as it was.
    pub state: State,
    /// The event that was refused.
    pub event: Event,
}

impl State {
    /// Whether the render has ended.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        matches!(self, State::Completed | State::Failed(_))
    }
}

/// The state after an event, and what must be done.
///
/// # Errors
///
/// [`Impossible`] if the event cannot happen in that state; above all, nothing
/// happens to a terminal state.
pub fn next(state: State, event: Event) -> Result<(State, Vec<Effect>), Impossible> {
    use {Effect as F, Event as E, State as S};
    Ok(match (state, event) {
        (S::Completed | S::Failed(_), _) => return Err(Impossible { state, event }),
        (_, E::Failed(code)) => (S::Failed(code), vec![F::Discard]),
        (S::Admitted, E::Begin) => (S::Planning(Stage::Encode), vec![F::Start(Stage::Encode)]),
        (S::Planning(stage), E::Decided) => match after(stage) {
            Some(following) => (S::Planning(following), vec![F::Start(following)]),
            None => (S::Running, vec![F::Run]),
        },
        (S::Planning(stage), E::Asked) => (S::Waiting(stage), vec![F::Park(stage)]),
        // The plugin is told that time ran out, but has no say in it any more.
        (S::Waiting(stage), E::Answered(Answer::Expired)) => {
            (S::Failed(Code::ApprovalExpired), vec![F::Resume(stage, Answer::Expired), F::Discard])
        }
        (S::Waiting(stage), E::Answered(answer)) => {
            (S::Planning(stage), vec![F::Resume(stage, answer)])
        }
        (S::Running, E::Written) => (S::Committing, vec![F::Commit]),
        (S::Committing, E::Published) => (S::Completed, vec![F::Discard]),
        _ => return Err(Impossible { state, event }),
    })
}

fn after(stage: Stage) -> Option<Stage> {
    match stage {
        Stage::Encode => Some(Stage::Watermark),
        Stage::Watermark => Some(Stage::Mux),
        Stage::Mux => None,
    }
}

#[cfg(test)]
mod tests;
