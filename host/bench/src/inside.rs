//! What is measured from inside: the plugin engine by itself, without ffmpeg.

mod jobs;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use picture::{Frame, Layout, Pool, Size};
use serde_json::{Value, json};
use stage::model::{Job, Packet, Stage};
use stage::{Engine, EngineConfig, Output, Pass, Plugin, Terms};

use crate::report::{Figure, Report};
use crate::workshop::Workshop;
use crate::{Options, Outcome};

/// Full HD.
const SIZE: Size = Size { width: 1920, height: 1080 };
/// The frames that are there before a pass begins, so that none is made while time is taken.
const FRAMES: usize = 8;
/// Bytes of a packet: a film of 4 Mbit/s has packets of some 10 kB, and sound of 400 bytes.
const PACKET: usize = 1000;

/// Measures, in one thread, as a render calls plugins.
pub(crate) fn run(options: &Options, workshop: &Workshop, report: &mut Report) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(measure(options, workshop, report))
}

async fn measure(options: &Options, workshop: &Workshop, report: &mut Report) -> Outcome {
    eprintln!("Measuring the plugin engine.");
    let cache = Some(workshop.file("cache").join("inside"));
    let engine = Engine::new(EngineConfig { cache_dir: cache, ..EngineConfig::default() })?;
    let bench = Bench { engine, rounds: if options.quick { 5 } else { 15 } };
    let reference = |name: &str| workshop.plugin(name).ok_or(format!("{name} is not built"));
    let encode = bench.load(&reference("encode-standard")?).await?;
    let (job, plan) = jobs::planned(&encode).await?;

    if let Some(fixture) = workshop.fixture("hostile") {
        let fixture = bench.load(&fixture).await?;
        let job = Job { parameters: fixture.check_parameters(&Value::Null)?, ..job.clone() };
        let name = "instance with one small call".to_owned();
        report.figure(bench.decide(name, &fixture, &job, Some(0.2)).await?);
    }
    report.figure(bench.decide("encode-standard decides".to_owned(), &encode, &job, None).await?);

    let job = Job { encode_plan: Some(plan), ..job };
    for (name, container) in [("mux-isobmff", "mp4"), ("mux-webm", "webm")] {
        let Some(file) = workshop.plugin(name) else {
            eprintln!("inside: the plugin {name} is not built.");
            continue;
        };
        let plugin = bench.load(&file).await?;
        let job = jobs::into_container(&job, container, &plugin)?;
        report.figure(bench.packets(name, &plugin, &job, container, workshop).await?);
    }

    if let Some(fixture) = workshop.fixture("hostile") {
        let fixture = bench.load(&fixture).await?;
        for (name, mode) in [
            ("frame, passed on", "frames_identity"),
            ("frame, 256x64 samples read and written", "frames_rectangle"),
            ("frame, all planes read and written", "frames_planes"),
            ("frame, a picture blended in", "frames_blit"),
        ] {
            let parameters = json!({ "mode": mode, "stage": "filter" });
            let Ok(parameters) = fixture.check_parameters(&parameters) else {
                eprintln!("inside: the plugin for tests knows no {mode}.");
                continue;
            };
            let job = Job { parameters, ..job.clone() };
            report.figure(bench.frames(name, &fixture, &job).await?);
        }
    }
    if let Some(file) = workshop.plugin("watermark-tile") {
        let tile = bench.load(&file).await?;
        let job = Job { parameters: tile.check_parameters(&Value::Null)?, ..job.clone() };
        report.figure(bench.frames("frame through watermark-tile", &tile, &job).await?);
    }
    Ok(())
}

struct Bench {
    engine: Engine,
    rounds: usize,
}

impl Bench {
    async fn load(&self, file: &Path) -> Outcome<Plugin> {
        Ok(self.engine.load(&fs::read(file)?).await?)
    }

    /// A new instance, one decision, and its end.
    async fn decide(
        &self,
        name: String,
        plugin: &Plugin,
        job: &Job,
        target: Option<f64>,
    ) -> Outcome<Figure> {
        const CALLS: u32 = 200;
        let terms = Terms::default();
        let mut samples = Vec::new();
        for _ in 0..=self.rounds {
            let started = Instant::now();
            for _ in 0..CALLS {
                plugin.start(Stage::Encode, job, &terms).await?;
            }
            samples.push(milliseconds(started.elapsed()) / f64::from(CALLS));
        }
        samples.remove(0);
        Ok(Figure { name, unit: "ms", samples, target })
    }

    /// Packets of two tracks into a file; its beginning and its end are not counted.
    async fn packets(
        &self,
        name: &str,
        plugin: &Plugin,
        job: &Job,
        container: &str,
        workshop: &Workshop,
    ) -> Outcome<Figure> {
        const SECONDS: u32 = 200;
        let folder = workshop.file("mux");
        fs::create_dir_all(&folder)?;
        let data = Bytes::from(vec![0x55; PACKET]);
        let mut samples = Vec::new();
        for _ in 0..=self.rounds {
            let output = Output::new(tempfile::tempfile_in(&folder)?, folder.clone());
            let tracks = jobs::tracks(container, SECONDS);
            let packets: Vec<Packet> = jobs::packets(&tracks, SECONDS, &data);
            let terms = Terms::default();
            let mut muxer = plugin.begin_mux(job, tracks, output, &terms).await?;
            let count = packets.len() as f64;
            let started = Instant::now();
            for packet in packets {
                muxer.write(packet).await?;
            }
            samples.push(milliseconds(started.elapsed()) * 1000.0 / count);
            muxer.finish().await?;
        }
        samples.remove(0);
        let name = format!("packet through {name}");
        Ok(Figure { name, unit: "us", samples, target: Some(5.0) })
    }

    /// Frames of full HD through a plugin, from its first push to its last.
    async fn frames(&self, name: &str, plugin: &Plugin, job: &Job) -> Outcome<Figure> {
        const COUNT: u64 = 60;
        // More than a plugin of ours holds back.
        const LOOK_AHEAD: u32 = 2;
        let pool = Pool::new(SIZE, Layout::Yuv420p8, FRAMES);
        let mut samples = Vec::new();
        for _ in 0..=self.rounds {
            let pass = Pass { first: 0, frames: Some(COUNT) };
            let mut filter = plugin.begin_filter(job, pass, LOOK_AHEAD, &Terms::default()).await?;
            let mut taken = Duration::ZERO;
            for index in 0..COUNT {
                let frame = Frame { index, picture: Arc::new(pool.take()) };
                let started = Instant::now();
                drop(filter.push(frame).await?);
                taken += started.elapsed();
            }
            filter.flush().await?;
            samples.push(milliseconds(taken) / COUNT as f64);
        }
        samples.remove(0);
        Ok(Figure { name: format!("1080p {name}"), unit: "ms", samples, target: None })
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
