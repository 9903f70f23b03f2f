//! `plugin list` and `plugin inspect`.

mod facts;
mod list;

use render::failure::Failure;

use crate::cli::{PluginArgs, PluginCommand};
use crate::exit::Ending;
use crate::setup::Setup;

pub(crate) async fn run(args: PluginArgs) -> Result<Ending, Failure> {
    let setup = Setup::new(args.config.file.as_deref())?;
    match args.command {
        PluginCommand::List => list::run(&setup).await,
        PluginCommand::Inspect { file } => {
            let (plugin, _) = setup.load(&file).await?;
            Ok(Ending::Done { json: facts::json(&plugin), text: facts::text(&plugin) })
        }
    }
}
