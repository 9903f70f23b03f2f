//! What a finished file says about itself.

use media::{Colour, Input, InspectedFormat, Rational, Size};

use crate::support::{Made, engine};

const FILM: [&str; 8] =
    ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-f", "lavfi", "-i", "sine=d=2:r=48000"];

#[tokio::test]
async fn a_file_is_read_back() {
    let mut args = FILM.to_vec();
    args.extend(["-c:v", "libx264", "-pix_fmt", "yuv420p", "-color_primaries", "bt709"]);
    args.extend(["-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv"]);
    args.extend(["-c:a", "aac", "-movflags", "+faststart"]);
    let made = Made::new("film.mp4", &args);
    let found = engine().await.inspect(&Input::open(&made.path).unwrap()).await.unwrap();
    assert!(found.container.contains("mp4"));
    assert_eq!(found.fast_start, Some(true));
    let [video, audio] = &found.tracks[..] else { panic!("{found:?}") };
    assert_eq!((video.codec.as_str(), video.packets), ("avc1", 50));
    assert_eq!(video.begin_seconds, Some(0.0));
    assert_eq!(video.duration_seconds, Some(2.0));
    let format = InspectedFormat::Video {
        size: Size { width: 64, height: 48 },
        sample_aspect: Rational::ONE,
        colour: Colour::BT709,
        frame_rate: Some(Rational { numerator: 25, denominator: 1 }),
    };
    assert_eq!(video.format, format);
    assert_eq!(audio.codec, "mp4a");
    assert_eq!(audio.begin_seconds, Some(0.0));
    assert!((found.duration_seconds - 2.0).abs() < 0.03);
}

#[tokio::test]
async fn an_index_behind_the_data_is_noticed() {
    let made = Made::new("film.mov", &FILM);
    let found = engine().await.inspect(&Input::open(&made.path).unwrap()).await.unwrap();
    assert_eq!(found.fast_start, Some(false));
    let made = Made::new("film.mkv", &FILM);
    let found = engine().await.inspect(&Input::open(&made.path).unwrap()).await.unwrap();
    assert_eq!(found.fast_start, None);
}

#[tokio::test]
async fn webm_is_read_back() {
    let mut args = FILM.to_vec();
    args.extend(["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]);
    args.extend(["-pix_fmt", "yuv420p", "-color_primaries", "bt709", "-color_trc", "bt709"]);
    args.extend(["-colorspace", "bt709", "-color_range", "tv", "-c:a", "libopus"]);
    let made = Made::new("film.webm", &args);
    let found = engine().await.inspect(&Input::open(&made.path).unwrap()).await.unwrap();
    assert_eq!((found.container.as_str(), found.fast_start), ("matroska,webm", None));
    let [video, audio] = &found.tracks[..] else { panic!("{found:?}") };
    assert_eq!((video.codec.as_str(), video.packets), ("vp09", 50));
    // Times are rounded to milliseconds.
    assert!((video.duration_seconds.unwrap() - 2.0).abs() < 0.01, "{video:?}");
    assert!((audio.duration_seconds.unwrap() - 2.0).abs() < 0.03, "{audio:?}");
    assert!(matches!(video.format, InspectedFormat::Video { colour: Colour::BT709, .. }));
    assert_eq!(audio.codec, "Opus");
    // Sound begins where its delay ends.
    assert!(audio.begin_seconds.unwrap().abs() < 0.01, "{audio:?}");
}
