//! The question to a person and what follows from the answer.

#[cfg(test)]
mod tests;

use crate::subject::Subject;
use serde::{Deserialize, Serialize};
use stage_sdk::{Answer, Fault, Resumed, Resumption, Suspension, WatermarkPlan};

/// The form of [`Asked`].
const STATE_VERSION: u32 = 2;

/// What is remembered while a person thinks: what was asked about.
#[derive(Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Asked {
    /// The text that was shown.
    Text(String),
    /// The length of the picture's file, which the host keeps unchanged.
    PictureOfBytes(u64),
}

impl Asked {
    fn about(subject: &Subject) -> Self {
        match subject {
            Subject::Text(text) => Self::Text(text.clone()),
            Subject::Picture(file) => Self::PictureOfBytes(file.size()),
        }
    }
}

/// The question whether `plan`, which draws `subject` at `place` ("bottom
/// right"), may be carried out.
///
/// # Errors
/// [`Fault::Failed`] if the question cannot be remembered.
pub fn ask(
    subject: &Subject,
    place: &str,
    plan: WatermarkPlan,
) -> Result<Suspension<WatermarkPlan>, Fault> {
    let state = serde_json::to_vec(&Asked::about(subject))
        .map_err(|error| Fault::failed(format!("The question cannot be remembered: {error}.")))?;
    let question = match subject {
        Subject::Text(text) => format!("Approve the watermark \"{text}\", {place}?"),
        Subject::Picture(_) => format!("Approve the picture as the watermark, {place}?"),
    };
    Ok(Suspension { question, plan, state, state_version: STATE_VERSION })
}

/// What an answer to [`ask`] means.
///
/// # Errors
/// [`Fault::Declined`] unless it is a yes; [`Fault::Failed`] if the question
/// was about something else than `subject`.
pub fn conclude(
    subject: Option<&Subject>,
    resumption: &Resumption,
) -> Result<Resumed<WatermarkPlan>, Fault> {
    if resumption.state_version != STATE_VERSION {
        return Err(Fault::failed(format!(
            "The question was asked by another version of this plugin (its state is version {}).",
            resumption.state_version
        )));
    }
    let asked: Asked = serde_json::from_slice(&resumption.state)
        .map_err(|error| Fault::failed(format!("The remembered question is damaged: {error}.")))?;
    if Some(asked) != subject.map(Asked::about) {
        return Err(Fault::failed("The answer is about another watermark than the request."));
    }
    match resumption.answer {
        Answer::Yes => Ok(Resumed::Confirmed),
        Answer::No | Answer::Expired => Err(Fault::Declined),
    }
}
