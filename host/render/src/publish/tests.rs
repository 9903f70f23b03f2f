use std::collections::BTreeMap;

use media::{AudioStream, Coding, Colour, Rational, Size, Time, VideoStream};
use stage::model::{self, AudioEncoding, VideoEncoding};

use super::*;

const BT709: Colour = Colour { primaries: 1, transfer: 1, matrix: 1, full_range: false };

fn time(milliseconds: i64) -> Time {
    Time { ticks: milliseconds, time_base: Rational { numerator: 1, denominator: 1000 } }
}

fn source(audio_begin: i64) -> Source {
    Source {
        container: "mp4".into(),
        duration_seconds: 2.0,
        video: vec![VideoStream {
            stream: 0,
            codec: "avc1".into(),
            codec_name: "h264".into(),
            pixel_format: "yuv420p".into(),
            coded_size: Size { width: 64, height: 36 },
            sample_aspect: Rational::ONE,
            rotation: 0,
            display_size: Size { width: 64, height: 36 },
            display_aspect: Rational { numerator: 16, denominator: 9 },
            frame_rate: Rational { numerator: 25, denominator: 1 },
            constant_frame_rate: true,
            colour: BT709,
            interlaced: false,
            has_alpha: false,
            coding: Coding::default(),
            frames: Some(50),
            last_frame_open: false,
            begin: time(0),
            end: time(2000),
        }],
        audio: vec![AudioStream {
            stream: 1,
            codec: "mp4a".into(),
            codec_name: "aac".into(),
            sample_rate: 48_000,
            channels: 2,
            language: None,
            default: true,
            coding: Coding::default(),
            begin: time(audio_begin),
            end: time(2000),
        }],
        tags: BTreeMap::new(),
        ignored: Vec::new(),
    }
}

fn plan() -> EncodePlan {
    EncodePlan {
        raster: Raster {
            size: model::Size { width: 64, height: 36 },
            frame_rate: model::Rational { numerator: 25, denominator: 1 },
            colour: model::Colour { primaries: 1, transfer: 1, matrix: 1, full_range: false },
        },
        tracks: vec![
            PlannedTrack::Video { source: 0, encoding: VideoEncoding::new("avc1") },
            PlannedTrack::Audio { source: 1, encoding: AudioEncoding::new("mp4a.40.2", 48_000, 2) },
        ],
    }
}

fn good(audio_begin: f64) -> Inspection {
    Inspection {
        container: "mov,mp4".into(),
        duration_seconds: 2.0,
        fast_start: Some(true),
        tracks: vec![
            InspectedTrack {
                codec: "avc1".into(),
                packets: 50,
                begin_seconds: Some(0.0),
                duration_seconds: Some(2.0),
                format: InspectedFormat::Video {
                    size: Size { width: 64, height: 36 },
                    sample_aspect: Rational::ONE,
                    colour: BT709,
                    frame_rate: Some(Rational { numerator: 25, denominator: 1 }),
                },
            },
            InspectedTrack {
                codec: "mp4a".into(),
                packets: 95,
                begin_seconds: Some(audio_begin),
                duration_seconds: Some(2.0),
                format: InspectedFormat::Audio { sample_rate: 48_000, channels: 2 },
            },
        ],
    }
}

fn verdict(found: &Inspection, audio_begin: i64) -> Result<(), String> {
    compare(found, Container::Mp4, "mux-test", &plan(), &source(audio_begin), 50)
        .map_err(|error| error.message)
}

#[test]
fn a_file_as_planned_passes() {
    assert_eq!(verdict(&good(0.0), 0), Ok(()));
    assert_eq!(verdict(&good(0.5), 500), Ok(()));
    assert_eq!(verdict(&good(0.02), 0), Ok(()), "less than an AAC frame of 21.3 ms");
}

#[test]
fn sound_that_moved_is_caught() {
    assert!(verdict(&good(0.0), 500).unwrap_err().contains("-0.500 s"));
    assert!(verdict(&good(0.05), 0).unwrap_err().contains("0.050 s"));
}

#[test]
fn each_deviation_is_named() {
    type Spoil = fn(&mut Inspection);
    let cases: [(&str, Spoil); 7] = [
        ("index", |found| found.fast_start = Some(false)),
        ("`mux-test` wrote has 1 tracks instead of 2", |found| found.tracks.truncate(1)),
        ("49 frames instead of 50", |found| found.tracks[0].packets = 49),
        ("lasts", |found| found.tracks[0].duration_seconds = Some(1.9)),
        ("lasts None", |found| found.tracks[0].duration_seconds = None),
        ("video track is missing", |found| found.tracks.reverse()),
        ("64×34", |found| {
            if let InspectedFormat::Video { size, .. } = &mut found.tracks[0].format {
                size.height = 34;
            }
        }),
    ];
    for (expected, spoil) in cases {
        let mut found = good(0.0);
        spoil(&mut found);
        let message = verdict(&found, 0).unwrap_err();
        assert!(message.contains(expected), "{message} should tell of {expected}");
    }
}

#[test]
fn wrong_tags_and_pixels_are_caught() {
    let mut found = good(0.0);
    if let InspectedFormat::Video { colour, .. } = &mut found.tracks[0].format {
        colour.matrix = 6;
    }
    assert!(verdict(&found, 0).unwrap_err().contains("1/1/6"));
    let mut found = good(0.0);
    if let InspectedFormat::Video { sample_aspect, .. } = &mut found.tracks[0].format {
        *sample_aspect = Rational { numerator: 4, denominator: 3 };
    }
    assert!(verdict(&found, 0).unwrap_err().contains("square"));
}
