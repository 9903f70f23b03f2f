use super::*;
use crate::tests::{job, video};

/// Rate, channels and bit rate.
type Decided = Option<(u32, u32, u32)>;

fn decided(codec: SoundCodec, tracks: &[(u32, u32)]) -> (Decided, Vec<&'static str>) {
    let mut job = job(video(640, 360));
    job.source.audio = tracks
        .iter()
        .map(|(sample_rate, channels)| SourceAudio::new("mp4a", *sample_rate, *channels))
        .collect();
    let decided = sound(&job, codec, SoundWishes::default()).map(|(_, encoding)| {
        (encoding.sample_rate, encoding.channels, encoding.bit_rate.unwrap_or_default())
    });
    (decided, job.take_warnings().iter().map(|warning| warning.code).collect())
}

fn aac(tracks: &[(u32, u32)]) -> (Decided, Vec<&'static str>) {
    decided(SoundCodec::Aac, tracks)
}

fn opus(tracks: &[(u32, u32)]) -> (Decided, Vec<&'static str>) {
    decided(SoundCodec::Opus, tracks)
}

#[test]
fn silence_stays_silent() {
    assert_eq!(aac(&[]), (None, vec![]));
    assert_eq!(opus(&[]), (None, vec![]));
}

#[test]
fn rate_and_channels_are_kept() {
    assert_eq!(aac(&[(44_100, 2)]), (Some((44_100, 2, 128_000)), vec![]));
    assert_eq!(aac(&[(48_000, 6)]), (Some((48_000, 6, 320_000)), vec![]));
    assert_eq!(aac(&[(96_000, 1)]), (Some((96_000, 1, 64_000)), vec![]));
    assert_eq!(opus(&[(48_000, 1)]), (Some((48_000, 1, 64_000)), vec![]));
    assert_eq!(opus(&[(48_000, 2)]), (Some((48_000, 2, 96_000)), vec![]));
    assert_eq!(opus(&[(48_000, 6)]), (Some((48_000, 6, 256_000)), vec![]));
}

#[test]
fn what_a_codec_cannot_hold_is_said() {
    assert_eq!(aac(&[(192_000, 2)]), (Some((48_000, 2, 128_000)), vec!["audio_resampled"]));
    assert_eq!(aac(&[(37_800, 2)]), (Some((44_100, 2, 128_000)), vec!["audio_resampled"]));
    assert_eq!(aac(&[(48_000, 8)]), (Some((48_000, 6, 320_000)), vec!["audio_downmixed"]));
    assert_eq!(opus(&[(44_100, 2)]), (Some((48_000, 2, 96_000)), vec!["audio_resampled"]));
}

#[test]
fn nobody_gets_more_bits_than_a_codec_takes() {
    assert_eq!(aac(&[(8000, 1)]), (Some((8000, 1, 48_000)), vec![]));
    let mut job = job(video(640, 360));
    job.source.audio = vec![SourceAudio::new("flac", 48_000, 1)];
    let wishes = SoundWishes { bit_rate: Some(2_000_000), ..SoundWishes::default() };
    let (_, encoding) = sound(&job, SoundCodec::Opus, wishes).unwrap();
    assert_eq!(encoding.bit_rate, Some(256_000));
}

#[test]
fn only_the_default_track_is_kept() {
    let (decided, codes) = aac(&[(48_000, 2), (44_100, 1)]);
    assert_eq!((decided, codes), (Some((48_000, 2, 128_000)), vec!["audio_tracks_dropped"]));
}

#[test]
fn only_what_would_not_change_may_be_copied() {
    let copies = |entry: &str, rate, channels, codec, copying| {
        let mut job = job(video(640, 360));
        job.source.audio = vec![SourceAudio::new(entry, rate, channels)];
        let wishes = SoundWishes { copying, ..SoundWishes::default() };
        sound(&job, codec, wishes).unwrap().1.allow_copy
    };
    let allowed = Copying::WhenPossible;
    assert!(copies("mp4a", 44_100, 2, SoundCodec::Aac, allowed));
    assert!(copies("Opus", 48_000, 6, SoundCodec::Opus, allowed));
    assert!(!copies("Opus", 48_000, 2, SoundCodec::Aac, allowed));
    assert!(!copies("mp4a", 192_000, 2, SoundCodec::Aac, allowed));
    assert!(!copies("mp4a", 48_000, 8, SoundCodec::Aac, allowed));
    assert!(!copies("mp4a", 44_100, 2, SoundCodec::Aac, Copying::Never));
}
