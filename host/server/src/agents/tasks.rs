//! Renders as tasks.

use contract::answers::State;
use contract::catalogue::Code;
use contract::envelope::Envelope;
use contract::failure::Failure;
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use mcp::model::{
    CancelError, InputAnswer, InputKind, InputRequest, Look, Outcome, Progress, Task, TaskError,
    TaskState,
};
use mcp::{Caller, Timestamp};
use render::service::{Answer, View};
use serde_json::{Value, json};

use super::Agents;
use super::questions::Questions;

/// How often it is worth asking for a task, in milliseconds.
const POLL_MS: u64 = 2000;

impl Agents {
    /// A render as a task.
    pub(super) fn task(&self, caller: &Caller, view: &View, look: Look) -> Task {
        let render = &view.render;
        let state = match view.state() {
            State::Queued | State::Rendering => TaskState::Working,
            State::AwaitingWatermarkApproval => TaskState::InputRequired,
            State::Cancelled => {
                TaskState::Done(Box::new(Outcome::Cancelled(self.outcome(caller, view))))
            }
            State::Completed | State::Failed => {
                TaskState::Done(Box::new(Outcome::Result(self.outcome(caller, view))))
            }
        };
        Task {
            id: render.id.clone(),
            message: Some(view.message()),
            created_at: Timestamp(render.created.0),
            updated_at: Timestamp(render.updated.0),
            ttl_ms: Some(render.expires.0.saturating_sub(render.created.0)),
            poll_interval_ms: (!view.state().is_terminal()).then_some(POLL_MS),
            inputs: self.inputs(view, look),
            progress: view.progress().map(|progress| Progress {
                progress,
                total: Some(1.0),
                message: Some(view.message()),
            }),
            immediate_response: None,
            state,
        }
    }

    /// What a render asks a person now.
    pub(super) fn inputs(&self, view: &View, look: Look) -> Vec<InputRequest> {
        let Some(question) = view.question() else { return Vec::new() };
        let key = self.questions.key(&question.id, look, self.clock.now());
        let render = &view.render;
        let preview = contract::answers::preview_uri(&render.id);
        let message = format!("{} (render {}; preview: {preview})", question.text, render.id);
        let form = |key| InputRequest {
            key,
            kind: InputKind::Form { message: message.clone(), schema: approval_form() },
        };
        key.map(form).into_iter().collect()
    }

    pub(super) async fn watch(
        &self,
        caller: &Caller,
        id: &str,
        look: Look,
    ) -> Result<BoxStream<'static, Task>, TaskError> {
        let who = super::caller(&caller.principal)?;
        let watching = self.service.watch(who, id).await;
        let watching = watching.map_err(|failure| task_error(self, caller, failure))?;
        let state = (watching, self.clone(), caller.clone());
        let tasks = stream::unfold(state, move |(mut watching, agents, caller)| async move {
            let view = watching.next().await?;
            let task = agents.task(&caller, &view, look);
            Some((task, (watching, agents, caller)))
        });
        Ok(tasks.boxed())
    }

    pub(super) async fn cancel(&self, caller: &Caller, id: &str) -> Result<Task, CancelError> {
        let who = super::caller(&caller.principal)?;
        match self.service.cancel(who, id).await {
            Ok(view) => Ok(self.task(caller, &view, Look::Glance)),
            Err(envelope) => match envelope.failure.code {
                Code::RenderNotFound | Code::RenderExpired => Err(CancelError::Unknown),
                Code::RenderFinished => match self.service.render(who, id).await {
                    Ok(view) => {
                        let task = self.task(caller, &view, Look::Glance);
                        Err(CancelError::Finished(Box::new(task)))
                    }
                    Err(_) => Err(CancelError::Unknown),
                },
                _ => Err(CancelError::Other(self.rpc_error(caller, &envelope))),
            },
        }
    }

    pub(super) async fn answer(
        &self,
        caller: &Caller,
        task: &str,
        key: &str,
        answer: InputAnswer,
    ) -> Result<(), TaskError> {
        if matches!(answer, InputAnswer::Unable(_)) {
            // No person has closed it: whoever else follows the render may still be asked at once.
            return Ok(());
        }
        let question = Questions::question(key);
        let Some((approved, feedback)) = read(&answer) else {
            self.questions.dismissed(key, self.clock.now());
            return Ok(());
        };
        let who = super::caller(&caller.principal)?;
        let answer = Answer {
            question_id: Some(question.to_owned()),
            approved,
            feedback,
            channel: "elicitation",
        };
        match self.service.decide(who, task, answer).await {
            Ok(_) => {
                self.questions.answered(question);
                Ok(())
            }
            Err(envelope) => match envelope.failure.code {
                // The first answer counts; a later one is no error.
                Code::AlreadyDecided | Code::NotAwaitingApproval | Code::ApprovalExpired => Ok(()),
                _ => Err(task_error(self, caller, envelope.failure)),
            },
        }
    }
}

/// The form in which a person answers.
fn approval_form() -> Value {
    json!({
        "type": "object",
        "required": ["approved"],
        "properties": {
            "approved": {
                "type": "boolean",
                "title": "Approved",
                "description": "true to make the film with this watermark, false to reject it.",
            },
            "feedback": {
                "type": "string",
                "title": "Feedback",
                "description": "A note, such as what should change.",
                "maxLength": 1000,
            },
        },
    })
}

/// Yes or no and what else was said; none for what is no answer.
fn read(answer: &InputAnswer) -> Option<(bool, Option<String>)> {
    match answer {
        InputAnswer::Accept(form) => {
            let approved = form.get("approved").and_then(Value::as_bool)?;
            let feedback = form.get("feedback").and_then(Value::as_str);
            let feedback = feedback.filter(|text| !text.trim().is_empty());
            Some((approved, feedback.map(|text| text.chars().take(1000).collect())))
        }
        InputAnswer::Decline => Some((false, None)),
        InputAnswer::Cancel | InputAnswer::Unable(_) => None,
    }
}

/// Why a task cannot be looked at.
pub(super) fn task_error(agents: &Agents, caller: &Caller, failure: Failure) -> TaskError {
    match failure.code {
        Code::RenderNotFound | Code::RenderExpired => TaskError::Unknown,
        _ => TaskError::Other(agents.rpc_error(caller, &Envelope::new(failure))),
    }
}
