//! What a tool server implements, whatever revision its clients speak.

use std::future::{Future, ready};

use futures::stream::BoxStream;

use crate::{
    caller::{Caller, Principal},
    context::Context,
    error::RpcError,
    jsonrpc::Params,
    model::{
        CancelError, Completion, CompletionOf, InputAnswer, Look, Page, Prompt, PromptResult,
        Resource, ResourceContents, ResourceTemplate, ServerDescription, Task, TaskError, Tool,
        ToolAnswer, ToolCall,
    },
};

/// A tool server.
///
/// Nothing of sessions, streams or revisions shows here. How the two kinds of revisions map:
///
/// | | with sessions (up to 2025-11-25) | stateless (from 2026-07-28) |
/// |---|---|---|
/// | [`call_tool`](Self::call_tool) with a wish | `task` parameter: [`TaskWish::Asked`](crate::model::TaskWish) | extension declared: `Possible` |
/// | [`get_task`](Self::get_task) | `tasks/get`, a glance; the outcome is left out | `tasks/get`, attending; outcome and inputs are inlined |
/// | [`watch_task`](Self::watch_task) | `tasks/result` (attending), status notifications, progress and input requests of a session's tasks (glancing) | `subscriptions/listen` with `taskIds` (glancing) |
/// | [`Task::inputs`] | an `elicitation/create` request for each key | `inputRequests` by key |
/// | [`answer_input`](Self::answer_input) | the response to that request | each entry of `tasks/update`, or of a retry's `inputResponses` |
/// | [`Context::offer_input`] | a request on the call's own stream, and the call goes on | ends the call with an `InputRequiredResult`; task and key go into its signed state, and the retry brings the answer to `answer_input` before it calls the tool again |
/// | [`Context::ask`] | a request, and the call waits | the same as above; the retry runs the call again from its start, and `ask` then returns the answer to its key at once |
/// | [`can_subscribe`](Self::can_subscribe) | `resources/subscribe` | each address of `subscriptions/listen` |
/// | [`sees`](Self::sees) | which sessions a [`Notifier`](crate::Notifier) reaches | which listen streams |
/// | the client goes away | the call goes on to its end; only the end of its session or of the server drops its future | the future is dropped |
///
/// So a call that uses `ask` must have no effects before it, and whatever a call begins that should
/// outlive its client must not live in its future.
pub trait Handler: Send + Sync + 'static {
    /// What this server is and offers. May change while it runs; sessions keep what they were told.
    fn describe(&self) -> ServerDescription;

    /// The tools, in a stable order.
    fn list_tools(
        &self,
        caller: &Caller,
        cursor: Option<&str>,
    ) -> impl Future<Output = Result<Page<Tool>, RpcError>> + Send;

    /// One tool by its name; `None` if there is none.
    fn find_tool(
        &self,
        caller: &Caller,
        name: &str,
    ) -> impl Future<Output = Result<Option<Tool>, RpcError>> + Send {
        async move {
            let mut cursor = None;
            loop {
                let page = self.list_tools(caller, cursor.as_deref()).await?;
                if let Some(tool) = page.items.into_iter().find(|tool| tool.name == name) {
                    return Ok(Some(tool));
                }
                match page.next {
                    Some(next) => cursor = Some(next),
                    None => return Ok(None),
                }
            }
        }
    }

    /// Calls a tool that [`find_tool`](Self::find_tool) has found and whose rules about tasks the
    /// wish fulfils. With [`TaskWish::Asked`](crate::model::TaskWish) only a task or an error may
    /// be returned, with `None` only a result or an error. A task must be durable before it is
    /// returned.
    fn call_tool(
        &self,
        caller: &Caller,
        call: ToolCall,
        context: Context,
    ) -> impl Future<Output = Result<ToolAnswer, RpcError>> + Send;

    /// A task as it is.
    fn get_task(
        &self,
        caller: &Caller,
        id: &str,
        look: Look,
    ) -> impl Future<Output = Result<Task, TaskError>> + Send {
        let _ = (caller, id, look);
        ready(Err(TaskError::Unknown))
    }

    /// A task as it is and then as it changes, to its end. Who reads slowly sees only the newest;
    /// the stream ends after the item that has ended, or when the task is forgotten.
    fn watch_task(
        &self,
        caller: &Caller,
        id: &str,
        look: Look,
    ) -> impl Future<Output = Result<BoxStream<'static, Task>, TaskError>> + Send {
        let _ = (caller, id, look);
        ready(Err(TaskError::Unknown))
    }

    /// Cancels a task. With success the task has ended and stays so.
    fn cancel_task(
        &self,
        caller: &Caller,
        id: &str,
    ) -> impl Future<Output = Result<Task, CancelError>> + Send {
        let _ = (caller, id);
        ready(Err(CancelError::Unknown))
    }

    /// An answer to an input request of a task. May come late, twice, or under an unknown key: the
    /// first counts, and none of the others is an error.
    fn answer_input(
        &self,
        caller: &Caller,
        task: &str,
        key: &str,
        answer: InputAnswer,
    ) -> impl Future<Output = Result<(), TaskError>> + Send {
        let _ = (caller, task, key, answer);
        ready(Err(TaskError::Unknown))
    }

    /// The resources of the caller.
    fn list_resources(
        &self,
        caller: &Caller,
        cursor: Option<&str>,
    ) -> impl Future<Output = Result<Page<Resource>, RpcError>> + Send {
        let _ = (caller, cursor);
        ready(Ok(Page::whole(Vec::new())))
    }

    /// The patterns of addresses.
    fn list_resource_templates(
        &self,
        caller: &Caller,
        cursor: Option<&str>,
    ) -> impl Future<Output = Result<Page<ResourceTemplate>, RpcError>> + Send {
        let _ = (caller, cursor);
        ready(Ok(Page::whole(Vec::new())))
    }

    /// What a resource holds. What does not exist for the caller is
    /// [`RpcError::resource_not_found`].
    fn read_resource(
        &self,
        caller: &Caller,
        uri: &str,
    ) -> impl Future<Output = Result<Vec<ResourceContents>, RpcError>> + Send {
        let _ = caller;
        ready(Err(RpcError::resource_not_found(uri)))
    }

    /// Whether the caller may be told of changes to a resource; else the error of
    /// [`read_resource`](Self::read_resource).
    fn can_subscribe(
        &self,
        caller: &Caller,
        uri: &str,
    ) -> impl Future<Output = Result<(), RpcError>> + Send {
        let _ = caller;
        ready(Err(RpcError::resource_not_found(uri)))
    }

    /// Whether a principal may be told of what happens in a scope that the product has named to a
    /// [`Notifier`](crate::Notifier).
    fn sees(&self, principal: &Principal, scope: &str) -> bool {
        let _ = (principal, scope);
        false
    }

    /// The prompts.
    fn list_prompts(
        &self,
        caller: &Caller,
        cursor: Option<&str>,
    ) -> impl Future<Output = Result<Page<Prompt>, RpcError>> + Send {
        let _ = (caller, cursor);
        ready(Err(RpcError::method_not_found("prompts/list")))
    }

    /// A prompt with its arguments filled in.
    fn get_prompt(
        &self,
        caller: &Caller,
        name: &str,
        arguments: Params,
    ) -> impl Future<Output = Result<PromptResult, RpcError>> + Send {
        let _ = (caller, name, arguments);
        ready(Err(RpcError::method_not_found("prompts/get")))
    }

    /// Proposals for an argument that is being typed.
    fn complete(
        &self,
        caller: &Caller,
        of: CompletionOf,
        argument: &str,
        value: &str,
    ) -> impl Future<Output = Result<Completion, RpcError>> + Send {
        let _ = (caller, of, argument, value);
        ready(Err(RpcError::method_not_found("completion/complete")))
    }
}
