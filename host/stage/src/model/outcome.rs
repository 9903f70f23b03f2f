//! How a stage answers.

use serde::{Deserialize, Serialize};

use super::Plan;

/// What a stage has come to, with what it wants said about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The decision itself.
    pub verdict: Verdict,
    /// What was dropped, replaced or scaled; at most 32.
    pub warnings: Vec<Warning>,
}

/// Decided, or wants to ask first. Refusals are [`PluginFault`](crate::PluginFault)s.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A plan of the stage that was asked.
    Ready(Plan),
    /// A question to a person.
    Suspend(Suspension),
}

/// A question to a person and what is needed to go on after the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suspension {
    /// One plain sentence, 1..=1024 bytes.
    pub question: String,
    /// The plan that a yes would confirm.
    pub confirms: Plan,
    /// What the stage wants back, byte for byte.
    #[serde(with = "super::image::base64_bytes")]
    pub state: Vec<u8>,
    /// The version that the stage gave its state.
    pub state_version: u32,
}

/// Something that the person who gets the result should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// A short stable name in lower case with underscores.
    pub code: String,
    /// One sentence.
    pub message: String,
}
