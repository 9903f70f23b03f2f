//! What is said between agent and server: in short on the terminal, whole in a file.

use std::fs::File;
use std::io::{IsTerminal as _, Write as _};
use std::path::Path;

use serde_json::{Value, json};

use crate::Outcome;

/// How much of a message the terminal shows.
const SHOWN: usize = 88;

/// Who speaks.
#[derive(Clone, Copy)]
pub(crate) enum From {
    /// The demo.
    Agent,
    /// `video-render-mcp serve`.
    Server,
}

/// The record of one run.
pub(crate) struct Exchange {
    whole: File,
    coloured: bool,
}

impl Exchange {
    /// Starts a record, in place of an earlier one.
    pub(crate) fn new(file: &Path) -> Outcome<Self> {
        Ok(Self { whole: File::create(file)?, coloured: std::io::stdout().is_terminal() })
    }

    /// Begins a step of the story.
    pub(crate) fn step(&self, number: u32, title: &str) {
        println!("\n{}", self.paint("1", &format!("{number}. {title}")));
    }

    /// Says something beside the exchange.
    pub(crate) fn note(&self, text: &str) {
        println!("   {text}");
    }

    /// Records a message and, under its label, shows it, aligned and shortened. One without a label
    /// is not shown: one poll looks like another.
    pub(crate) fn message(&mut self, from: From, label: Option<&str>, message: &Value) -> Outcome {
        self.record(from, message)?;
        let Some(label) = label else { return Ok(()) };
        let body = ["params", "result", "error"].iter().find_map(|key| message.get(*key));
        let text = shortened(&body.map(gist).unwrap_or_default());
        let (arrow, colour) = match from {
            From::Agent => ("→", "36"),
            From::Server => ("←", "32"),
        };
        println!("   {} {label:<26} {}", self.paint(colour, arrow), self.paint("2", &text));
        Ok(())
    }

    /// Records something that is said without showing it.
    pub(crate) fn record(&mut self, from: From, message: &Value) -> Outcome {
        let from = match from {
            From::Agent => "agent",
            From::Server => "server",
        };
        writeln!(self.whole, "{}", json!({ "from": from, "message": message }))?;
        Ok(())
    }

    fn paint(&self, style: &str, text: &str) -> String {
        if self.coloured { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// What a reader wants to know of a message: those of these that it has, in this order.
const TELLING: &[&str] = &[
    "/clientInfo/name",
    "/serverInfo/name",
    "/protocolVersion",
    "/name",
    "/arguments/resolution",
    "/arguments/watermark/text",
    "/task/taskId",
    "/task/status",
    "/taskId",
    "/status",
    "/uri",
    "/contents/0/mimeType",
    "/message",
    "/action",
    "/content/approved",
    "/structuredContent/code",
    "/structuredContent/state",
    "/structuredContent/message",
    "/content/0/text",
];

/// The telling parts of a message, or the message where there are none.
fn gist(body: &Value) -> String {
    let parts = TELLING.iter().filter_map(|pointer| body.pointer(pointer));
    let parts: Vec<String> =
        parts.map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_owned)).collect();
    if parts.is_empty() { body.to_string() } else { parts.join(" · ") }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    text.chars().take(SHOWN - 1).chain(['…']).collect()
}
