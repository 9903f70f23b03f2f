//! A server with everything that the suite wants to find.

use std::{sync::Arc, time::Duration};

use mcp::{
    Caller, Config, Context, Environment, Handler, MemoryStorage, Notifier, Open, Params,
    Principal, RpcError, Server,
    model::{
        Capabilities, Completion, CompletionOf, Implementation, Page, Prompt, PromptResult,
        Resource, ResourceCapabilities, ResourceContents, ResourceTemplate, ServerDescription,
        Tool, ToolAnswer, ToolCall,
    },
};
use tokio::net::TcpListener;

use crate::{prompts, resources, tools};

struct Fixtures;

impl Handler for Fixtures {
    fn describe(&self) -> ServerDescription {
        ServerDescription {
            implementation: Implementation {
                name: "conformance-fixtures".to_owned(),
                title: None,
                version: "1.0.0".to_owned(),
            },
            instructions: None,
            capabilities: Capabilities {
                tools: true,
                tools_changed: true,
                resources: Some(ResourceCapabilities { subscribe: true, list_changed: true }),
                prompts: true,
                completions: true,
                logging: true,
                tasks: false,
            },
        }
    }

    async fn list_tools(&self, _: &Caller, _: Option<&str>) -> Result<Page<Tool>, RpcError> {
        Ok(Page::whole(tools::all()))
    }

    async fn call_tool(
        &self,
        _: &Caller,
        call: ToolCall,
        context: Context,
    ) -> Result<ToolAnswer, RpcError> {
        tools::call(&call, &context).await.map(ToolAnswer::Result)
    }

    async fn list_resources(
        &self,
        _: &Caller,
        _: Option<&str>,
    ) -> Result<Page<Resource>, RpcError> {
        Ok(Page::whole(resources::all()))
    }

    async fn list_resource_templates(
        &self,
        _: &Caller,
        _: Option<&str>,
    ) -> Result<Page<ResourceTemplate>, RpcError> {
        Ok(Page::whole(resources::templates()))
    }

    async fn read_resource(
        &self,
        _: &Caller,
        uri: &str,
    ) -> Result<Vec<ResourceContents>, RpcError> {
        resources::read(uri).map(|contents| vec![contents])
    }

    async fn can_subscribe(&self, _: &Caller, uri: &str) -> Result<(), RpcError> {
        resources::read(uri).map(|_| ())
    }

    async fn list_prompts(&self, _: &Caller, _: Option<&str>) -> Result<Page<Prompt>, RpcError> {
        Ok(Page::whole(prompts::all()))
    }

    async fn get_prompt(
        &self,
        _: &Caller,
        name: &str,
        arguments: Params,
    ) -> Result<PromptResult, RpcError> {
        prompts::get(name, &arguments)
    }

    async fn complete(
        &self,
        _: &Caller,
        _: CompletionOf,
        _: &str,
        value: &str,
    ) -> Result<Completion, RpcError> {
        let values = ["paris", "park", "party"].into_iter().filter(|v| v.starts_with(value));
        let values: Vec<_> = values.map(str::to_owned).collect();
        Ok(Completion { total: Some(values.len() as u64), values, has_more: false })
    }
}

/// Serves the fixtures until it is dropped.
pub(crate) async fn serve(listener: TcpListener) {
    let local = Principal { key: "local".to_owned(), context: Arc::new(()) };
    let server = Server::new(
        Fixtures,
        Arc::new(MemoryStorage::default()),
        Arc::new(Open(local)),
        Notifier::default(),
        Config { retry: Duration::from_millis(500), ..Config::default() },
        Environment::default(),
    );
    axum::serve(listener, server.router()).await.unwrap();
}
