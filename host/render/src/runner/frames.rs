//! The frames of a render on their way through plugins.

use media::{Decoded, FrameEncoder, FrameSink, PacketSink};
use picture::Frame;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use stage::model::Warning;
use stage::{Encoder, EncodingTask, Filter, Pass};

use super::{Inputs, Stopped, Worker, frames_expected};
use crate::catalogue::Code;
use crate::convert;
use crate::digest::hex;
use crate::failure::Failure;
use crate::faults::plugin_fault;

/// A picture that a person was shown: a frame of the raster after everything
/// was drawn on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The frame's number on the raster.
    pub frame: u64,
    /// SHA-256 of its samples, in hexadecimal digits.
    pub sha256: String,
}

impl Shown {
    /// What showing this frame shows.
    pub(crate) fn of(frame: &Frame) -> Self {
        Self { frame: frame.index, sha256: hex(&Sha256::digest(frame.picture.bytes())) }
    }
}

/// Takes every frame from the decoder through the plugins that want it to the
/// encoder. Returns what they want said about it.
pub(super) async fn pass(
    inputs: &Inputs<'_>,
    mut decoded: Decoded,
    encoder: FrameEncoder,
) -> Result<Vec<Warning>, Stopped> {
    let mut filter = begin_filter(inputs).await?;
    let mut end = End::begin(inputs, encoder).await?;
    let mut is_met = inputs.approved.is_none();
    let mut warnings = Vec::new();
    while let Some(frame) = decoded.next().await? {
        match &mut filter {
            Some(filter) => {
                for frame in filter.push(frame).await.map_err(plugin_fault)? {
                    check_approved(inputs, &frame, &mut is_met)?;
                    end.push(frame).await?;
                }
            }
            None => end.push(frame).await?,
        }
    }
    if let Some(filter) = filter {
        let (frames, said) = filter.flush().await.map_err(plugin_fault)?;
        for frame in frames {
            check_approved(inputs, &frame, &mut is_met)?;
            end.push(frame).await?;
        }
        warnings.extend(said);
    }
    match inputs.approved {
        Some(shown) if !is_met => return Err(not_as_approved(inputs, shown.frame)),
        _ => {}
    }
    end.finish().await?;
    Ok(warnings)
}

async fn begin_filter(inputs: &Inputs<'_>) -> Result<Option<Filter>, Stopped> {
    let Some(look_ahead) = inputs.frames.look_ahead else { return Ok(None) };
    let Worker { link, job } = inputs.watermark;
    let pass = Pass { first: 0, frames: Some(frames_expected(inputs)) };
    let filter = link.plugin.begin_filter(job, pass, look_ahead, &link.terms).await;
    Ok(Some(filter.map_err(plugin_fault)?))
}

/// Refuses another picture of the frame that a person was shown than the one
/// that they approved. `is_met` says whether it has come.
fn check_approved(inputs: &Inputs<'_>, frame: &Frame, is_met: &mut bool) -> Result<(), Stopped> {
    match inputs.approved {
        Some(shown) if shown.frame == frame.index => {
            *is_met = *shown == Shown::of(frame);
            if *is_met { Ok(()) } else { Err(not_as_approved(inputs, frame.index)) }
        }
        _ => Ok(()),
    }
}

fn not_as_approved(inputs: &Inputs<'_>, frame: u64) -> Stopped {
    let name = &inputs.watermark.link.name;
    let message = format!(
        "The watermark plugin `{name}` made another picture of frame {frame} than the one that was \
         approved."
    );
    Failure::new(Code::PluginFailed, message).with("plugin", name.clone()).into()
}

/// Where frames end: in an ffmpeg that encodes them, or in a plugin that does.
enum End {
    Ffmpeg(FrameSink),
    Plugin { encoder: Box<Encoder>, packets: PacketSink, described: bool },
}

impl End {
    async fn begin(inputs: &Inputs<'_>, encoder: FrameEncoder) -> Result<Self, Stopped> {
        match encoder {
            FrameEncoder::Ffmpeg(sink) => Ok(Self::Ffmpeg(sink)),
            FrameEncoder::Given(packets) => {
                let Worker { link, job } = inputs.encode;
                let task = EncodingTask {
                    track: packets.track(),
                    timescale: packets.timescale(),
                    frame_duration: packets.frame_duration(),
                    frames: Some(frames_expected(inputs)),
                };
                let encoder = link.plugin.begin_encoder(job, task, &link.terms).await;
                let encoder = encoder.map_err(plugin_fault)?;
                Ok(Self::Plugin { encoder: Box::new(encoder), packets, described: false })
            }
        }
    }

    async fn push(&mut self, frame: Frame) -> Result<(), Stopped> {
        match self {
            Self::Ffmpeg(sink) => Ok(sink.push(frame).await?),
            Self::Plugin { encoder, .. } => {
                let made = encoder.push(&frame).await.map_err(plugin_fault)?;
                self.take(made).await
            }
        }
    }

    async fn finish(mut self) -> Result<(), Stopped> {
        if let Self::Plugin { encoder, .. } = &mut self {
            let made = encoder.flush().await.map_err(plugin_fault)?;
            self.take(made).await?;
        }
        match self {
            Self::Ffmpeg(sink) => sink.finish().await?,
            Self::Plugin { packets, .. } => packets.finish(),
        }
        Ok(())
    }

    /// Passes on packets that a plugin has made; before the first of them the
    /// plugin is asked what they are.
    async fn take(&mut self, made: Vec<stage::model::Packet>) -> Result<(), Stopped> {
        let Self::Plugin { encoder, packets, described } = self else { return Ok(()) };
        if !*described && !made.is_empty() {
            let track = encoder.track().await.map_err(plugin_fault)?;
            packets.describe(track.codec, track.codec_config).await?;
            *described = true;
        }
        for packet in made {
            packets.push(convert::media_packet(packet)).await?;
        }
        Ok(())
    }
}
