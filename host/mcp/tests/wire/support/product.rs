//! A product small enough to be seen through: tools, tasks that the test steers, resources.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures::{StreamExt as _, stream, stream::BoxStream};
use mcp::{
    Caller, Clock as _, Context, Handler, LogLevel, Principal, RpcError,
    model::{
        Body, CancelError, Capabilities, ClientRequest, Implementation, InputAnswer, InputKind,
        InputRequest, Look, Outcome, Page, Progress, Resource, ResourceCapabilities,
        ResourceContents, ServerDescription, Task, TaskError, TaskState, TaskSupport, TaskWish,
        Tool, ToolAnswer, ToolCall, ToolResult,
    },
};
use serde_json::{Value, json};
use tokio::sync::{Notify, watch};

use super::TestClock;

#[derive(Clone)]
pub(crate) struct Product(Arc<World>);

struct World {
    clock: Arc<TestClock>,
    tasks: Mutex<BTreeMap<String, Kept>>,
    answers: Mutex<Vec<(String, String, InputAnswer)>>,
    events: Mutex<Vec<String>>,
    go: Notify,
    broken: AtomicBool,
}

struct Kept {
    owner: String,
    task: watch::Sender<Task>,
    asked: u32,
}

impl Product {
    pub(crate) fn new(clock: Arc<TestClock>) -> Self {
        Self(Arc::new(World {
            clock,
            tasks: Mutex::default(),
            answers: Mutex::default(),
            events: Mutex::default(),
            go: Notify::new(),
            broken: AtomicBool::new(false),
        }))
    }

    /// What came in, in order: task, key, answer.
    pub(crate) fn answers(&self) -> Vec<(String, String, InputAnswer)> {
        self.0.answers.lock().unwrap().clone()
    }

    /// What tools noted.
    pub(crate) fn events(&self) -> Vec<String> {
        self.0.events.lock().unwrap().clone()
    }

    fn note(&self, event: &str) {
        self.0.events.lock().unwrap().push(event.to_owned());
    }

    /// Lets a tool that waits go on.
    pub(crate) fn go(&self) {
        self.0.go.notify_one();
    }

    /// Answers cannot be taken, or can again.
    pub(crate) fn break_down(&self, broken: bool) {
        self.0.broken.store(broken, Ordering::SeqCst);
    }

    /// A task of somebody.
    pub(crate) fn begin(&self, owner: &str) -> String {
        let mut tasks = self.0.tasks.lock().unwrap();
        let id = format!("task{}", tasks.len());
        let now = self.0.clock.now();
        let task = Task {
            id: id.clone(),
            state: TaskState::Working,
            message: Some("Working.".to_owned()),
            created_at: now,
            updated_at: now,
            ttl_ms: Some(60_000),
            poll_interval_ms: Some(1000),
            inputs: Vec::new(),
            progress: None,
            immediate_response: Some("It has begun.".to_owned()),
        };
        let task = watch::Sender::new(task);
        tasks.insert(id.clone(), Kept { owner: owner.to_owned(), task, asked: 0 });
        id
    }

    fn change(&self, id: &str, change: impl FnOnce(&mut Task)) {
        let tasks = self.0.tasks.lock().unwrap();
        let kept = tasks.get(id).expect("a task");
        kept.task.send_if_modified(|task| {
            let open = task.state.outcome().is_none();
            if open {
                change(task);
            }
            open
        });
    }

    /// The task asks.
    pub(crate) fn question(&self, id: &str) {
        let asked = {
            let mut tasks = self.0.tasks.lock().unwrap();
            let kept = tasks.get_mut(id).expect("a task");
            kept.asked += 1;
            kept.asked
        };
        self.change(id, |task| {
            task.state = TaskState::InputRequired;
            task.inputs = vec![approval(&format!("q{asked}"))];
        });
    }

    pub(crate) fn progress(&self, id: &str, progress: f64) {
        self.change(id, |task| {
            task.progress = Some(Progress { progress, total: Some(1.0), message: None });
        });
    }

    pub(crate) fn end(&self, id: &str, outcome: Outcome) {
        self.change(id, |task| {
            task.inputs.clear();
            task.state = TaskState::Done(Box::new(outcome));
        });
    }

    pub(crate) fn complete(&self, id: &str) {
        self.end(id, Outcome::Result(ToolResult::text("done")));
    }

    /// Takes every task a step on: first it asks, and when that is answered it ends.
    pub(crate) fn step(&self) {
        let tasks: Vec<_> = {
            let tasks = self.0.tasks.lock().unwrap();
            let state = |kept: &Kept| (kept.task.borrow().state.clone(), kept.asked);
            tasks.iter().map(|(id, kept)| (id.clone(), state(kept))).collect()
        };
        for (id, state) in tasks {
            match state {
                (TaskState::Working, 0) => {
                    self.progress(&id, 0.5);
                    self.question(&id);
                }
                (TaskState::Working, _) => self.complete(&id),
                _ => {}
            }
        }
    }

    /// The task is forgotten, as at the end of its time.
    pub(crate) fn forget(&self, id: &str) {
        self.0.tasks.lock().unwrap().remove(id);
    }

    fn of(&self, caller: &Caller, id: &str) -> Result<watch::Receiver<Task>, TaskError> {
        let tasks = self.0.tasks.lock().unwrap();
        let kept = tasks.get(id).filter(|kept| kept.owner == caller.principal.key);
        kept.map(|kept| kept.task.subscribe()).ok_or(TaskError::Unknown)
    }

    /// A question that was dismissed is put again to who attends.
    fn attend(&self, id: &str, look: Look) {
        let dismissed = {
            let tasks = self.0.tasks.lock().unwrap();
            tasks.get(id).is_some_and(|kept| {
                let task = kept.task.borrow();
                task.state == TaskState::InputRequired && task.inputs.is_empty()
            })
        };
        if look == Look::Attend && dismissed {
            self.question(id);
        }
    }
}

fn approval(key: &str) -> InputRequest {
    let schema = json!({
        "type": "object",
        "required": ["approved"],
        "properties": { "approved": { "type": "boolean" } },
    });
    InputRequest {
        key: key.to_owned(),
        kind: InputKind::Form { message: "Is it right?".to_owned(), schema },
    }
}

fn tool(name: &str, task_support: TaskSupport) -> Tool {
    Tool {
        name: name.to_owned(),
        title: None,
        description: Some(format!("Does {name}")),
        input_schema: json!({ "type": "object" }),
        output_schema: None,
        annotations: None,
        task_support,
        meta: Default::default(),
    }
}

impl Handler for Product {
    fn describe(&self) -> ServerDescription {
        ServerDescription {
            implementation: Implementation {
                name: "test".to_owned(),
                title: Some("Test".to_owned()),
                version: "1".to_owned(),
            },
            instructions: Some("Use it.".to_owned()),
            capabilities: Capabilities {
                tools: true,
                tools_changed: true,
                resources: Some(ResourceCapabilities { subscribe: true, list_changed: true }),
                tasks: true,
                logging: true,
                ..Capabilities::default()
            },
        }
    }

    async fn list_tools(&self, _: &Caller, cursor: Option<&str>) -> Result<Page<Tool>, RpcError> {
        // Two pages, so that finding a tool has to turn one.
        match cursor {
            None => {
                let names = ["echo", "wait", "chat", "count", "big", "panic", "ask", "sleep"];
                let items = names.map(|name| tool(name, TaskSupport::Forbidden)).into();
                Ok(Page { items, next: Some("2".to_owned()) })
            }
            Some("2") => Ok(Page::whole(vec![
                tool("status", TaskSupport::Forbidden),
                tool("render", TaskSupport::Optional),
                tool("must", TaskSupport::Required),
            ])),
            Some(_) => Err(RpcError::invalid_params("no such page")),
        }
    }

    async fn call_tool(
        &self,
        caller: &Caller,
        call: ToolCall,
        context: Context,
    ) -> Result<ToolAnswer, RpcError> {
        let number = |name: &str| call.arguments.get(name).and_then(Value::as_u64).unwrap_or(0);
        let text = |name: &str| {
            call.arguments.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let said = match call.name.as_str() {
            "echo" => text("text"),
            "sleep" => {
                tokio::time::sleep(Duration::from_millis(number("ms"))).await;
                "slept".to_owned()
            }
            "wait" => {
                self.note("waiting");
                tokio::select! {
                    () = self.0.go.notified() => self.note("gone on"),
                    () = context.cancelled() => self.note("cancelled"),
                }
                "waited".to_owned()
            }
            "chat" => {
                for n in 0..number("n") {
                    context.log(LogLevel::Info, Some("chat"), json!(n)).await;
                }
                "chatted".to_owned()
            }
            "count" => {
                for n in [0.0, 1.0, 1.0, 0.5, 2.0] {
                    context.progress(Progress { progress: n, total: None, message: None }).await;
                }
                "counted".to_owned()
            }
            "big" => {
                context.log(LogLevel::Info, None, json!("begun")).await;
                "x".repeat(usize::try_from(number("bytes")).unwrap())
            }
            "panic" => panic!("as the test wants it"),
            "ask" => {
                let InputRequest { kind, .. } = approval("now");
                match context.ask("now", ClientRequest::Elicit(kind)).await {
                    Ok(answer) => answer["action"].as_str().unwrap_or("?").to_owned(),
                    Err(error) => error.to_string(),
                }
            }
            "status" => {
                let id = text("task");
                let mut changes =
                    self.of(caller, &id).map_err(|_| RpcError::invalid_params("?"))?;
                self.attend(&id, Look::Attend);
                let inputs = changes.borrow_and_update().inputs.clone();
                for input in inputs {
                    context.offer_input(&id, input).await;
                }
                let limit = Duration::from_millis(number("wait_ms"));
                let _ = tokio::time::timeout(limit, changes.changed()).await;
                "looked".to_owned()
            }
            "render" | "must" => {
                if text("fail") == "yes" {
                    let error = RpcError::invalid_params("cannot begin");
                    return Err(error.with_data(json!({ "request_id": caller.request_id })));
                }
                let id = self.begin(&caller.principal.key);
                if call.task == TaskWish::None {
                    id
                } else {
                    let task = self.of(caller, &id).unwrap().borrow().clone();
                    return Ok(ToolAnswer::Task(Box::new(task)));
                }
            }
            _ => unreachable!("only tools of the list are called"),
        };
        Ok(ToolAnswer::Result(ToolResult::text(said)))
    }

    async fn get_task(&self, caller: &Caller, id: &str, look: Look) -> Result<Task, TaskError> {
        let task = self.of(caller, id)?;
        self.attend(id, look);
        Ok(task.borrow().clone())
    }

    async fn watch_task(
        &self,
        caller: &Caller,
        id: &str,
        look: Look,
    ) -> Result<BoxStream<'static, Task>, TaskError> {
        let mut changes = self.of(caller, id)?;
        self.attend(id, look);
        changes.mark_changed();
        Ok(stream::unfold(changes, async |mut changes| {
            changes.changed().await.ok()?;
            let task = changes.borrow_and_update().clone();
            Some((task, changes))
        })
        .boxed())
    }

    async fn cancel_task(&self, caller: &Caller, id: &str) -> Result<Task, CancelError> {
        let task = self.of(caller, id).map_err(|_| CancelError::Unknown)?;
        let before = task.borrow().clone();
        if before.state.outcome().is_some() {
            return Err(CancelError::Finished(Box::new(before)));
        }
        self.end(id, Outcome::Cancelled(ToolResult::error("cancelled")));
        Ok(task.borrow().clone())
    }

    async fn answer_input(
        &self,
        caller: &Caller,
        task: &str,
        key: &str,
        answer: InputAnswer,
    ) -> Result<(), TaskError> {
        self.of(caller, task)?;
        if self.0.broken.load(Ordering::SeqCst) {
            return Err(RpcError::internal().into());
        }
        self.0.answers.lock().unwrap().push((task.to_owned(), key.to_owned(), answer.clone()));
        match answer {
            InputAnswer::Accept(content) if content["approved"] == true => {
                self.change(task, |task| {
                    task.inputs.clear();
                    task.state = TaskState::Working;
                });
            }
            InputAnswer::Decline => {
                self.end(task, Outcome::Result(ToolResult::error("rejected")));
            }
            _ => self.change(task, |task| task.inputs.clear()),
        }
        Ok(())
    }

    async fn list_resources(
        &self,
        _: &Caller,
        _: Option<&str>,
    ) -> Result<Page<Resource>, RpcError> {
        let resource = Resource {
            uri: "test://one".to_owned(),
            name: "one".to_owned(),
            ..Resource::default()
        };
        Ok(Page::whole(vec![resource]))
    }

    async fn read_resource(
        &self,
        caller: &Caller,
        uri: &str,
    ) -> Result<Vec<ResourceContents>, RpcError> {
        self.can_subscribe(caller, uri).await?;
        let body = Body::Text("x".repeat(100_000));
        Ok(vec![ResourceContents {
            uri: uri.to_owned(),
            mime_type: None,
            body,
            meta: Default::default(),
        }])
    }

    async fn can_subscribe(&self, caller: &Caller, uri: &str) -> Result<(), RpcError> {
        let theirs = format!("test://{}", caller.principal.key);
        if uri == "test://one" || uri == theirs {
            return Ok(());
        }
        Err(RpcError::resource_not_found(uri))
    }

    fn sees(&self, principal: &Principal, scope: &str) -> bool {
        scope == "all" || scope == principal.key
    }
}
