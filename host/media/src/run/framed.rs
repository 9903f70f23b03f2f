//! The framed run: one ffmpeg decodes and composes, the host gets the frames, and a second ffmpeg
//! or somebody else encodes what becomes of them.

mod decoded;
mod frames;
mod packets;

use std::path::Path;
use std::sync::Arc;

use crate::composition::{Composition, TrackPlan, VideoEncoder};
use crate::graph;
use crate::merge::Buffer;
use crate::process::{Job, Tool};
use crate::source::Source;
use crate::{Ffmpeg, Input, MediaError};

use super::ending::Ending;
use super::pulse::Pulse;
use super::session::Session;
use super::starting::Starting;
use super::{overlays, tracks};

pub use decoded::Decoded;
pub(crate) use decoded::fill_from;
pub use frames::FrameSink;
pub use packets::PacketSink;

use frames::Counts;

/// A render whose frames go through the host. The three parts work side by side: take frames from
/// `decoded`, give what becomes of them to `encoder`, and wait for `starting` at the same time.
/// Dropping any of them before it is done ends the whole render.
#[derive(Debug)]
pub struct Framed {
    /// The frames of the raster with everything drawn on it that the composition has.
    pub decoded: Decoded,
    /// Where frames, or what was made of them, go.
    pub encoder: FrameEncoder,
    /// The run, when every track has been described.
    pub starting: Starting,
}

/// What encodes the frames.
#[derive(Debug)]
pub enum FrameEncoder {
    /// A second ffmpeg.
    Ffmpeg(FrameSink),
    /// Somebody else, who gives the packets.
    Given(PacketSink),
}

impl Ffmpeg {
    /// Starts to make `composition` of `source` like [`Ffmpeg::run`], but hands out the frames of
    /// its one video track before they are encoded. They, and the times of all packets, are those
    /// of the fused run.
    ///
    /// Fails with the errors of [`Composition::check`] and with those of starting a process, and
    /// with [`MediaError::UnsupportedPlan`] if there is not exactly one video track.
    pub async fn run_framed(
        &self,
        input: &Input,
        source: &Source,
        composition: &Composition,
        spool_dir: &Path,
    ) -> Result<Framed, MediaError> {
        composition.check(source, self.limits())?;
        let encoder = the_encoder(composition)?;
        // Pictures that somebody works on are not those of the source.
        let copied = composition.copies(source, input.format());
        let copied = copied.into_iter().zip(&composition.tracks);
        let copied =
            copied.map(|(copied, track)| copied && matches!(track, TrackPlan::Audio { .. }));
        let copied: Vec<_> = copied.collect();
        let clocks = tracks::clocks(source, composition, &copied)?;
        let session = Arc::new(Session::default());
        let buffer = Buffer::new(spool_dir.to_owned(), self.limits().buffer_bytes);
        let mut starting = Starting::new(source, composition, buffer, session.part());

        let mut job = Job::new(Tool::Ffmpeg);
        let overlays = overlays(&mut job, composition)?;
        let inputs = self.inputs(&mut job, input, &overlays)?;
        let (mut names, mut pipes) = (Vec::new(), Vec::new());
        for _ in &composition.tracks {
            let (name, pipe) = job.write()?;
            names.push(name);
            pipes.push(pipe);
        }
        job.args(graph::decode_frames(source, composition, &copied, &inputs, &names));
        let pulse = Arc::new(Pulse::default());
        let decoding = Ending::of(self, job, &session, &pulse).await?;
        starting.tool(&decoding);

        let counts = Arc::new(Counts::default());
        let (mut decoded, mut sink) = (None, None);
        for ((plan, pipe), clock) in composition.tracks.iter().zip(pipes).zip(clocks) {
            if let TrackPlan::Audio { .. } = plan {
                starting.track(clock, pipe, &decoding, &pulse);
                continue;
            }
            let frames = clock.frames();
            let size = composition.size;
            let read = decoded::Reader { size, pulse: &pulse, ending: &decoding, counts: &counts };
            decoded = Some(read.start(pipe, &session));
            sink = Some(match encoder {
                VideoEncoder::Host => {
                    let sink = self.encoding(composition, plan, &session, &mut starting, clock);
                    FrameEncoder::Ffmpeg(sink.await?.of(frames, Arc::clone(&counts)))
                }
                VideoEncoder::Given => {
                    let rate = composition.frame_rate;
                    FrameEncoder::Given(PacketSink::new(rate, &mut starting, clock, &session))
                }
            });
        }
        starting.counted(counts.decoded());
        let (Some(decoded), Some(encoder)) = (decoded, sink) else {
            return Err(MediaError::host("preparing a run", "its video track is gone"));
        };
        Ok(Framed { decoded, encoder, starting })
    }

    /// Starts the second ffmpeg.
    async fn encoding(
        &self,
        composition: &Composition,
        plan: &TrackPlan,
        session: &Arc<Session>,
        starting: &mut Starting,
        clock: tracks::Clock,
    ) -> Result<frames::Fed, MediaError> {
        let mut job = Job::new(Tool::Ffmpeg);
        let (frames_name, frames_pipe) = job.feed()?;
        let (progress_name, progress_pipe) = job.write()?;
        let (name, pipe) = job.write()?;
        job.args(graph::encode_frames(composition, plan, &frames_name, &progress_name, &name));
        let pulse = Arc::new(Pulse::default());
        let ending = Ending::of(self, job, session, &pulse).await?;
        starting.tool(&ending);
        starting.reported(progress_pipe, &pulse);
        starting.track(clock, pipe, &ending, &pulse);
        Ok(frames::Fed::start(frames_pipe, composition.size, &ending, &pulse, session))
    }
}

/// What encodes the only video track.
fn the_encoder(composition: &Composition) -> Result<VideoEncoder, MediaError> {
    let mut encoders = composition.tracks.iter().filter_map(|track| match track {
        TrackPlan::Video { encoder, .. } => Some(*encoder),
        TrackPlan::Audio { .. } => None,
    });
    match (encoders.next(), encoders.next()) {
        (Some(encoder), None) => Ok(encoder),
        _ => Err(MediaError::UnsupportedPlan {
            message: "frames can be worked on in one video track only".into(),
        }),
    }
}
