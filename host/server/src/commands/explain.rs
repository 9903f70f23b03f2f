//! `explain`: the pages of the error catalogue.

use render::catalogue::Code;
use render::failure::Failure;
use serde_json::Value;

use crate::cli::ExplainArgs;
use crate::exit::Ending;

pub(crate) fn run(args: &ExplainArgs) -> Result<Ending, Failure> {
    let longest = Code::ALL.iter().map(|code| code.name().len()).max().unwrap_or(0);
    let text = match &args.code {
        None => Code::ALL
            .iter()
            .map(|code| format!("{:longest$}  {}\n", code.name(), code.next_step()))
            .collect(),
        Some(name) => name
            .parse::<Code>()
            .map_err(|unknown| {
                Failure::invalid_field(
                    "code",
                    format!("{unknown}; `explain` alone lists them all."),
                )
            })?
            .page()
            .to_owned(),
    };
    Ok(Ending::Done { json: Value::Null, text })
}
