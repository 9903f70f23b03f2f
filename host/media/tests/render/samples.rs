//! Real files from real devices and encoders.

use media::{Composition, RateControl, Rational, Size, Source, TrackFormat};

use crate::support::{Rendered, as_it_is, sample};

/// The source at a size that is quick to encode.
fn small(source: &Source) -> Composition {
    let mut plan = as_it_is(source, RateControl::Default);
    while plan.size.width > 400 {
        plan.size = Size { width: plan.size.width / 4 * 2, height: plan.size.height / 4 * 2 };
    }
    plan
}

async fn render(name: &str) -> Option<Rendered> {
    let path = sample(name)?;
    Some(Rendered::of(&path, small).await)
}

/// Renders and checks the number of frames and, with a tolerance of one AAC frame, of samples.
async fn check(name: &str, frames: u64, sound_seconds: Option<f64>) {
    let Some(rendered) = render(name).await else { return };
    assert_eq!(rendered.summary.frames, frames, "{name}");
    let sound =
        rendered.tracks.iter().position(|track| matches!(track.format, TrackFormat::Audio { .. }));
    assert_eq!(sound.is_some(), sound_seconds.is_some(), "{name}");
    let (Some(number), Some(seconds)) = (sound, sound_seconds) else { return };
    let track = &rendered.tracks[number];
    let promised = track.duration as f64 / f64::from(track.timescale);
    let aac_frame = 1024.0 / f64::from(track.timescale);
    assert!((promised - seconds).abs() <= aac_frame, "{name}: {promised} s of sound promised");
    let last = rendered.of_track(u32::try_from(number).unwrap()).last().unwrap();
    let end = (last.pts + i64::from(last.duration)) as f64 / f64::from(track.timescale);
    assert!(end >= promised - aac_frame, "{name}: {end} s of sound came");
    assert!(end <= promised + 3.0 * aac_frame, "{name}: {end} s of sound came");
}

#[tokio::test]
async fn a_film_with_six_channels() {
    check("bigbuckbunny.mp4", 132, Some(5.312)).await;
}

#[tokio::test]
async fn an_odd_sample_aspect() {
    check("carphone_pristine.mp4", 120, None).await;
}

#[tokio::test]
async fn a_phone_whose_first_frame_is_long() {
    let Some(path) = sample("phone_VID_20191220.mp4") else { return };
    let rendered = Rendered::of(&path, |source| {
        assert!(!source.video[0].constant_frame_rate);
        let mut plan = small(source);
        plan.frame_rate = Rational { numerator: 30, denominator: 1 };
        plan
    });
    assert_eq!(rendered.await.summary.frames, 46);
}

#[tokio::test]
async fn colour_at_full_resolution() {
    check("cockatoo.mp4", 280, Some(13.898)).await;
}

#[tokio::test]
async fn a_rate_that_no_standard_names() {
    let Some(rendered) = render("realshort.mp4").await else { return };
    let video = &rendered.source.video[0];
    assert_eq!(video.frame_rate, Rational { numerator: 45000, denominator: 1499 });
    assert!(video.constant_frame_rate);
    assert_eq!(rendered.summary.frames, 36);
}

#[tokio::test]
async fn packets_without_durations_and_an_edit_list() {
    check("birds.mp4", 31, Some(1.044)).await;
}

#[tokio::test]
async fn a_single_frame() {
    check("black-h264-video.mp4", 1, None).await;
}

#[tokio::test]
async fn one_clip_in_three_containers() {
    check("mimetype_mp4.mp4", 166, Some(5.568)).await;
    check("mimetype_mov.mov", 166, Some(5.58)).await;
    check("mimetype_webm.webm", 166, Some(5.568)).await;
}

#[tokio::test]
async fn a_trailer() {
    check("bbb_trailer.mp4", 1323, Some(52.167)).await;
}

#[tokio::test]
async fn other_codecs() {
    check("black-vp9-video.mp4", 25, None).await;
    check("black-av1-video.mp4", 25, None).await;
    check("black-h265-video.mp4", 25, None).await;
    check("black-h265-hvc1-video.mp4", 25, None).await;
    check("subtitles.mkv", 150, None).await;
}
