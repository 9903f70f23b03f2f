//! Answers to questions, and cancellations.

use contract::catalogue::Code;
use contract::envelope::{Envelope, Repair};
use contract::tools;
use serde_json::json;
use store::{Cancelled, Decided};

use super::view::store_failure;
use super::{Caller, Scope, Service, View};
use crate::failure::Failure;

/// An answer as it came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The question that is meant; without it the render's only one.
    pub question_id: Option<String>,
    /// Yes or no.
    pub approved: bool,
    /// What else the person said.
    pub feedback: Option<String>,
    /// The way that it took: `elicitation`, `tool`.
    pub channel: &'static str,
}

impl Service {
    /// Answers a render's question. The first answer counts, whatever its way;
    /// the same again is a success.
    ///
    /// # Errors
    ///
    /// `already_decided` for another answer, `not_awaiting_approval`,
    /// `invalid_field` where the question has to be named, and as
    /// [`Service::render`].
    pub async fn decide(
        &self,
        caller: &Caller,
        id: &str,
        answer: Answer,
    ) -> Result<View, Box<Envelope>> {
        caller.need(&[Scope::RenderApprove, Scope::RenderWrite]).map_err(plain)?;
        let decided = self.inner.store.decide(
            &caller.tenant,
            id,
            store::Answer {
                question: answer.question_id,
                approved: answer.approved,
                channel: answer.channel.to_owned(),
                subject: caller.identity.clone(),
                feedback: answer.feedback,
            },
        );
        match decided.await.map_err(|error| plain(store_failure(&error)))? {
            Decided::First(render) => {
                self.inner.queue.add(render.id.clone(), render.version);
                self.inner.live.changed(&render.id);
                Ok(View::of(self, *render))
            }
            Decided::Same(render) => Ok(View::of(self, *render)),
            Decided::Different(first) => {
                let said = if first.approved { "yes" } else { "no" };
                let message = format!("The question was answered before, with {said}.");
                let failure = Failure::new(Code::AlreadyDecided, message)
                    .with("approved", first.approved)
                    .with("channel", first.channel);
                Err(look_at(failure, id))
            }
            Decided::QuestionNeeded => {
                let message = "The render has asked more than once; name the question_id.";
                Err(look_at(Failure::invalid_field("question_id", message), id))
            }
            Decided::TooLate => {
                let message = "The question's deadline has passed.";
                Err(look_at(Failure::new(Code::ApprovalExpired, message), id))
            }
            Decided::NotWaiting(_) => {
                let message = "The render does not wait for this answer.";
                Err(look_at(Failure::new(Code::NotAwaitingApproval, message), id))
            }
        }
    }

    /// Cancels a render: it has ended when this returns, and what works on it
    /// stops within a second. Cancelling twice is a success.
    ///
    /// # Errors
    ///
    /// `render_finished`, and as [`Service::render`].
    pub async fn cancel(&self, caller: &Caller, id: &str) -> Result<View, Box<Envelope>> {
        caller.need(&[Scope::RenderWrite]).map_err(plain)?;
        let failure = Failure::new(Code::Cancelled, "The render was cancelled.");
        let failure = serde_json::to_value(failure).unwrap_or_default();
        let cancelled = self.inner.store.cancel(&caller.tenant, id, "cancelled", failure);
        match cancelled.await.map_err(|error| plain(store_failure(&error)))? {
            Cancelled::Now(render) => {
                self.inner.live.stop(id);
                self.inner.live.changed(&render.id);
                Ok(View::of(self, *render))
            }
            Cancelled::Before(render) => Ok(View::of(self, *render)),
            Cancelled::Finished(render) => {
                let message = "The render is over and cannot be cancelled.";
                let state = View::of(self, *render).state();
                let failure =
                    Failure::new(Code::RenderFinished, message).with("state", json!(state));
                Err(look_at(failure, id))
            }
        }
    }
}

fn plain(failure: Failure) -> Box<Envelope> {
    Box::new(Envelope::new(failure))
}

/// An error after which the render's status says how it stands.
fn look_at(failure: Failure, id: &str) -> Box<Envelope> {
    let repair = Repair::call("get_render_status", tools::STATUS, json!({ "render_id": id }));
    Box::new(Envelope::new(failure).repair(repair))
}
