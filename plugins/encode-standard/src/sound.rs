//! What is heard.

#[cfg(test)]
mod tests;

use crate::parameters::Parameters;
use stage_sdk::{AudioEncoding, Job, SourceAudio};

/// AAC-LC by RFC 6381.
const AAC: &str = "mp4a.40.2";

/// The sample rates of AAC (ISO/IEC 14496-3, table 1.18) that encoders share.
const RATES: [u32; 12] =
    [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000];

/// For sources above AAC's rates: what every player takes.
const USUAL_RATE: u32 = 48_000;

/// 5.1; beyond it there are several layouts of one number of channels.
const MOST_CHANNELS: u32 = 6;

/// AAC holds at most 6144 bits for a channel in a frame of 1024 samples.
const MOST_BITS_PER_SAMPLE: u32 = 6;

const BITS_PER_CHANNEL: u32 = 64_000;
/// Six channels need no more than five, since the sixth is bass alone.
const ENOUGH_BITS: u32 = 320_000;

/// The default track as AAC; none for a silent source.
pub(crate) fn decide(job: &Job<Parameters>) -> Option<(&SourceAudio, AudioEncoding)> {
    let track = job.source.audio.first()?;
    if job.source.audio.len() > 1 {
        let message = format!(
            "The source has {} audio tracks; only the default one was kept.",
            job.source.audio.len()
        );
        job.warn("audio_tracks_dropped", message);
    }
    let sample_rate = sample_rate(track.sample_rate);
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
    let wanted = job.parameters.audio_bit_rate;
    let bit_rate = wanted
        .unwrap_or_else(|| (channels * BITS_PER_CHANNEL).min(ENOUGH_BITS))
        .min(sample_rate * channels * MOST_BITS_PER_SAMPLE);
    let encoding = AudioEncoding {
        bit_rate: Some(bit_rate),
        ..AudioEncoding::new(AAC, sample_rate, channels)
    };
    Some((track, encoding))
}

/// The source's rate where AAC has it, else the next higher one.
fn sample_rate(source: u32) -> u32 {
    RATES.into_iter().find(|rate| *rate >= source).unwrap_or(USUAL_RATE)
}
