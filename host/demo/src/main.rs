//! `demo`: the product as an agent meets it, over HTTP, from a clip to a downloaded film.

mod agent;
mod download;
mod exchange;
mod scenes;
mod server;
mod tools;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agent::Agent;
use exchange::Exchange;
use scenes::Ending;
use server::Server;

/// What a step ends with: something, or a sentence that says what went wrong.
type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Names another folder for what the demo makes.
const FOLDER: &str = "VIDEO_RENDER_DEMO";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        [] => tell(false),
        ["--interactive"] => tell(true),
        _ => Err("usage: demo [--interactive]".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The story. The server ends with this function, however it is left.
fn tell(interactive: bool) -> Outcome {
    let program = std::env::current_exe()?;
    let beside = program.parent().ok_or("this program lies in no folder")?;
    let folder = std::env::var_os(FOLDER).map_or_else(|| beside.join("demo-files"), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    let [clip, film, preview, log, lines, data] =
        ["source.mp4", "film.mp4", "preview.png", "server.log", "exchange.jsonl", "data"]
            .map(|name| folder.join(name));
    // A film of an earlier run must not pass for one of this run.
    for old in [&film, &preview] {
        if old.exists() {
            std::fs::remove_file(old)?;
        }
    }
    let product = beside.join("video-render-mcp");
    let mut exchange = Exchange::new(&lines)?;

    exchange.step(1, "A clip of ten seconds, and a server of its own");
    tools::make_clip(&clip)?;
    let server = Server::start(&product, &data, &log)?;
    let asset = tools::add_asset(&product, &data, &clip)?;
    exchange.note(&format!("{} listens; the clip is asset {asset}", server.endpoint()));

    let mut agent = Agent::new(server.endpoint());
    let ending = scenes::play(&mut agent, &mut exchange, &asset, &preview, interactive)?;
    match ending {
        Ending::Rejected => {
            exchange.note("You said no: the render ended as rejected, with no film.")
        }
        Ending::Film(address) => {
            exchange.step(5, "Download by the signed address, and look at it with ffprobe");
            download::download(&mut exchange, &address, &film)?;
            exchange.note(&tools::probe(&film)?);
        }
    }
    farewell(film.exists().then_some(film.as_path()), &preview, &lines);
    Ok(())
}

fn farewell(film: Option<&Path>, preview: &Path, lines: &Path) {
    println!();
    if let Some(film) = film {
        println!("Film:     {}", film.display());
    }
    println!("Preview:  {}\nExchange: {}", preview.display(), lines.display());
}
