//! A minimal server on the official Rust SDK: it begins sessions and answers `tasks/get` with the
//! task that it was given. The product's server is measured against it.

use std::error::Error;
use std::sync::Arc;

use axum::Router;
use axum::serve::ListenerExt as _;
use rmcp::ServerHandler;
use rmcp::model::{
    DetailedTask, ErrorData, GetTaskParams, GetTaskResult, ServerCapabilities, ServerConfig, Task,
    TaskPayload, TaskStatus,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use tokio::net::TcpListener;

/// A server with one task, which runs. The SDK knows tasks as a later revision has them: the same
/// fields, of which some are called otherwise.
#[derive(Clone)]
struct Tasks {
    task: Arc<Task>,
}

impl ServerHandler for Tasks {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tasks().build())
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        if request.task_id == self.task.task_id {
            let task = Task::clone(&self.task);
            Ok(GetTaskResult::new(DetailedTask::new(task, TaskPayload::Working)))
        } else {
            Err(ErrorData::invalid_params("task not found", None))
        }
    }
}

/// The task as the product told it.
fn read(told: &str) -> Result<Task, Box<dyn Error>> {
    let told: Value = serde_json::from_str(told)?;
    let text = |name: &str| {
        let text = told.get(name).and_then(Value::as_str);
        text.ok_or_else(|| format!("the task has no {name}"))
    };
    let number = |name: &str| told.get(name).and_then(Value::as_u64);
    let (id, created, updated) = (text("taskId")?, text("createdAt")?, text("lastUpdatedAt")?);
    let mut task = Task::new(id, TaskStatus::Working, created, updated);
    task.status_message = text("statusMessage").ok().map(str::to_owned);
    task.ttl_ms = number("ttl");
    task.poll_interval_ms = number("pollInterval");
    Ok(task)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let task = std::env::args().nth(1).ok_or("usage: bench-reference TASK_AS_JSON")?;
    let tasks = Tasks { task: Arc::new(read(&task)?) };
    let service = StreamableHttpService::new(
        move || Ok(tasks.clone()),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on: {}", listener.local_addr()?);
    // As the product's does; without it most answers wait 40 ms for the client's acknowledgement.
    let listener = listener.tap_io(|connection| {
        if let Err(error) = connection.set_nodelay(true) {
            eprintln!("answers will be late: {error}");
        }
    });
    axum::serve(listener, Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
