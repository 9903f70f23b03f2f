//! `links`: the key that download links are made with.

use render::failure::Failure;
use serde_json::Value;
use store::Mode;

use crate::cli::{LinksArgs, LinksCommand};
use crate::config::Config;
use crate::data;
use crate::exit::Ending;
use crate::serve::links;

pub(crate) fn run(args: &LinksArgs) -> Result<Ending, Failure> {
    let config = Config::load(args.config.file.as_deref())?;
    let directory = data::directory(args.data.dir.as_deref(), &config)?;
    let store = data::open(&directory, Mode::Beside)?;
    match args.command {
        LinksCommand::Rotate => {
            links::rotate(store.root())?;
            let text = "New links have a new key; links of the key before still work.\n";
            Ok(Ending::Done { json: Value::Null, text: text.to_owned() })
        }
    }
}
