//! What is heard.

#[cfg(test)]
mod tests;

use crate::Copying;
use stage_sdk::{AudioEncoding, Job, SourceAudio};

/// How sound is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoundCodec {
    /// AAC-LC.
    Aac,
    /// Opus.
    Opus,
}

/// What an operator wants of the sound.
#[derive(Clone, Copy, Debug, Default)]
pub struct SoundWishes {
    /// Bits per second over all channels; none for what suits the codec.
    pub bit_rate: Option<u32>,
    /// Whether it may be passed on as it is.
    pub copying: Copying,
}

/// The sample rates of AAC (ISO/IEC 14496-3, table 1.18) that encoders share.
const AAC_RATES: [u32; 12] =
    [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000];

/// For sources above AAC's rates: what every player takes. Opus has no other rate.
const USUAL_RATE: u32 = 48_000;

/// 5.1; beyond it there are several layouts of one number of channels.
const MOST_CHANNELS: u32 = 6;

/// AAC holds at most 6144 bits for a channel in a frame of 1024 samples.
const AAC_BITS_PER_SAMPLE: u32 = 6;
const AAC_BITS_PER_CHANNEL: u32 = 64_000;
/// Six channels need no more than five, since the sixth is bass alone.
const AAC_ENOUGH_BITS: u32 = 320_000;

/// What Opus needs to be as good as its source to nearly all ears, for each number of channels:
/// 96000 for a pair, which it codes together, 64000 for a single one, nothing more for the bass.
const OPUS_BITS: [u32; 6] = [64_000, 96_000, 160_000, 192_000, 256_000, 256_000];
/// Opus takes no more for a channel.
const OPUS_MOST_BITS_PER_CHANNEL: u32 = 256_000;

impl SoundCodec {
    /// By RFC 6381.
    fn name(self) -> &'static str {
        match self {
            Self::Aac => "mp4a.40.2",
            Self::Opus => "opus",
        }
    }

    /// Whether a track of the source, named by its sample entry, is of this codec.
    fn is(self, entry: &str) -> bool {
        match self {
            Self::Aac => entry == "mp4a",
            Self::Opus => entry.eq_ignore_ascii_case("opus"),
        }
    }

    /// The source's rate where the codec has it, else the next higher one.
    fn sample_rate(self, source: u32) -> u32 {
        match self {
            Self::Aac => AAC_RATES.into_iter().find(|rate| *rate >= source).unwrap_or(USUAL_RATE),
            Self::Opus => USUAL_RATE,
        }
    }

    fn usual_bit_rate(self, channels: u32) -> u32 {
        match self {
            Self::Aac => (channels * AAC_BITS_PER_CHANNEL).min(AAC_ENOUGH_BITS),
            Self::Opus => {
                let place = usize::try_from(channels.saturating_sub(1)).unwrap_or(usize::MAX);
                OPUS_BITS.get(place).copied().unwrap_or(AAC_ENOUGH_BITS)
            }
        }
    }

    fn most_bits(self, sample_rate: u32, channels: u32) -> u32 {
        match self {
            Self::Aac => sample_rate * channels * AAC_BITS_PER_SAMPLE,
            Self::Opus => channels * OPUS_MOST_BITS_PER_CHANNEL,
        }
    }
}

/// The default track in this codec; none for a silent source.
pub fn sound<P>(
    job: &Job<P>,
    codec: SoundCodec,
    wishes: SoundWishes,
) -> Option<(&SourceAudio, AudioEncoding)> {
    let track = job.source.audio.first()?;
    if job.source.audio.len() > 1 {
        let message = format!(
            "The source has {} audio tracks; only the default one was kept.",
            job.source.audio.len()
        );
        job.warn("audio_tracks_dropped", message);
    }
    let sample_rate = codec.sample_rate(track.sample_rate);
    if sample_rate != track.sample_rate {
        let message =
            format!("The sound was resampled from {} Hz to {sample_rate} Hz.", track.sample_rate);
        job.warn("audio_resampled", message);
    }
    let channels = track.channels.clamp(1, MOST_CHANNELS);
    if channels < track.channels {
        let message =
            format!("The sound was mixed from {} channels down to {channels}.", track.channels);
        job.warn("audio_downmixed", message);
    }
    let bit_rate = wishes.bit_rate.unwrap_or_else(|| codec.usual_bit_rate(channels));
    let is_same =
        codec.is(&track.codec) && (track.sample_rate, track.channels) == (sample_rate, channels);
    let encoding = AudioEncoding {
        bit_rate: Some(bit_rate.min(codec.most_bits(sample_rate, channels))),
        allow_copy: is_same && wishes.copying == Copying::WhenPossible,
        ..AudioEncoding::new(codec.name(), sample_rate, channels)
    };
    Some((track, encoding))
}
