//! The command line of `serve` and of what is done beside a server.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use render::service::Scope;

use super::ConfigFile;

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    pub(crate) config: ConfigFile,
    /// The address and port to listen on; port 0 takes a free one. Default:
    /// 127.0.0.1:8750.
    #[arg(long, value_name = "ADDR:PORT")]
    pub(crate) listen: Option<SocketAddr>,
    #[command(flatten)]
    pub(crate) data: DataDir,
    /// How agents and people reach the server, for links.
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// Listen on any address although nobody has to show who they are.
    #[arg(long)]
    pub(crate) i_know_that_anyone_can_render: bool,
    /// How the log on standard error is written.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) log_format: LogFormat,
}

/// How a log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object a line.
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct DataDir {
    /// The data directory. Default: as configured, else `video-render-mcp` in
    /// the user's data folder.
    #[arg(long = "data", id = "data", value_name = "DIR", global = true)]
    pub(crate) dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct AssetArgs {
    #[command(subcommand)]
    pub(crate) command: AssetCommand,
    /// Whose assets.
    #[arg(long, default_value = "local", global = true)]
    pub(crate) tenant: String,
    #[command(flatten)]
    pub(crate) data: DataDir,
    #[command(flatten)]
    pub(crate) config: ConfigFile,
    /// Print one JSON object on standard output.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AssetCommand {
    /// Copy a video or a picture into the data directory and print its id.
    Add {
        /// The file.
        file: PathBuf,
        /// What to call it. Default: its file name.
        #[arg(long)]
        name: Option<String>,
    },
    /// List the tenant's assets, newest first.
    List,
    /// Say what an asset is.
    Show {
        /// The asset.
        id: String,
    },
    /// Remove an asset that no unfinished render needs.
    Remove {
        /// The asset.
        id: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct TokenArgs {
    #[command(subcommand)]
    pub(crate) command: TokenCommand,
    #[command(flatten)]
    pub(crate) data: DataDir,
    #[command(flatten)]
    pub(crate) config: ConfigFile,
    /// Print one JSON object on standard output.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Issue a token. Its secret is printed once and kept nowhere.
    Create {
        /// Whose renders and assets its bearer works on.
        #[arg(long)]
        tenant: String,
        /// Who its bearer is, within the tenant.
        #[arg(long)]
        subject: String,
        /// What its bearer may do: render:write, asset:read, asset:write,
        /// render:approve. May be given several times.
        #[arg(long = "scope", required = true, value_name = "SCOPE", value_delimiter = ',')]
        scopes: Vec<Scope>,
        /// After what time it opens nothing any more, such as 90d. Default:
        /// never.
        #[arg(long, value_name = "TIME")]
        expires: Option<humantime::Duration>,
        /// What to call it.
        #[arg(long, default_value = "")]
        label: String,
    },
    /// List tokens, newest first.
    List {
        /// Only this tenant's.
        #[arg(long)]
        tenant: Option<String>,
    },
    /// Revoke a token. It opens nothing from now on.
    Revoke {
        /// The token's id, which `token list` shows.
        id: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct LinksArgs {
    #[command(subcommand)]
    pub(crate) command: LinksCommand,
    #[command(flatten)]
    pub(crate) data: DataDir,
    #[command(flatten)]
    pub(crate) config: ConfigFile,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LinksCommand {
    /// Make new links with a new key. Links of the key before still work; do it
    /// twice to end all links.
    Rotate,
}
