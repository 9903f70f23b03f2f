//! What the stages of one render have decided so far.

use serde::{Deserialize, Serialize};
use stage::model::{EncodePlan, MuxPlan, Plan, PlannedTrack, WatermarkPlan};

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

/// Which plugins want the frames of a render.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frames {
    /// The look-ahead of the watermark plugin that filters them.
    pub(crate) look_ahead: Option<u32>,
    /// Whether the encode plugin makes the packets itself.
    pub(crate) encoder: bool,
}

impl Frames {
    pub(crate) fn are_wanted(self) -> bool {
        self.look_ahead.is_some() || self.encoder
    }
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
        self.watermark.as_ref().is_some_and(WatermarkPlan::draws)
    }

    /// Which plugins want the frames.
    pub(crate) fn frames(&self) -> Frames {
        let is_wanted = |track: &PlannedTrack| match track {
            PlannedTrack::Video { encoding, .. } => encoding.wants_frames,
            PlannedTrack::Audio { .. } => false,
        };
        Frames {
            look_ahead: self.watermark.as_ref().and_then(|plan| plan.wants_frames),
            encoder: self.encode.as_ref().is_some_and(|plan| plan.tracks.iter().any(is_wanted)),
        }
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
