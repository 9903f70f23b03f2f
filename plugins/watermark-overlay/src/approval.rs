//! The question to a person and what follows from the answer.

use crate::place;
use serde::{Deserialize, Serialize};
use stage_sdk::{Anchor, Answer, Fault, Resumed, Resumption, Suspension, WatermarkPlan};

/// The form of [`Asked`].
const STATE_VERSION: u32 = 1;

/// What is remembered while a person thinks.
#[derive(Debug, Deserialize, Serialize)]
struct Asked {
    /// The text that was shown.
    text: String,
}

pub(crate) fn ask(
    text: &str,
    anchor: Anchor,
    plan: WatermarkPlan,
) -> Result<Suspension<WatermarkPlan>, Fault> {
    let state = serde_json::to_vec(&Asked { text: text.to_owned() })
        .map_err(|error| Fault::failed(format!("The question cannot be remembered: {error}.")))?;
    Ok(Suspension {
        question: format!("Approve the watermark \"{text}\", {}?", place::words(anchor)),
        plan,
        state,
        state_version: STATE_VERSION,
    })
}

pub(crate) fn conclude(
    text: &str,
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
    if asked.text != text {
        return Err(Fault::failed("The answer is about another text than the request."));
    }
    match resumption.answer {
        Answer::Yes => Ok(Resumed::Confirmed),
        Answer::No | Answer::Expired => Err(Fault::Declined),
    }
}
