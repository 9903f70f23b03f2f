//! A render that waits for a person, as it is stored.
//!
//! Everything that `resume` needs is here or is found by what is pinned here:
//! the plugins by digest, the source by its hash. Nothing of the plugin that
//! asked is alive meanwhile.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use stage::Grants;
use stage::model::{Stage, Suspension, Warning};

use crate::catalogue::Code;
use crate::chain::{Chain, Pin};
use crate::clock::Timestamp;
use crate::failure::Failure;
use crate::plans::Plans;
use crate::request::Request;
use crate::runner::Shown;
use crate::state::State;

/// The version of the stored form.
pub const FORMAT: u32 = 2;

/// A question that a stage asked, with its deadline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The question, one sentence.
    pub text: String,
    /// Which question of the render it is, from 1.
    pub number: u32,
    /// The frame of the raster that the preview shows.
    pub preview_frame: u64,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// From when on an answer comes too late.
    pub deadline: Timestamp,
}

/// A waiting render.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suspended {
    /// [`FORMAT`].
    pub format: u32,
    /// Where the render is: waiting for an answer to a stage.
    pub state: State,
    /// What was asked for.
    pub request: Request,
    /// What is asked.
    pub question: Question,
    /// What the stage left behind.
    pub suspension: Suspension,
    /// What was decided before.
    pub plans: Plans,
    /// What the stages have warned of so far.
    pub warnings: Vec<Warning>,
    /// Every link of the chain as it was.
    pub pins: BTreeMap<Stage, Pin>,
    /// SHA-256 of the source file, in hexadecimal digits.
    pub source_sha256: String,
    /// SHA-256 of the picture of an image mark, in hexadecimal digits.
    pub image_sha256: Option<String>,
    /// The picture that the question is about, where a plugin worked on it: the
    /// output must show the same.
    pub shown: Option<Shown>,
}

/// What an operator's configuration says of a stage now.
#[derive(Clone, Debug, PartialEq)]
pub struct Configured {
    /// The plugin's name in the chain.
    pub name: String,
    /// Its parameters as given.
    pub parameters: Value,
    /// What it is granted.
    pub grants: Grants,
}

impl Suspended {
    /// The stage that asked.
    ///
    /// # Errors
    ///
    /// `resume_refused` if the stored form is another version's, or the render
    /// does not wait.
    pub fn waiting_stage(&self) -> Result<Stage, Failure> {
        if self.format != FORMAT {
            let message = format!(
                "The suspension has format {}, and this version reads {FORMAT}.",
                self.format
            );
            return Err(refused(message));
        }
        match self.state {
            State::Waiting(stage) => Ok(stage),
            state => {
                Err(refused(format!("The render does not wait for an answer; it is {state:?}.")))
            }
        }
    }

    /// Compares what is pinned with the pinned plugins as they would be run
    /// now: `chain` holds the plugins by their pinned digests, `configured`
    /// what the configuration says today. A plugin that was replaced by
    /// another version is no difference: the pinned one runs.
    ///
    /// # Errors
    ///
    /// `resume_refused` naming the first difference.
    pub fn check(
        &self,
        chain: &Chain,
        configured: &BTreeMap<Stage, Configured>,
    ) -> Result<(), Failure> {
        for (stage, pin) in &self.pins {
            let link = chain.link(*stage)?;
            let now = configured
                .get(stage)
                .ok_or_else(|| refused(format!("The chain has no {stage} stage any more.")))?;
            if link.plugin.digest() != &pin.digest {
                return Err(refused(format!(
                    "The {stage} plugin `{}` is not the one that was pinned.",
                    pin.name
                ))
                .with("digest", pin.digest.to_string()));
            }
            if now.name != pin.name {
                return Err(refused(format!(
                    "The chain has changed: the {stage} stage was filled by `{}` and is now by `{}`.",
                    pin.name, now.name
                )));
            }
            if now.grants != pin.grants {
                return Err(refused(format!("The grants of `{}` have changed.", pin.name)));
            }
            // Defaults are filled in by the pinned plugin's own schema.
            if link.plugin.check_parameters(&now.parameters).ok().as_ref() != Some(&pin.parameters)
            {
                return Err(refused(format!("The parameters of `{}` have changed.", pin.name)));
            }
        }
        Ok(())
    }
}

/// A refusal to go on with a waiting render.
pub(crate) fn refused(message: impl Into<String>) -> Failure {
    Failure::new(Code::ResumeRefused, message)
}
