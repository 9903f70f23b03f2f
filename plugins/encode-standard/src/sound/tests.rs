use super::*;
use crate::tests::{job, video};

fn sound(tracks: &[(u32, u32)]) -> (Option<(u32, u32, u32)>, Vec<&'static str>) {
    let mut job = job(video(640, 360));
    job.source.audio = tracks
        .iter()
        .map(|(sample_rate, channels)| SourceAudio::new("mp4a", *sample_rate, *channels))
        .collect();
    let decided = decide(&job).map(|(_, encoding)| {
        (encoding.sample_rate, encoding.channels, encoding.bit_rate.unwrap_or_default())
    });
    (decided, job.take_warnings().iter().map(|warning| warning.code).collect())
}

#[test]
fn silence_stays_silent() {
    assert_eq!(sound(&[]), (None, vec![]));
}

#[test]
fn rate_and_channels_are_kept() {
    assert_eq!(sound(&[(44_100, 2)]), (Some((44_100, 2, 128_000)), vec![]));
    assert_eq!(sound(&[(48_000, 6)]), (Some((48_000, 6, 320_000)), vec![]));
    assert_eq!(sound(&[(96_000, 1)]), (Some((96_000, 1, 64_000)), vec![]));
}

#[test]
fn what_aac_cannot_hold_is_said() {
    assert_eq!(sound(&[(192_000, 2)]), (Some((48_000, 2, 128_000)), vec!["audio_resampled"]));
    assert_eq!(sound(&[(37_800, 2)]), (Some((44_100, 2, 128_000)), vec!["audio_resampled"]));
    assert_eq!(sound(&[(48_000, 8)]), (Some((48_000, 6, 320_000)), vec!["audio_downmixed"]));
}

#[test]
fn low_rates_get_no_more_bits_than_a_frame_holds() {
    assert_eq!(sound(&[(8000, 1)]), (Some((8000, 1, 48_000)), vec![]));
}

#[test]
fn only_the_default_track_is_kept() {
    let (decided, codes) = sound(&[(48_000, 2), (44_100, 1)]);
    assert_eq!((decided, codes), (Some((48_000, 2, 128_000)), vec!["audio_tracks_dropped"]));
}
