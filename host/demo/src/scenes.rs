//! The steps between agent and server.

use std::fs;
use std::io::{BufRead as _, Write as _};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::Outcome;
use crate::agent::{Agent, refuse};
use crate::exchange::Exchange;

/// How long the render may take to ask its question.
const ASKS: Duration = Duration::from_secs(120);
/// The demo looks more often than a server asks agents to.
const LONGEST_PAUSE: u64 = 1000;
/// Where a question says which task it belongs to.
const RELATED_TASK: &str = "/params/_meta/io.modelcontextprotocol~1related-task/taskId";

/// How the render ended.
pub(crate) enum Ending {
    /// The film's signed address.
    Film(String),
    /// The person did not want the mark.
    Rejected,
}

/// Renders the asset, with a question on the way.
pub(crate) fn play(
    agent: &mut Agent,
    exchange: &mut Exchange,
    asset: &str,
    preview: &Path,
    interactive: bool,
) -> Outcome<Ending> {
    exchange.step(2, "The agent opens a session and starts the render as a task");
    agent.initialize(exchange)?;
    let arguments = json!({
        "source_asset_id": asset,
        "resolution": "1080p",
        "watermark": { "mode": "text", "text": "CONFIDENTIAL" },
    });
    let params =
        json!({ "name": "video_render", "arguments": arguments, "task": { "ttl": 3_600_000 } });
    let created = agent.call(exchange, "tools/call", params, true, &mut refuse)?;
    let task = text(&created, "/task/taskId")?.to_owned();

    exchange.step(3, "It polls until the render wants an answer, and fetches the preview");
    let polls = wait_for_question(agent, exchange, &task)?;
    exchange.note(&format!("input_required after {polls} polls"));
    let uri = format!("video://renders/{task}/watermark-preview.png");
    let read = agent.call(exchange, "resources/read", json!({ "uri": uri }), true, &mut refuse)?;
    fs::write(preview, STANDARD.decode(text(&read, "/contents/0/blob")?)?)?;

    exchange.step(4, "It holds tasks/result; the question comes on that stream");
    let mut approved = None;
    let mut answer = |_: &mut Exchange, request: &Value| -> Outcome<Value> {
        if text(request, "/method")? != "elicitation/create" {
            return Err(format!("the server asked for something else: {request}").into());
        }
        if text(request, RELATED_TASK)? != task {
            return Err(format!("the question is about another task: {request}").into());
        }
        let yes = !interactive || ask(text(request, "/params/message")?, preview)?;
        approved = Some(yes);
        Ok(json!({ "action": "accept", "content": { "approved": yes } }))
    };
    let result =
        agent.call(exchange, "tasks/result", json!({ "taskId": task }), true, &mut answer)?;
    if result.get("isError") != Some(&Value::Bool(true)) {
        return Ok(Ending::Film(address(&result)?));
    }
    let code = text(&result, "/structuredContent/code")?;
    if approved == Some(false) && code == "watermark_rejected" {
        return Ok(Ending::Rejected);
    }
    Err(format!("the render failed: {code}").into())
}

fn wait_for_question(agent: &mut Agent, exchange: &mut Exchange, task: &str) -> Outcome<u32> {
    let limit = Instant::now() + ASKS;
    let mut polls = 0;
    while Instant::now() < limit {
        polls += 1;
        let params = json!({ "taskId": task });
        let state = agent.call(exchange, "tasks/get", params, polls == 1, &mut refuse)?;
        match text(&state, "/status")? {
            "input_required" => return Ok(polls),
            "working" => {}
            other => return Err(format!("the render is {other} before it has asked").into()),
        }
        let pause = state.get("pollInterval").and_then(Value::as_u64).unwrap_or(LONGEST_PAUSE);
        sleep(Duration::from_millis(pause.min(LONGEST_PAUSE)));
    }
    Err("the render has not asked in time".into())
}

/// Puts the question to the person; the end of input is a no.
fn ask(question: &str, preview: &Path) -> Outcome<bool> {
    println!("\n   {question}\n   Look at {}", preview.display());
    let mut input = std::io::stdin().lock();
    loop {
        print!("   Approve? [yes/no] ");
        std::io::stdout().flush()?;
        let mut line = String::new();
        let read = input.read_line(&mut line)?;
        match line.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" => return Ok(true),
            "n" | "no" => return Ok(false),
            _ if read == 0 => return Ok(false),
            _ => {}
        }
    }
}

/// The signed address that comes with the film's link.
fn address(result: &Value) -> Outcome<String> {
    let content =
        result.get("content").and_then(Value::as_array).ok_or("a result without content")?;
    content
        .iter()
        .find_map(|part| part.get("_meta")?.get("com.video-render/download_url")?.as_str())
        .map(str::to_owned)
        .ok_or_else(|| "the result has no download address".into())
}

fn text<'a>(value: &'a Value, pointer: &str) -> Outcome<&'a str> {
    let found = value.pointer(pointer).and_then(Value::as_str);
    found.ok_or_else(|| format!("{pointer} is missing in {value}").into())
}
