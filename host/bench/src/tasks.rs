//! How fast `tasks/get` is answered while the machine is busy with renders, beside a minimal server
//! on the official SDK that answers the same.

use std::error::Error;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures::future::try_join_all;
use serde_json::{Value, json};

use crate::agent::Agent;
use crate::contest::{Contest, Window};
use crate::report::Report;
use crate::serving::{Server, Site};
use crate::workshop::Workshop;
use crate::{Options, Outcome, clips};

/// Connections that ask at the same time, each as soon as it is answered.
const CONNECTIONS: usize = 4;
/// One side's turn.
const WINDOW: Duration = Duration::from_secs(2);
/// A turn before the measurement, for connections and memory to be there.
const WARM_UP: Duration = Duration::from_millis(500);
/// How long a render may take to begin.
const BEGIN: Duration = Duration::from_secs(60);
/// Two renders at a time, and a slow encoder, so that none of them ends meanwhile.
const CONFIG: &str = "[renders]\nconcurrency = 2\n\
                      [plugins.encode-standard.parameters]\npreset = \"slow\"\n";

pub(crate) fn run(options: &Options, workshop: &Workshop, report: &mut Report) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    report.contest(runtime.block_on(measure(options, workshop))?);
    Ok(())
}

async fn measure(options: &Options, workshop: &Workshop) -> Outcome<Contest> {
    eprintln!("Measuring tasks/get.");
    let source = clips::film(workshop, 30)?;
    let site = Site::new(workshop, "tasks", CONFIG)?;
    let ours = site.serve()?;
    let asset = site.asset("local", &source)?;
    let mut agent = Agent::connect(ours.address, None).await?;
    // Larger than the source, so that it is encoded, and long.
    let arguments = json!({ "source_asset_id": asset, "resolution": "4k" });
    let renders = [agent.render(&arguments).await?, agent.render(&arguments).await?];
    for render in &renders {
        encodes(&mut agent, render).await?;
    }
    let [id, _] = &renders;
    let reference = Server::reference(workshop, &agent.task(id).await?)?;
    let mut sides = [Load::new(ours.address, id).await?, Load::new(reference.address, id).await?];
    for side in &mut sides {
        side.window(WARM_UP).await?;
    }
    let [our_load, reference_load] = &mut sides;
    let mut contest = Contest { name: "tasks/get", ours: Vec::new(), reference: Vec::new() };
    for turn in 0..options.runs() {
        if turn % 2 == 0 {
            contest.ours.push(our_load.window(WINDOW).await?);
            contest.reference.push(reference_load.window(WINDOW).await?);
        } else {
            contest.reference.push(reference_load.window(WINDOW).await?);
            contest.ours.push(our_load.window(WINDOW).await?);
        }
        for render in &renders {
            check(&agent.task(render).await?, render)?;
        }
    }
    Ok(contest)
}

/// Waits until a render has left its queue and its plans behind.
async fn encodes(agent: &mut Agent, render: &str) -> Outcome {
    let status = json!({ "name": "video_get_render_status", "arguments": { "render_id": render } });
    let begun = Instant::now();
    loop {
        let said = agent.ask("tools/call", &status).await?;
        let progress = said.pointer("/structuredContent/progress").and_then(Value::as_f64);
        if progress.is_some_and(|progress| progress > 0.0) {
            return Ok(());
        }
        if begun.elapsed() > BEGIN {
            return Err(format!("a render does not begin: {said}").into());
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Whether an answer is about a render that runs.
fn check(task: &Value, id: &str) -> Outcome {
    let text = |name: &str| task.get(name).and_then(Value::as_str);
    if text("taskId") == Some(id) && text("status") == Some("working") {
        return Ok(());
    }
    Err(format!("{id} does not run: {task}").into())
}

/// Agents that ask one server.
struct Load {
    agents: Vec<Agent>,
    id: String,
}

impl Load {
    async fn new(address: SocketAddr, id: &str) -> Outcome<Self> {
        let agents = (0..CONNECTIONS).map(|_| Agent::connect(address, None));
        Ok(Self { agents: try_join_all(agents).await?, id: id.to_owned() })
    }

    /// Asks for so long, as fast as answers come.
    async fn window(&mut self, length: Duration) -> Outcome<Window> {
        let begun = Instant::now();
        let id = self.id.as_str();
        let asking = self.agents.iter_mut().map(|agent| async move {
            let mut latencies = Vec::new();
            while begun.elapsed() < length {
                let asked = Instant::now();
                let task = agent.task(id).await?;
                latencies.push(asked.elapsed().as_secs_f64() * 1e3);
                check(&task, id)?;
            }
            Ok::<_, Box<dyn Error>>(latencies)
        });
        let latencies = try_join_all(asking).await?.concat();
        Ok(Window::new(&latencies, begun.elapsed().as_secs_f64()))
    }
}
