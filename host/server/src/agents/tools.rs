//! Calls of the tools.

use std::time::Duration;

use contract::answers::{self, State};
use contract::arguments::{ApproveArguments, StatusArguments, read_cancel};
use contract::catalogue::Code;
use contract::envelope::{Envelope, Repair};
use contract::failure::Failure;
use contract::fields::{self, FieldError};
use contract::tools;
use mcp::model::{Look, Meta, TaskSupport, TaskWish, Tool, ToolAnnotations, ToolAnswer, ToolCall};
use mcp::{Caller, Context, RpcError};
use render::service::{Admission, Answer, View, Wish};
use serde_json::Value;

use super::Agents;

/// The JSON-RPC code of an error that passes by itself.
const TEMPORARY: i64 = 1429;
/// The JSON-RPC code of a missing scope.
pub(super) const FORBIDDEN: i64 = 1403;
/// The JSON-RPC code of everything else that is the product's own.
pub(super) const OTHER: i64 = 1500;

/// The tools as the protocol lists them.
pub(super) fn list() -> Vec<Tool> {
    tools::all().iter().map(listed).collect()
}

fn listed(tool: &tools::Tool) -> Tool {
    Tool {
        name: tool.name.to_owned(),
        title: Some(tool.title.to_owned()),
        description: Some(tool.description.to_owned()),
        input_schema: tool.input.shown().clone(),
        output_schema: Some(tool.output.shown().clone()),
        annotations: Some(ToolAnnotations {
            title: Some(tool.title.to_owned()),
            read_only_hint: Some(tool.hints.read_only),
            destructive_hint: Some(tool.hints.destructive),
            idempotent_hint: Some(tool.hints.idempotent),
            open_world_hint: Some(false),
        }),
        task_support: if tool.task { TaskSupport::Optional } else { TaskSupport::Forbidden },
        meta: match &tool.meta {
            Value::Object(meta) => meta.clone(),
            _ => Meta::new(),
        },
    }
}

impl Agents {
    pub(super) async fn call(
        &self,
        caller: &Caller,
        call: ToolCall,
        context: Context,
    ) -> Result<ToolAnswer, RpcError> {
        let arguments = Value::Object(call.arguments.clone());
        match call.name.as_str() {
            tools::RENDER => self.render(caller, &arguments, call.task).await,
            tools::STATUS => self.status(caller, &arguments, &context).await,
            tools::APPROVE => self.approve(caller, &arguments).await,
            tools::CANCEL => self.cancel_by_tool(caller, &arguments).await,
            name => Err(RpcError::invalid_params(format!("there is no tool `{name}`"))),
        }
    }

    async fn render(
        &self,
        caller: &Caller,
        arguments: &Value,
        task: TaskWish,
    ) -> Result<ToolAnswer, RpcError> {
        let wish = Wish {
            ttl: match task {
                TaskWish::Asked { ttl_ms } => ttl_ms.map(Duration::from_millis),
                _ => None,
            },
            can_be_asked: task != TaskWish::None || caller.client.elicitation_form,
        };
        let who = super::caller(&caller.principal)?;
        match (self.service.admit(who, arguments, wish).await, task) {
            (Ok(admission), TaskWish::None) => {
                Ok(ToolAnswer::Result(self.dispatched(caller, &admission)))
            }
            (Ok(Admission { view, .. }), _) => {
                let mut task = self.task(caller, &view, Look::Glance);
                task.immediate_response = Some(format!(
                    "The render {} has begun; it typically takes 1 to 10 minutes. Its film can be \
                     fetched until {}.",
                    task.id,
                    render::service::rfc3339(view.render.expires)
                ));
                Ok(ToolAnswer::Task(Box::new(task)))
            }
            (Err(envelope), TaskWish::Asked { .. }) => Err(self.rpc_error(caller, &envelope)),
            (Err(envelope), _) => Ok(ToolAnswer::Result(self.error(caller, &envelope))),
        }
    }

    /// How a call without a task is answered: by where the render stands.
    fn dispatched(&self, caller: &Caller, admission: &Admission) -> mcp::model::ToolResult {
        let Admission { view, notices } = admission;
        match view.state() {
            State::Completed | State::Failed | State::Cancelled => self.outcome(caller, view),
            state => {
                let id = &view.render.id;
                super::results::plain(&answers::dispatched(id, state, notices))
            }
        }
    }

    async fn status(
        &self,
        caller: &Caller,
        arguments: &Value,
        context: &Context,
    ) -> Result<ToolAnswer, RpcError> {
        let asked = match StatusArguments::read(arguments) {
            Ok(asked) => asked,
            Err(wrong) => return Ok(self.wrong(caller, &wrong)),
        };
        let who = super::caller(&caller.principal)?;
        let mut watching = match self.service.watch(who, &asked.render_id).await {
            Ok(watching) => watching,
            Err(failure) => return Ok(self.failed(caller, failure)),
        };
        let Some(mut view) = watching.next().await else {
            let failure = Failure::new(Code::RenderNotFound, "There is no such render.");
            return Ok(self.failed(caller, failure));
        };
        if asked.wait_ms > 0 && !view.state().is_terminal() {
            self.offer(caller, &view, context).await;
            let begun = (view.state(), view.question().map(|question| question.id.clone()));
            let change = async {
                while let Some(next) = watching.next().await {
                    let now = (next.state(), next.question().map(|question| question.id.clone()));
                    view = next;
                    if now != begun {
                        break;
                    }
                }
            };
            let wait = Duration::from_millis(asked.wait_ms);
            tokio::select! {
                _ = tokio::time::timeout(wait, change) => {}
                () = context.cancelled() => {}
            }
        }
        Ok(ToolAnswer::Result(self.status_result(caller, &view).await))
    }

    /// Puts the render's question to the person, if this client can.
    async fn offer(&self, caller: &Caller, view: &View, context: &Context) {
        if caller.client.elicitation_form {
            for input in self.inputs(view, Look::Attend) {
                context.offer_input(&view.render.id, input).await;
            }
        }
    }

    async fn approve(&self, caller: &Caller, arguments: &Value) -> Result<ToolAnswer, RpcError> {
        let asked = match ApproveArguments::read(arguments) {
            Ok(asked) => asked,
            Err(wrong) => return Ok(self.wrong(caller, &wrong)),
        };
        let ApproveArguments { render_id, approved, feedback, question_id } = asked;
        let answer = Answer { question_id, approved, feedback, channel: "tool" };
        let who = super::caller(&caller.principal)?;
        Ok(ToolAnswer::Result(match self.service.decide(who, &render_id, answer).await {
            Ok(view) => self.status_result(caller, &view).await,
            Err(envelope) => self.error(caller, &envelope),
        }))
    }

    async fn cancel_by_tool(
        &self,
        caller: &Caller,
        arguments: &Value,
    ) -> Result<ToolAnswer, RpcError> {
        let render_id = match read_cancel(arguments) {
            Ok(render_id) => render_id,
            Err(wrong) => return Ok(self.wrong(caller, &wrong)),
        };
        let who = super::caller(&caller.principal)?;
        Ok(ToolAnswer::Result(match self.service.cancel(who, &render_id).await {
            Ok(view) => self.status_result(caller, &view).await,
            Err(envelope) => self.error(caller, &envelope),
        }))
    }

    fn wrong(&self, caller: &Caller, wrong: &[FieldError]) -> ToolAnswer {
        let failure = fields::failure(wrong)
            .unwrap_or_else(|| Failure::new(Code::InvalidField, "The arguments are wrong."));
        let envelope = Envelope::new(failure).repair(Repair::step("correct_arguments"));
        ToolAnswer::Result(self.error(caller, &envelope))
    }

    fn failed(&self, caller: &Caller, failure: Failure) -> ToolAnswer {
        ToolAnswer::Result(self.error(caller, &Envelope::new(failure)))
    }

    /// An error where only a task or an error may be answered.
    pub(super) fn rpc_error(&self, caller: &Caller, envelope: &Envelope) -> RpcError {
        let Failure { code, message, .. } = &envelope.failure;
        let number = match code {
            Code::SourceNotFound | Code::InvalidField | Code::IdempotencyConflict => {
                mcp::INVALID_PARAMS
            }
            Code::UnsupportedSource => mcp::INVALID_PARAMS,
            Code::RateLimited | Code::QuotaExceeded => TEMPORARY,
            Code::InsufficientScope => FORBIDDEN,
            Code::Internal => mcp::INTERNAL_ERROR,
            _ => OTHER,
        };
        let data = envelope.to_json(&caller.request_id, &self.fingerprint);
        RpcError::new(number, message.clone()).with_data(data)
    }
}
