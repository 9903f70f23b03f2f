//! `resume`: going on with a stored render in a new process.

use std::collections::BTreeMap;
use std::sync::Arc;

use render::catalogue::Code;
use render::chain::{Chain, Link};
use render::failure::Failure;
use render::load_error;
use render::render::{Outcome, Render};
use render::suspension::Suspended;

use crate::blame;
use crate::cli::{self, ResumeArgs};
use crate::exit::Ending;
use crate::setup::Setup;
use crate::stored::{Claimed, Existing};
use crate::terminal::Bar;

pub(crate) async fn run(args: ResumeArgs) -> Result<Ending, Failure> {
    let claimed = Claimed::read(&args.file)?;
    let setup = Setup::new(args.config.file.as_deref())?;
    let chain = pinned_chain(&setup, &claimed).await?;
    claimed.stored.check(&chain, &setup.configured(claimed.stored.request.container))?;
    let host = setup.host(Arc::new(Bar::new()))?;
    let ffmpeg = host.ffmpeg.clone();
    let restored = Render::restore(host, chain, claimed.stored.clone()).await;
    let render = blame::find(&ffmpeg, restored).await?;
    let answer = match args.approve {
        cli::Answer::Yes => stage::model::Answer::Yes,
        cli::Answer::No => stage::model::Answer::No,
    };
    match blame::find(&ffmpeg, render.answer(answer).await).await {
        Ok(Outcome::Completed(report)) => {
            claimed.remove();
            super::render::done(&report)
        }
        Ok(Outcome::Waiting(waiting)) => {
            claimed.remove_preview();
            super::render::store(&waiting, Existing::Replace).await
        }
        Err(failure) => {
            if has_ended(failure.code) {
                claimed.remove();
            }
            Err(failure)
        }
    }
}

/// Whether the answer has ended the render for good; after any other failure
/// the same answer can be given again.
fn has_ended(code: Code) -> bool {
    matches!(code, Code::WatermarkRejected | Code::ApprovalExpired)
}

/// The chain of the pinned plugins, whatever is installed now.
async fn pinned_chain(setup: &Setup, claimed: &Claimed) -> Result<Chain, Failure> {
    let Suspended { pins, .. } = &claimed.stored;
    let mut links = BTreeMap::new();
    for (stage, pin) in pins {
        let component = claimed.component(&pin.name, &pin.digest, &setup.plugin_dir())?;
        let plugin =
            setup.engine.load(&component).await.map_err(|error| load_error(&pin.name, &error))?;
        let terms = setup.config.terms(&pin.name);
        let link =
            Link::new(*stage, &pin.name, plugin, Arc::new(component), &pin.parameters, terms)?;
        links.insert(*stage, link);
    }
    Chain::new(links)
}
