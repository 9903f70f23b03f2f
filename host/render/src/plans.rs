//! What the stages of one render have decided so far.

use serde::{Deserialize, Serialize};
use stage::model::{EncodePlan, MuxPlan, Plan, WatermarkPlan};

use crate::catalogue::Code;
use crate::convert;
use crate::failure::Failure;

/// What earlier stages decided.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Plans {
    /// The encode stage's plan.
    pub encode: Option<EncodePlan>,
    /// The watermark stage's plan.
    pub watermark: Option<WatermarkPlan>,
}

impl Plans {
    /// Takes in what a stage decided.
    pub(crate) fn set(&mut self, plan: Plan) {
        match plan {
            Plan::Encode(plan) => self.encode = Some(plan),
            Plan::Watermark(plan) => self.watermark = Some(plan),
            // A mux plan has said all that it has to say when it was accepted.
            Plan::Mux(MuxPlan { .. }) => {}
        }
    }

    /// Whether anything is drawn.
    pub(crate) fn draws(&self) -> bool {
        self.watermark.as_ref().is_some_and(|plan| !plan.overlays.is_empty())
    }

    /// What the codec engine must make of them.
    ///
    /// # Errors
    ///
    /// `internal` before the encode stage has decided, and whatever the
    /// composition fails with.
    pub(crate) fn composition(&self) -> Result<media::Composition, Failure> {
        let encode: &EncodePlan = self
            .encode
            .as_ref()
            .ok_or_else(|| Failure::new(Code::Internal, "There is no encode plan."))?;
        let nothing = WatermarkPlan::default();
        convert::composition(encode, self.watermark.as_ref().unwrap_or(&nothing))
    }
}
