//! `config`: the configuration reference.

use render::failure::Failure;
use serde_json::Value;

use crate::cli::ConfigArgs;
use crate::config::REFERENCE;
use crate::exit::Ending;

pub(crate) fn run(_: &ConfigArgs) -> Result<Ending, Failure> {
    Ok(Ending::Done { json: Value::Null, text: REFERENCE.to_owned() })
}
