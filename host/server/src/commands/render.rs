//! `render`: from a source file to an output file.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use render::catalogue::Code;
use render::failure::Failure;
use render::render::{Outcome, Render};
use render::report::Report;
use render::request::{Container, Mark, Request};
use serde_json::json;
use stage::model::Answer;

use crate::blame;
use crate::cli::{Approve, RenderArgs};
use crate::exit::Ending;
use crate::setup::Setup;
use crate::stored::{self, Existing, PreviewFile};
use crate::terminal::{self, Bar};

pub(crate) async fn run(args: RenderArgs) -> Result<Ending, Failure> {
    let approve = approval(&args)?;
    let request = request(&args, approve)?;
    if approve == Approve::Later && !request.overwrite {
        stored::check_free(&request.output)?;
    }
    let setup = Setup::new(args.config.file.as_deref())?;
    let bar = Arc::new(Bar::new());
    let host = setup.host(bar.clone())?;
    setup.check_chains().await?;
    let chain = setup.chain(request.container).await?;
    let ffmpeg = host.ffmpeg.clone();
    let ended = drive(&args, approve, bar, Render::start(host, chain, request).await).await;
    blame::find(&ffmpeg, ended).await
}

/// Goes from question to question until the render has ended or is stored.
async fn drive(
    args: &RenderArgs,
    approve: Approve,
    bar: Arc<Bar>,
    begun: Result<Outcome, Failure>,
) -> Result<Ending, Failure> {
    let mut outcome = begun?;
    loop {
        let waiting = match outcome {
            Outcome::Completed(report) => return done(&report),
            Outcome::Waiting(waiting) => *waiting,
        };
        let answer = match approve {
            Approve::Yes => Answer::Yes,
            Approve::No => Answer::No,
            Approve::Later => {
                let existing = if args.overwrite { Existing::Replace } else { Existing::Keep };
                return store(&waiting, existing).await;
            }
            Approve::Ask => ask(bar.clone(), &args.output, &waiting).await?,
        };
        outcome = waiting.answer(answer).await?;
    }
}

/// Who approves, where it was not said.
fn approval(args: &RenderArgs) -> Result<Approve, Failure> {
    match args.approve {
        Some(Approve::Ask) if !terminal::can_ask() => Err(Failure::invalid_field(
            "approve",
            "There is no terminal to ask on; say --approve yes, no or later.",
        )),
        Some(approve) => Ok(approve),
        None if terminal::can_ask() => Ok(Approve::Ask),
        // Without a mark there is nothing to approve; should a plugin ask all
        // the same, the question is kept.
        None if mark(args) == Mark::None => Ok(Approve::Later),
        None => Err(Failure::invalid_field(
            "approve",
            "The watermark needs approval and there is no terminal to ask on; say --approve yes, no or later.",
        )),
    }
}

fn request(args: &RenderArgs, approve: Approve) -> Result<Request, Failure> {
    let container = container(args)?;
    let files = [("input", &args.input), ("output", &args.output)];
    for (field, path) in files.into_iter().chain(args.image.as_ref().map(|path| ("image", path))) {
        if path.to_str().is_none() {
            let message = format!("The name {} is not UTF-8.", path.display());
            return Err(Failure::invalid_field(field, message));
        }
    }
    Ok(Request {
        input: absolute(&args.input),
        output: absolute(&args.output),
        overwrite: args.overwrite,
        container,
        resolution: args.resolution,
        watermark: mark(args),
        position: args.position,
        approval_required: approve != Approve::Yes,
    })
}

fn mark(args: &RenderArgs) -> Mark {
    match (&args.text, &args.image) {
        (Some(text), _) => Mark::Text(text.clone()),
        (None, Some(image)) => Mark::Image(absolute(image)),
        (None, None) => Mark::None,
    }
}

/// The container: as said, else as the output's name ends, else mp4.
fn container(args: &RenderArgs) -> Result<Container, Failure> {
    let ending = args.output.extension().and_then(|ending| ending.to_str());
    let named = ending.and_then(|ending| ending.to_ascii_lowercase().parse::<Container>().ok());
    match (args.format, named) {
        (Some(asked), Some(named)) if asked != named => {
            let message = format!("The output's name ends in .{named}, but the format is {asked}.");
            Err(Failure::invalid_field("output_format", message))
        }
        (asked, named) => Ok(asked.or(named).unwrap_or_default()),
    }
}

/// A stored render is resumed from any folder.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

async fn ask(bar: Arc<Bar>, output: &Path, waiting: &Render) -> Result<Answer, Failure> {
    let (question, preview) = write_question(output, waiting, Existing::Keep)?;
    let text = format!("preview: {}\n{question}", preview.path().display());
    // Reading a terminal blocks; an interrupt must be heard meanwhile.
    let answer = tokio::task::spawn_blocking(move || bar.suspended(|| terminal::ask(&text)))
        .await
        .map_err(|error| Failure::new(Code::Internal, format!("Asking failed: {error}.")))?;
    match answer {
        Some(true) => Ok(Answer::Yes),
        Some(false) => Ok(Answer::No),
        None => Err(Failure::new(Code::Cancelled, "The question was left without an answer.")),
    }
}

/// The question of a waiting render, and its picture as a file.
fn write_question(
    output: &Path,
    waiting: &Render,
    existing: Existing,
) -> Result<(String, PreviewFile), Failure> {
    let (question, png) = waiting
        .question()
        .ok_or_else(|| Failure::new(Code::Internal, "A waiting render has no question."))?;
    Ok((question.text.clone(), PreviewFile::write(output, png, existing)?))
}

pub(crate) async fn store(waiting: &Render, existing: Existing) -> Result<Ending, Failure> {
    let stored = waiting.suspend().await?;
    let (question, preview) = write_question(&stored.request.output, waiting, existing)?;
    let file = stored::write(&stored, waiting.chain(), existing)?;
    let preview = preview.keep();
    let json = json!({
        "suspended": {
            "file": file,
            "preview": preview,
            "question": question,
            "preview_frame": stored.question.preview_frame,
            "deadline": stored.question.deadline,
        }
    });
    let mut text = format!("{question}\n");
    let _ = writeln!(text, "preview: {}", preview.display());
    let _ =
        writeln!(text, "go on with: video-render-mcp resume {} --approve yes|no", file.display());
    Ok(Ending::Waiting { json, text })
}

/// How a completed render is told.
pub(crate) fn done(report: &Report) -> Result<Ending, Failure> {
    let json = serde_json::to_value(report).map_err(|error| {
        Failure::new(Code::Internal, format!("The result cannot be printed: {error}."))
    })?;
    let mut text = format!(
        "{}: {}×{}, {:.3} s, {} frames, {} bytes, encoded in {:.1} s\n",
        report.output.display(),
        report.width,
        report.height,
        report.duration_seconds,
        report.frames,
        report.bytes,
        report.seconds.encode.as_secs_f64(),
    );
    for warning in &report.warnings {
        let _ = writeln!(text, "warning[{}]: {}", warning.code, warning.message);
    }
    Ok(Ending::Done { json, text })
}
