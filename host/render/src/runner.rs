//! Making the media of one render, by the cheapest path that is right.
//!
//! *Fused*: one ffmpeg decodes, draws and encodes, or passes packets on where
//! nothing is to be changed. *Framed*: the frames go through a plugin between
//! two ffmpegs, or between one and an encoder that is itself a plugin. Either
//! way the packets go through the mux plugin into the draft.

mod frames;

use media::{Composition, Ffmpeg, Input, MediaError, Run, Source, Summary};
use stage::Output;
use stage::model::{Job, Warning};

use crate::chain::Link;
use crate::convert;
use crate::failure::Failure;
use crate::faults::{media_error, plugin_fault};
use crate::plans::Frames;
use crate::publish::{Draft, Finished};
use crate::report::{Made, TrackMade};
use crate::watch::{Encoding, Watcher};

pub(crate) use frames::Shown;

/// A stage as it is entered for its part of the work.
#[derive(Clone, Copy)]
pub(crate) struct Worker<'a> {
    pub(crate) link: &'a Link,
    pub(crate) job: &'a Job,
}

/// What a run is made of.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub(crate) ffmpeg: &'a Ffmpeg,
    pub(crate) input: &'a Input,
    pub(crate) source: &'a Source,
    pub(crate) composition: &'a Composition,
    pub(crate) encode: Worker<'a>,
    pub(crate) watermark: Worker<'a>,
    pub(crate) mux: Worker<'a>,
    pub(crate) frames: Frames,
    /// The picture that a person has approved, where frames go through a
    /// plugin.
    pub(crate) approved: Option<&'a Shown>,
    pub(crate) watcher: &'a dyn Watcher,
}

/// What a run has made.
pub(crate) struct Done {
    pub(crate) finished: Finished,
    pub(crate) tracks: Vec<TrackMade>,
    pub(crate) warnings: Vec<Warning>,
}

/// Runs until the muxer has finished the file. Dropping the future ends
/// everything.
///
/// A track that turns out not to be as clean as it looked cannot be copied;
/// the run then begins again and encodes it.
pub(crate) async fn run(
    inputs: Inputs<'_>,
    draft: impl Fn() -> Result<Draft, Failure>,
) -> Result<Done, Failure> {
    match attempt(&inputs, draft()?).await {
        Err(Stopped::CannotCopy(why)) => {
            tracing::info!("encoding what could not be copied: {why}");
            let composition = inputs.composition.without_copying();
            let again = Inputs { composition: &composition, ..inputs };
            attempt(&again, draft()?).await.map_err(Failure::from)
        }
        done => done.map_err(Failure::from),
    }
}

/// Why an attempt has ended.
enum Stopped {
    CannotCopy(MediaError),
    Failed(Failure),
}

impl From<MediaError> for Stopped {
    fn from(error: MediaError) -> Self {
        match error {
            MediaError::CannotCopy { .. } => Self::CannotCopy(error),
            error => Self::Failed(media_error(error)),
        }
    }
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::CannotCopy(error) => media_error(error),
            Stopped::Failed(failure) => failure,
        }
    }
}

async fn attempt(inputs: &Inputs<'_>, draft: Draft) -> Result<Done, Stopped> {
    let Inputs { ffmpeg, input, source, composition, .. } = *inputs;
    let folder = draft.folder();
    let (written, mut warnings) = if inputs.frames.are_wanted() {
        let framed = ffmpeg.run_framed(input, source, composition, folder).await?;
        let packets = async { write(inputs, framed.starting.run().await?, &draft).await };
        let frames = frames::pass(inputs, framed.decoded, framed.encoder);
        tokio::try_join!(packets, frames)?
    } else {
        let run = ffmpeg.run(input, source, composition, folder).await?;
        (write(inputs, run, &draft).await?, Vec::new())
    };
    let Written { summary, file, codecs } = written;
    warnings.extend(file.warnings);
    if let Some(complaint) = &summary.damage {
        let message = format!("The source is damaged and the output may show it: {complaint}.");
        warnings.push(Warning { code: "source_damaged".to_owned(), message });
    }
    let tracks = tracks_made(inputs, &summary, codecs);
    Ok(Done { finished: draft.finished(summary.frames, file.bytes), tracks, warnings })
}

/// A file that the muxer has finished.
struct Written {
    summary: Summary,
    file: stage::Written,
    /// Of every track, by RFC 6381.
    codecs: Vec<String>,
}

/// Takes every packet of a run through the mux plugin into the draft.
async fn write(inputs: &Inputs<'_>, mut run: Run, draft: &Draft) -> Result<Written, Stopped> {
    let Worker { link, job } = inputs.mux;
    let codecs = run.tracks().iter().map(|track| track.codec.clone()).collect();
    let tracks = run.tracks().iter().map(convert::track).collect();
    let output = Output::new(draft.file()?, draft.folder().to_owned());
    let muxer = link.plugin.begin_mux(job, tracks, output, &link.terms).await;
    let mut muxer = muxer.map_err(plugin_fault)?;
    let mut progress = run.progress();
    let frames = frames_expected(inputs);
    let report = async {
        while progress.changed().await.is_ok() {
            let now = *progress.borrow_and_update();
            inputs.watcher.encoding(Encoding { frame: now.frame, frames, fps: now.fps });
        }
        std::future::pending().await
    };
    let packets = async {
        while let Some(packet) = run.next_packet().await? {
            muxer.write(convert::packet(packet)).await.map_err(plugin_fault)?;
        }
        Ok::<(), Stopped>(())
    };
    tokio::select! {
        moved = packets => moved?,
        () = report => {}
    }
    let summary = run.finish().await?;
    let file = muxer.finish().await.map_err(plugin_fault)?;
    Ok(Written { summary, file, codecs })
}

/// How many frames the raster will have.
fn frames_expected(inputs: &Inputs<'_>) -> u64 {
    inputs.source.video.first().map_or(0, |video| video.frames_at(inputs.composition.frame_rate))
}

fn tracks_made(inputs: &Inputs<'_>, summary: &Summary, codecs: Vec<String>) -> Vec<TrackMade> {
    let plans = inputs.composition.tracks.iter().zip(&summary.copied);
    let made = plans.zip(codecs).map(|((plan, copied), codec)| TrackMade {
        codec,
        made: match plan {
            _ if *copied => Made::Copied,
            media::TrackPlan::Video { encoder: media::VideoEncoder::Given, .. } => {
                Made::EncodedByPlugin
            }
            _ => Made::Encoded,
        },
    });
    made.collect()
}
