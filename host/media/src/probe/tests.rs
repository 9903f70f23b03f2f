use proptest::prelude::*;

use super::assemble::Findings;
use super::rate::{self, Evidence};
use super::report::Report;
use super::scan;
use crate::units::{Rational, Size};
use crate::{Colour, IgnoredKind, MediaError};

fn ratio(numerator: u32, denominator: u32) -> Rational {
    Rational { numerator, denominator }
}

/// What ffprobe says of a phone's clip, shortened.
const PHONE: &str = r#"{
    "streams": [
        { "index": 0, "codec_name": "h264", "codec_type": "video", "codec_tag_string": "avc1",
          "width": 1920, "height": 1080, "sample_aspect_ratio": "1:1", "pix_fmt": "yuv420p",
          "color_range": "tv", "color_space": "bt709", "color_transfer": "bt709",
          "color_primaries": "bt709", "r_frame_rate": "90000/2999",
          "avg_frame_rate": "369000/13657", "time_base": "1/90000", "start_pts": 0,
          "duration_ts": 136570, "nb_frames": "41",
          "side_data_list": [ { "side_data_type": "Display Matrix", "rotation": -90 } ] },
        { "index": 1, "codec_name": "mjpeg", "codec_type": "video", "width": 10, "height": 10,
          "disposition": { "attached_pic": 1 } },
        { "index": 2, "codec_name": "aac", "codec_type": "audio", "sample_rate": "48000",
          "channels": 2, "time_base": "1/48000", "start_pts": 0, "duration_ts": 76799,
          "tags": { "language": "ger" } },
        { "index": 3, "codec_type": "data", "codec_tag_string": "tmcd" }
    ],
    "format": { "format_name": "mov,mp4,m4a,3gp,3g2,mj2", "start_time": "0.000000",
        "duration": "1.600000", "tags": { "Title": "A film", "comment": "" } }
}"#;

fn findings(json: &str, lines: &str, first_frames: &[(u32, i64)]) -> Findings {
    Findings {
        report: Report::parse(json.as_bytes()).unwrap(),
        first_frames: first_frames.iter().copied().collect(),
        extents: scan::parse(lines, usize::MAX),
    }
}

/// A long first frame, then a steady rate.
fn phone_lines() -> String {
    let times = (0..40).map(|n| 16610 + n * 2999);
    let video: Vec<_> = times.map(|pts| format!("0,{pts},{pts},2999,K_")).collect();
    format!("0,0,0,16610,K_\n{}\n2,0,0,1024,K_\n2,75776,75776,1024,K_,\n", video.join("\n"))
}

#[test]
fn a_phone_is_turned_and_has_no_constant_rate() {
    let source = findings(PHONE, &phone_lines(), &[(0, 0), (2, 0)]).assemble().unwrap();
    let [video] = &source.video[..] else { panic!("{source:?}") };
    assert_eq!((video.frame_rate, video.constant_frame_rate), (ratio(369_000, 13657), false));
    assert_eq!(video.rotation, 90);
    assert_eq!(video.display_size, Size { width: 1080, height: 1920 });
    assert_eq!(video.display_aspect, ratio(9, 16));
    assert_eq!(video.colour, Colour::BT709);
    assert_eq!((video.codec.as_str(), video.frames), ("avc1", Some(41)));
    // 1.517 seconds.
    assert_eq!(video.frames_at(ratio(30, 1)), 46);
    let [audio] = &source.audio[..] else { panic!("{source:?}") };
    // The edit ends one sample before the last packet does.
    assert_eq!(audio.end.ticks, 76799);
    assert_eq!((audio.codec.as_str(), audio.language.as_deref()), ("mp4a", Some("deu")));
    let ignored: Vec<_> = source.ignored.iter().map(|ignored| ignored.kind).collect();
    assert_eq!(ignored, [IgnoredKind::CoverArt, IgnoredKind::Data]);
    assert_eq!(source.tags["title"], "A film");
}

#[test]
fn pictures_that_cannot_be_decoded_are_not_the_same_as_none() {
    let undecoded = findings(PHONE, &phone_lines(), &[(2, 0)]).assemble();
    assert!(matches!(undecoded, Err(MediaError::Unreadable { .. })), "{undecoded:?}");
    let sound = r#"{ "streams": [ { "index": 0, "codec_type": "audio", "codec_name": "aac",
        "sample_rate": "48000", "channels": 1, "time_base": "1/48000" } ] }"#;
    let sound = findings(sound, "0,0,0,1024,K_", &[(0, 0)]).assemble();
    assert!(matches!(sound, Err(MediaError::NoVideo)), "{sound:?}");
}

#[test]
fn matroska_that_ends_before_its_header_says_is_cut_off() {
    let film = |duration: &str| {
        format!(
            r#"{{ "streams": [ {{ "index": 0, "codec_type": "video", "codec_name": "vp9",
            "width": 64, "height": 48, "time_base": "1/1000", "avg_frame_rate": "25/1" }} ],
            "format": {{ "format_name": "matroska,webm", "duration": "{duration}" }} }}"#
        )
    };
    let lines = "0,0,0,40,K_\n0,40,40,40,__\n0,80,80,40,__\n";
    let source = findings(&film("0.12"), lines, &[(0, 0)]).assemble().unwrap();
    assert_eq!(source.video[0].frames_at(ratio(25, 1)), 3);
    let cut = findings(&film("9.0"), lines, &[(0, 0)]).assemble();
    assert!(matches!(cut, Err(MediaError::Unreadable { .. })), "{cut:?}");
}

#[test]
fn rates_are_judged_by_the_frames() {
    let judge = |head: &[i64], base: u32, real, average| {
        let time_base = ratio(1, base);
        rate::judge(&Evidence { head, time_base, real, average, frames: None })
    };
    let ntsc = Some(ratio(30000, 1001));
    let exact: Vec<_> = (0..300).map(|n| n * 1001).collect();
    assert_eq!(judge(&exact, 30000, ntsc, ntsc), (ratio(30000, 1001), true));
    // Matroska's milliseconds, where ffmpeg guesses a round rate.
    let rounded: Vec<_> = (0..300).map(|n| (n * 1001 + 15) / 30).collect();
    assert_eq!(judge(&rounded, 1000, Some(ratio(30, 1)), ntsc), (ratio(30000, 1001), true));
    // A frame is missing in the middle.
    let gap: Vec<_> = (0..300).filter(|n| *n != 150).map(|n| n * 1001).collect();
    assert_eq!(judge(&gap, 30000, ntsc, Some(ratio(299, 10))), (ratio(299, 10), false));
    assert_eq!(judge(&[0], 1000, None, None), (ratio(25, 1), true));
    assert_eq!(judge(&[0, 100, 150], 1000, None, None), (ratio(40, 3), false));
}

#[test]
fn odd_turns_are_refused_and_odd_pixels_are_made_square() {
    let film = |what: &str| {
        let json = format!(
            r#"{{ "streams": [ {{ "index": 0, "codec_type": "video", "codec_name": "h264",
            "width": 176, "height": 144, "time_base": "1/25", {what} }} ] }}"#
        );
        findings(&json, "0,0,0,1,K_", &[(0, 0)]).assemble()
    };
    let wide = film(r#""sample_aspect_ratio": "128:117""#).unwrap();
    assert_eq!(wide.video[0].display_size, Size { width: 193, height: 144 });
    assert_eq!(wide.video[0].display_aspect, ratio(1408, 1053));
    let tilted = film(r#""side_data_list": [ { "rotation": 33 } ]"#);
    assert!(matches!(tilted, Err(MediaError::UnsupportedSource { .. })), "{tilted:?}");
    let tagged = film(r#""tags": { "rotate": "270" }"#).unwrap();
    assert_eq!(tagged.video[0].rotation, 270);
}

#[test]
fn nonsense_is_unreadable() {
    for json in ["", "{", "null", r#"{ "streams": [ { "index": -1 } ] }"#] {
        let report = Report::parse(json.as_bytes());
        assert!(matches!(report, Err(MediaError::Unreadable { .. })), "{json}");
    }
}

proptest! {
    #[test]
    fn whatever_ffprobe_says_there_is_an_answer(
        lines in "([0-3],(N/A|-?[0-9]{1,19}),(N/A|-?[0-9]{1,19}),(N/A|-?[0-9]{1,19}),[KD_]{2},?\n){0,20}",
        base in "[0-9]{1,10}/[0-9]{1,10}",
        start in any::<i64>(),
        duration in any::<i64>(),
        first in any::<i64>(),
        side in any::<u32>(),
    ) {
        let json = PHONE
            .replace("1/90000", &base)
            .replace("\"start_pts\": 0", &format!("\"start_pts\": {start}"))
            .replace("\"duration_ts\": 136570", &format!("\"duration_ts\": {duration}"))
            .replace("\"height\": 1080", &format!("\"height\": {side}"));
        if let Ok(source) = findings(&json, &lines, &[(0, first), (2, first)]).assemble() {
            let video = &source.video[0];
            prop_assert!(video.frames_at(ratio(120, 1)) >= 1);
            prop_assert!(source.duration_seconds >= 0.0);
        }
    }

    #[test]
    fn lines_of_any_kind_are_passed_over(lines in "\\PC{0,200}") {
        scan::parse(&lines, 10);
    }
}

#[test]
fn a_gap_does_not_hide_the_rate() {
    let steady = |head: &[i64]| {
        rate::steady(&Evidence {
            head,
            time_base: ratio(1, 1000),
            real: Some(ratio(25, 1)),
            average: Some(ratio(20, 1)),
            frames: None,
        })
    };
    let gap: Vec<i64> = (0..100).chain(150..250).map(|number| number * 40).collect();
    assert_eq!(steady(&gap), Some(ratio(25, 1)));
    let every_fifth: Vec<i64> = (0..100).filter(|n| n % 5 != 0).map(|n| n * 40).collect();
    assert_eq!(steady(&every_fifth), None);
    assert_eq!(steady(&[0]), None);
}
