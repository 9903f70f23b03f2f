//! A minimal server on the official Rust SDK: it begins sessions and answers `tasks/get` with the
//! task that it was given. The product's server is measured against it.

use std::error::Error;
use std::sync::Arc;

use axum::Router;
use rmcp::model::{
    ClientNotification, ClientRequest, CustomResult, ErrorData, ServerInfo, ServerResult,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ServerHandler, Service};
use serde_json::Value;
use tokio::net::TcpListener;

/// What the SDK does by itself.
struct Plain;

impl ServerHandler for Plain {}

/// The SDK knows tasks of a later revision only, so what it would answer is replaced by the task.
#[derive(Clone)]
struct Tasks {
    task: Arc<Value>,
}

impl Service<RoleServer> for Tasks {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        let ClientRequest::GetTaskRequest(request) = request else {
            return Plain.handle_request(request, context).await;
        };
        let id = self.task.get("taskId").and_then(Value::as_str);
        if id == Some(request.params.task_id.as_str()) {
            Ok(ServerResult::CustomResult(CustomResult(Value::clone(&self.task))))
        } else {
            Err(ErrorData::invalid_params("task not found", None))
        }
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Plain.handle_notification(notification, context).await
    }

    fn get_info(&self) -> ServerInfo {
        ServerHandler::get_info(&Plain)
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let task = std::env::args().nth(1).ok_or("usage: bench-reference TASK_AS_JSON")?;
    let tasks = Tasks { task: Arc::new(serde_json::from_str(&task)?) };
    let service = StreamableHttpService::new(
        move || Ok(tasks.clone()),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on: {}", listener.local_addr()?);
    axum::serve(listener, Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
