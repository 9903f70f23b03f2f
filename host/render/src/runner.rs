//! Making the media of one render: the codec engine's packets go through the
//! mux plugin into the draft.

use media::{Composition, Ffmpeg, Input, Run, Source};
use stage::model::{Job, Warning};
use stage::{Muxer, Output};

use crate::chain::Link;
use crate::convert;
use crate::failure::Failure;
use crate::faults::{media_error, plugin_fault};
use crate::publish::{Draft, Finished};
use crate::watch::{Encoding, Watcher};

/// What a run is made of.
pub(crate) struct Inputs<'a> {
    pub(crate) ffmpeg: &'a Ffmpeg,
    pub(crate) input: &'a Input,
    pub(crate) source: &'a Source,
    pub(crate) composition: &'a Composition,
    pub(crate) muxer: &'a Link,
    pub(crate) job: &'a Job,
    pub(crate) watcher: &'a dyn Watcher,
}

/// Runs until the muxer has finished the file; returns it with what the muxer
/// wants said about it. Dropping the future ends everything.
pub(crate) async fn run(
    inputs: &Inputs<'_>,
    draft: Draft,
) -> Result<(Finished, Vec<Warning>), Failure> {
    let mut run = inputs
        .ffmpeg
        .run(inputs.input, inputs.source, inputs.composition, draft.folder())
        .await
        .map_err(media_error)?;
    let tracks = run.tracks().iter().map(convert::track).collect();
    let output = Output::new(draft.file()?, draft.folder().to_owned());
    let plugin = &inputs.muxer.plugin;
    let mut muxer = plugin
        .begin_mux(inputs.job, tracks, output, &inputs.muxer.terms)
        .await
        .map_err(plugin_fault)?;
    let mut progress = run.progress();
    let frames = frames_expected(inputs);
    let report = async {
        while progress.changed().await.is_ok() {
            let now = *progress.borrow_and_update();
            inputs.watcher.encoding(Encoding { frame: now.frame, frames, fps: now.fps });
        }
        std::future::pending().await
    };
    tokio::select! {
        moved = move_packets(&mut run, &mut muxer) => moved?,
        () = report => {}
    }
    let summary = run.finish().await.map_err(media_error)?;
    let written = muxer.finish().await.map_err(plugin_fault)?;
    let mut warnings = written.warnings;
    if let Some(complaint) = summary.damage {
        let message = format!("The source is damaged and the output may show it: {complaint}.");
        warnings.push(Warning { code: "source_damaged".to_owned(), message });
    }
    Ok((draft.finished(summary.frames, written.bytes), warnings))
}

async fn move_packets(run: &mut Run, muxer: &mut Muxer) -> Result<(), Failure> {
    while let Some(packet) = run.next_packet().await.map_err(media_error)? {
        muxer.write(convert::packet(packet)).await.map_err(plugin_fault)?;
    }
    Ok(())
}

/// How many frames the raster will have, for showing progress.
fn frames_expected(inputs: &Inputs<'_>) -> u64 {
    inputs.source.video.first().map_or(0, |video| video.frames_at(inputs.composition.frame_rate))
}
