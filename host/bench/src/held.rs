//! What renders cost that wait for a person, each with an agent that holds on to its result.

use std::time::Duration;

use serde_json::{Value, json};

use crate::agent::{Agent, Held};
use crate::footprint::Footprint;
use crate::report::{Figure, Report};
use crate::serving::{Server, Site};
use crate::workshop::Workshop;
use crate::{Options, Outcome, clips};

const TENANT: &str = "bench";
/// Renders before the first look, so that what is there once for all is not shared out.
const FIRST: usize = 10;
/// Sessions of one identity; a server lets each have 64.
const SESSIONS: usize = 50;
/// How long the server may put away what making the previews took.
const SETTLE: Duration = Duration::from_secs(3);
/// Memory that is good for each, in KiB.
const TARGET: f64 = 100.0;
const CONFIG: &str = "[server]\nauth = \"tokens\"\n\
                      [renders]\nconcurrency = 2\nopen_per_tenant = 256\n";

pub(crate) fn run(options: &Options, workshop: &Workshop, report: &mut Report) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(measure(options, workshop, report))
}

async fn measure(options: &Options, workshop: &Workshop, report: &mut Report) -> Outcome {
    let count = if options.quick { 50 } else { 200 };
    eprintln!("Measuring {count} waiting renders with held streams.");
    let source = clips::tiny(workshop)?;
    let site = Site::new(workshop, "held", CONFIG)?;
    let server = site.serve()?;
    let asset = site.asset(TENANT, &source)?;
    let arguments = json!({
        "source_asset_id": asset,
        "resolution": "720p",
        "watermark": { "mode": "text", "text": "HELD" },
    });
    let mut tokens = Vec::new();
    for agent in 0..(FIRST + count).div_ceil(SESSIONS) {
        tokens.push(site.token(TENANT, &format!("agent-{agent}"))?);
    }
    // Each goes on with the sessions of one identity, until it has enough of them.
    let mut turns = tokens.iter().flat_map(|token| std::iter::repeat_n(token.as_str(), SESSIONS));
    let before = waiting(&server, turns.by_ref().take(FIRST), &arguments).await?;
    let without = Footprint::of(server.process())?;
    let held = waiting(&server, turns.by_ref().take(count), &arguments).await?;
    let with = Footprint::of(server.process())?;
    tell(report, count, without, with);
    drop((before, held));
    Ok(())
}

/// Begins a render a session, and waits until each has asked on the stream that is held for it.
async fn waiting<'t>(
    server: &Server,
    tokens: impl Iterator<Item = &'t str>,
    arguments: &Value,
) -> Outcome<Vec<Held>> {
    let mut streams = Vec::new();
    for token in tokens {
        let mut agent = Agent::connect(server.address, Some(token)).await?;
        let id = agent.render(arguments).await?;
        streams.push(agent.hold(&id).await?);
    }
    for stream in &mut streams {
        stream.is_asked().await?;
    }
    tokio::time::sleep(SETTLE).await;
    Ok(streams)
}

fn tell(report: &mut Report, count: usize, without: Footprint, with: Footprint) {
    let mut figure = |name: String, unit, value: f64, target| {
        report.figure(Figure { name, unit, samples: vec![value], cpu: Vec::new(), target });
    };
    let each = |with: f64, without: f64| (with - without) / count as f64;
    for (name, without, with) in
        [("resident", without.resident, with.resident), ("its own (Pss)", without.own, with.own)]
    {
        figure(format!("server, {name}, {FIRST} wait"), "MiB", without / 1024.0, None);
        figure(format!("server, {name}, {} wait", FIRST + count), "MiB", with / 1024.0, None);
        figure(format!("held render, {name}"), "KiB", each(with, without), Some(TARGET));
    }
    figure("held render, threads".into(), "", each(with.threads, without.threads), Some(0.0));
    // The connection itself.
    figure("held render, descriptors".into(), "", each(with.files, without.files), Some(1.0));
}
