//! `serve`: renders for agents.

use render::catalogue::Code;
use render::failure::Failure;
use serde_json::Value;

use crate::cli::ServeArgs;
use crate::data;
use crate::exit::Ending;
use crate::serve::{self, Wanted};
use crate::setup::Setup;

pub(crate) async fn run(args: ServeArgs) -> Result<Ending, Failure> {
    let mut setup = Setup::new(args.config.file.as_deref())?;
    let server = &mut setup.config.server;
    if let Some(listen) = args.listen {
        server.listen = listen;
    }
    if args.public_url.is_some() {
        server.public_url = args.public_url;
    }
    server.i_know_that_anyone_can_render |= args.i_know_that_anyone_can_render;
    server.check().map_err(|what| {
        Failure::new(Code::ConfigInvalid, format!("The server cannot be set up: {what}."))
    })?;
    let directory = data::directory(args.data.dir.as_deref(), &setup.config)?;
    serve::run(Wanted { setup, directory }).await?;
    Ok(Ending::Done { json: Value::Null, text: String::new() })
}
