//! The product as a tool server: what agents call and read, in the words of
//! the contract, whatever revision of the protocol they speak.

mod downloads;
mod questions;
mod resources;
mod results;
mod tasks;
mod thumbnail;
mod tools;

use std::sync::Arc;

use contract::summary;
use futures::stream::BoxStream;
use mcp::model::{
    CancelError, Capabilities, Implementation, InputAnswer, Look, Page, Resource,
    ResourceCapabilities, ResourceContents, ResourceTemplate, ServerDescription, Task, TaskError,
    Tool, ToolAnswer, ToolCall,
};
use mcp::{Caller, Context, Handler, Notifier, Principal, RpcError};
use render::service::{self, Listener, Service};

pub(crate) use downloads::{Download, Downloads};
use questions::Questions;

/// The version that agents are told.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The tool server. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Agents {
    service: Service,
    downloads: Arc<dyn Downloads>,
    clock: Arc<dyn store::Clock>,
    questions: Arc<Questions>,
    fingerprint: String,
    /// Where assets are sent to.
    uploads: String,
    /// The largest file that a resource read carries, in bytes.
    inline_bytes: u64,
}

impl Agents {
    /// A tool server over a service. `uploads` is the address that assets are
    /// sent to, `inline_bytes` the most that a resource read carries.
    pub(crate) fn new(
        service: Service,
        downloads: Arc<dyn Downloads>,
        clock: Arc<dyn store::Clock>,
        uploads: String,
        inline_bytes: u64,
    ) -> Self {
        let fingerprint = summary::fingerprint(VERSION);
        let questions = Arc::default();
        Self { service, downloads, clock, questions, fingerprint, uploads, inline_bytes }
    }
}

/// Tells the protocol layer what has changed.
pub(crate) struct News(pub(crate) Notifier);

impl Listener for News {
    fn resource(&self, tenant: &str, uri: &str) {
        self.0.resource_updated(uri, tenant);
        self.0.resources_changed(tenant);
    }
}

/// Who calls, as the product knows them.
fn caller(principal: &Principal) -> Result<&service::Caller, RpcError> {
    principal.context.downcast_ref().ok_or_else(RpcError::internal)
}

impl Handler for Agents {
    fn describe(&self) -> ServerDescription {
        ServerDescription {
            implementation: Implementation {
                name: summary::NAME.to_owned(),
                title: Some("Video render".to_owned()),
                version: VERSION.to_owned(),
            },
            instructions: Some(summary::INSTRUCTIONS.to_owned()),
            capabilities: Capabilities {
                tools: true,
                resources: Some(ResourceCapabilities { subscribe: true, list_changed: true }),
                tasks: true,
                ..Capabilities::default()
            },
        }
    }

    async fn list_tools(
        &self,
        _caller: &Caller,
        _cursor: Option<&str>,
    ) -> Result<Page<Tool>, RpcError> {
        Ok(Page::whole(tools::list()))
    }

    async fn call_tool(
        &self,
        caller: &Caller,
        call: ToolCall,
        context: Context,
    ) -> Result<ToolAnswer, RpcError> {
        self.call(caller, call, context).await
    }

    async fn get_task(&self, caller: &Caller, id: &str, look: Look) -> Result<Task, TaskError> {
        let who = self::caller(&caller.principal)?;
        let view = self.service.render(who, id).await;
        let view = view.map_err(|failure| tasks::task_error(self, caller, failure))?;
        Ok(self.task(caller, &view, look))
    }

    async fn watch_task(
        &self,
        caller: &Caller,
        id: &str,
        look: Look,
    ) -> Result<BoxStream<'static, Task>, TaskError> {
        self.watch(caller, id, look).await
    }

    async fn cancel_task(&self, caller: &Caller, id: &str) -> Result<Task, CancelError> {
        self.cancel(caller, id).await
    }

    async fn answer_input(
        &self,
        caller: &Caller,
        task: &str,
        key: &str,
        answer: InputAnswer,
    ) -> Result<(), TaskError> {
        self.answer(caller, task, key, answer).await
    }

    async fn list_resources(
        &self,
        caller: &Caller,
        cursor: Option<&str>,
    ) -> Result<Page<Resource>, RpcError> {
        self.resources(caller, cursor).await
    }

    async fn list_resource_templates(
        &self,
        _caller: &Caller,
        _cursor: Option<&str>,
    ) -> Result<Page<ResourceTemplate>, RpcError> {
        Ok(Page::whole(resources::templates()))
    }

    async fn read_resource(
        &self,
        caller: &Caller,
        uri: &str,
    ) -> Result<Vec<ResourceContents>, RpcError> {
        self.read(caller, uri).await
    }

    async fn can_subscribe(&self, caller: &Caller, uri: &str) -> Result<(), RpcError> {
        self.is_readable(caller, uri).await
    }

    fn sees(&self, principal: &Principal, scope: &str) -> bool {
        caller(principal).is_ok_and(|caller| caller.tenant == scope)
    }
}
