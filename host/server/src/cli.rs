//! The command line.

mod serving;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use render::request::{Container, Position, Resolution};

pub(crate) use serving::{
    AssetArgs, AssetCommand, LinksArgs, LinksCommand, LogFormat, ServeArgs, TokenArgs, TokenCommand,
};

use crate::exit::EXIT_CODES;

/// Renders videos through sandboxed stages: encode, watermark, mux.
#[derive(Debug, Parser)]
#[command(version, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    /// Say more on standard error: plugin output, tool calls.
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Render a source file.
    Render(RenderArgs),
    /// Go on with a render that waits for approval.
    Resume(ResumeArgs),
    /// Say what a source file holds.
    Probe(ProbeArgs),
    /// Look at plugins.
    Plugin(PluginArgs),
    /// Print the configuration reference, with every default.
    Config(ConfigArgs),
    /// Explain an error code.
    Explain(ExplainArgs),
    /// Serve agents over MCP.
    Serve(ServeArgs),
    /// Bring files to a server, and see which are there.
    Asset(AssetArgs),
    /// Issue and revoke tokens, with which agents come in.
    Token(TokenArgs),
    /// Look after download links.
    Links(LinksArgs),
}

impl Command {
    /// Whether results and errors are to be printed as JSON.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::Render(args) => args.json,
            Self::Resume(args) => args.json,
            Self::Probe(args) => args.json,
            Self::Plugin(args) => args.json,
            Self::Asset(args) => args.json,
            Self::Token(args) => args.json,
            // It says what it has to say when it begins.
            Self::Serve(_) | Self::Links(_) | Self::Config(_) | Self::Explain(_) => false,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct RenderArgs {
    /// The source file.
    pub(crate) input: PathBuf,
    /// Where the output goes.
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    /// Replace the output if it exists.
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// The container: mp4, mov or webm. By default as the output's name ends,
    /// else mp4.
    #[arg(long)]
    pub(crate) format: Option<Container>,
    /// The box that the picture is fitted in: 720p, 1080p or 4k.
    #[arg(long, default_value_t)]
    pub(crate) resolution: Resolution,
    /// Draw this text as a watermark.
    #[arg(long, conflicts_with = "image")]
    pub(crate) text: Option<String>,
    /// Draw this image as a watermark.
    #[arg(long)]
    pub(crate) image: Option<PathBuf>,
    /// Where the watermark goes: top_left, top_right, bottom_left,
    /// bottom_right or center.
    #[arg(long, default_value_t)]
    pub(crate) position: Position,
    /// Who approves the watermark. Without a terminal it must be said.
    #[arg(long)]
    pub(crate) approve: Option<Approve>,
    #[command(flatten)]
    pub(crate) config: ConfigFile,
    /// Print one JSON object on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What happens when a stage asks for approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Approve {
    /// Write the preview and ask on the terminal.
    Ask,
    /// Approve without looking.
    Yes,
    /// Reject.
    No,
    /// Store the waiting render and exit; `resume` goes on.
    Later,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The file that `render --approve later` wrote.
    pub(crate) file: PathBuf,
    /// The answer.
    #[arg(long)]
    pub(crate) approve: Answer,
    #[command(flatten)]
    pub(crate) config: ConfigFile,
    /// Print one JSON object on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

/// An answer to a stored question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Answer {
    /// Go on as shown.
    Yes,
    /// Reject.
    No,
}

#[derive(Debug, Args)]
pub(crate) struct ProbeArgs {
    /// The source file.
    pub(crate) input: PathBuf,
    #[command(flatten)]
    pub(crate) config: ConfigFile,
    /// Print one JSON object on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PluginArgs {
    #[command(subcommand)]
    pub(crate) command: PluginCommand,
    #[command(flatten)]
    pub(crate) config: ConfigFile,
    /// Print one JSON object on standard output.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// List the plugins in the plugin folder and the places that they fill.
    List,
    /// Say what a component file is: stages, imports, digest, parameters.
    Inspect {
        /// The component.
        file: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The code, such as `plugin_failed`; without it all codes are listed.
    pub(crate) code: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ConfigFile {
    /// The configuration: chain, plugins, limits, server. Without it the
    /// reference plugins are used.
    #[arg(
        long = "config",
        visible_alias = "chain",
        id = "config",
        value_name = "FILE",
        global = true
    )]
    pub(crate) file: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
