//! Which tracks can be made of the source's own packets.

use super::{AudioCodec, Composition, RateControl, TrackPlan, VideoCodec, VideoEncoder};
use crate::InputFormat;
use crate::graph;
use crate::source::{AudioStream, Source, VideoStream};
use crate::units::Rational;

/// The most pictures that a decoder of these codecs holds back.
const REORDERED: u32 = 16;

/// The most sound before a track's beginning, in seconds: an edit may begin within a packet, and
/// codecs need some packets before it.
const PRIMING_SECONDS: i64 = 1;

impl Composition {
    /// Which tracks a run will copy, in the order of [`Composition::tracks`]: those that may be
    /// copied and whose stream in `source`, a file of `format`, already is what is asked for.
    ///
    /// What only the packets themselves tell is found out on the way; a run then fails with
    /// [`MediaError::CannotCopy`](crate::MediaError::CannotCopy).
    #[must_use]
    pub fn copies(&self, source: &Source, format: InputFormat) -> Vec<bool> {
        // Elsewhere times are rough, and what is to be left out at the beginning is not said.
        let known = matches!(format, InputFormat::IsoBmff | InputFormat::Matroska);
        let copied = |track: &TrackPlan| match track {
            TrackPlan::Video { stream, codec, rate, copy, encoder, .. } => {
                let video = source.video_stream(*stream);
                *copy
                    && *rate != RateControl::Lossless
                    && *encoder == VideoEncoder::Host
                    && video.is_some_and(|video| self.is_video(video, *codec))
            }
            TrackPlan::Audio { stream, codec, sample_rate, channels, copy, .. } => {
                let audio = source.audio_stream(*stream);
                *copy
                    && audio.is_some_and(|audio| {
                        (audio.sample_rate, audio.channels) == (*sample_rate, *channels)
                            && is_audio(audio, *codec)
                    })
            }
        };
        self.tracks.iter().map(|track| known && copied(track)).collect()
    }

    /// The same composition with every track encoded.
    #[must_use]
    pub fn without_copying(&self) -> Self {
        let mut plain = self.clone();
        for track in &mut plain.tracks {
            let (TrackPlan::Video { copy, .. } | TrackPlan::Audio { copy, .. }) = track;
            *copy = false;
        }
        plain
    }

    /// Whether `video` already is a track of `codec` on this raster with nothing drawn.
    fn is_video(&self, video: &VideoStream, codec: VideoCodec) -> bool {
        let coding = &video.coding;
        let profile = (codec, video.codec.as_str(), coding.profile.as_str());
        let is_codec = match profile {
            (VideoCodec::H264, "avc1", profile) => {
                ["High", "Main", "Constrained Baseline", "Baseline"].contains(&profile)
            }
            // Its frames name their matrix, be it "unspecified", and readers believe them more than
            // the container. In H.264 what is not said is left to the container.
            (VideoCodec::Vp9, "vp09", "Profile 0") => video.colour.matrix == self.colour.matrix,
            _ => false,
        };
        let is_picture = video.pixel_format == "yuv420p"
            && video.coded_size == self.size
            && video.display_size == self.size
            && video.sample_aspect == Rational::ONE
            && video.rotation == 0
            && graph::is_in_colour(video, self.colour)
            && !video.interlaced
            && !video.has_alpha;
        // What is decoded and thrown away before the first picture cannot be left out.
        let is_timed = video.constant_frame_rate
            && video.frame_rate == self.frame_rate
            && coding.begins_with_sync
            && coding.first_packet == Some(video.begin.ticks)
            && coding.reordered <= REORDERED;
        is_codec && is_picture && is_timed && self.overlays.is_empty()
    }
}

/// Whether `audio` is a track of `codec` whose priming is known.
fn is_audio(audio: &AudioStream, codec: AudioCodec) -> bool {
    let is_codec = match codec {
        AudioCodec::Aac => audio.codec_name == "aac" && audio.coding.profile == "LC",
        AudioCodec::Opus => audio.codec_name == "opus",
    };
    let most = PRIMING_SECONDS * i64::from(audio.sample_rate);
    is_codec && audio.priming().is_some_and(|priming| (0..=most).contains(&priming))
}

#[cfg(test)]
mod tests;
