//! The log on standard error.

use tracing::Level;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::cli::{Cli, Command, LogFormat};

/// The crates of this program; of others only warnings are worth reading.
const OURS: [&str; 6] = ["mcp", "media", "render", "stage", "store", "video_render_mcp"];

/// Begins to log, as the command wants it.
pub(crate) fn start(cli: &Cli) {
    let format = match &cli.command {
        Command::Serve(args) => Some(args.log_format),
        _ => None,
    };
    let level = match (cli.verbose, format) {
        (true, _) => Level::DEBUG,
        (false, Some(_)) => Level::INFO,
        (false, None) => Level::WARN,
    };
    let filter =
        Targets::new().with_default(Level::WARN).with_targets(OURS.map(|name| (name, level)));
    let lines = fmt::layer().with_writer(std::io::stderr);
    let lines = match format {
        // For whoever waits at a terminal.
        None => lines.without_time().with_target(false).boxed(),
        Some(LogFormat::Text) => lines.with_target(false).boxed(),
        Some(LogFormat::Json) => lines.json().flatten_event(true).boxed(),
    };
    tracing_subscriber::registry().with(lines.with_filter(filter)).init();
}
