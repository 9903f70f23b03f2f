use std::sync::Arc;

use crate::{
    AudioCodec, AudioStream, Coding, Colour, Composition, InputFormat, Overlay, Point, RateControl,
    Rational, Size, Source, Time, TrackPlan, VideoCodec, VideoEncoder, VideoStream,
};

const TWENTY_FIVE: Rational = Rational { numerator: 25, denominator: 1 };
const SIZE: Size = Size { width: 640, height: 480 };

fn time(ticks: i64) -> Time {
    Time { ticks, time_base: Rational { numerator: 1, denominator: 48000 } }
}

fn coding(profile: &str, first_packet: i64, begins_with_sync: bool) -> Coding {
    let first_packet = Some(first_packet);
    Coding {
        profile: profile.into(),
        reordered: 2,
        first_packet,
        begins_with_sync,
        ..Coding::default()
    }
}

fn source() -> Source {
    let video = VideoStream {
        stream: 0,
        codec: "avc1".into(),
        codec_name: "h264".into(),
        pixel_format: "yuv420p".into(),
        coded_size: SIZE,
        sample_aspect: Rational::ONE,
        rotation: 0,
        display_size: SIZE,
        display_aspect: Rational { numerator: 4, denominator: 3 },
        frame_rate: TWENTY_FIVE,
        constant_frame_rate: true,
        colour: Colour::BT709,
        interlaced: false,
        has_alpha: false,
        frames: None,
        begin: time(40),
        end: time(192_040),
        last_frame_open: false,
        coding: coding("High", 40, true),
    };
    let audio = AudioStream {
        stream: 1,
        codec: "mp4a".into(),
        codec_name: "aac".into(),
        sample_rate: 48000,
        channels: 2,
        language: None,
        default: true,
        begin: time(0),
        end: time(192_000),
        coding: coding("LC", -1024, true),
    };
    Source {
        container: "mov".into(),
        duration_seconds: 4.0,
        video: vec![video],
        audio: vec![audio],
        tags: Default::default(),
        ignored: Vec::new(),
    }
}

fn composition() -> Composition {
    Composition {
        size: SIZE,
        frame_rate: TWENTY_FIVE,
        colour: Colour::BT709,
        overlays: Vec::new(),
        tracks: vec![
            TrackPlan::Video {
                stream: 0,
                codec: VideoCodec::H264,
                rate: RateControl::Default,
                effort: 5,
                keyframe_interval: 250,
                copy: true,
                encoder: VideoEncoder::Host,
            },
            TrackPlan::Audio {
                stream: 1,
                codec: AudioCodec::Aac,
                sample_rate: 48000,
                channels: 2,
                bit_rate: None,
                copy: true,
            },
        ],
    }
}

/// Something that is otherwise.
type Change = dyn Fn(&mut Source, &mut Composition);

/// What is copied after `change`.
fn copied(change: impl FnOnce(&mut Source, &mut Composition)) -> [bool; 2] {
    let (mut source, mut composition) = (source(), composition());
    change(&mut source, &mut composition);
    composition.copies(&source, InputFormat::IsoBmff).try_into().unwrap()
}

fn video(source: &mut Source) -> &mut VideoStream {
    &mut source.video[0]
}

#[test]
fn what_is_already_as_asked_is_copied() {
    assert_eq!(copied(|_, _| {}), [true, true]);
    for profile in ["High", "Main", "Constrained Baseline", "Baseline"] {
        assert_eq!(copied(|s, _| video(s).coding.profile = profile.into()), [true, true]);
    }
    let vp9 = |source: &mut Source, plan: &mut Composition| {
        let video = video(source);
        (video.codec, video.coding.profile) = ("vp09".into(), "Profile 0".into());
        let TrackPlan::Video { codec, .. } = &mut plan.tracks[0] else { panic!() };
        *codec = VideoCodec::Vp9;
    };
    assert_eq!(copied(vp9), [true, true]);
    let opus = |source: &mut Source, plan: &mut Composition| {
        let audio = &mut source.audio[0];
        (audio.codec_name, audio.coding.profile) = ("opus".into(), String::new());
        audio.coding.first_packet = Some(-312);
        let TrackPlan::Audio { codec, .. } = &mut plan.tracks[1] else { panic!() };
        *codec = AudioCodec::Opus;
    };
    assert_eq!(copied(opus), [true, true]);
}

#[test]
fn untagged_colour_is_what_it_usually_is() {
    let untagged = |size, raster| {
        copied(|source, plan| {
            let video = video(source);
            (video.coded_size, video.display_size, plan.size) = (size, size, size);
            (video.colour, plan.colour) = (Colour::UNSPECIFIED, raster);
        })
    };
    let high = Size { width: 1280, height: 720 };
    let standard = Colour { primaries: 6, transfer: 6, matrix: 6, full_range: false };
    assert_eq!(untagged(high, Colour::BT709), [true, true]);
    assert_eq!(untagged(high, standard), [false, true]);
    assert_eq!(untagged(SIZE, Colour::BT709), [false, true]);
    assert_eq!(untagged(SIZE, standard), [true, true]);
    let full = Colour { full_range: true, ..Colour::BT709 };
    assert_eq!(untagged(high, full), [false, true]);
}

#[test]
fn in_rough_containers_everything_is_encoded() {
    use InputFormat::{Avi, Flv, IsoBmff, Matroska, MpegPs, MpegTs, Ogg};
    for format in [Avi, Flv, MpegPs, MpegTs, Ogg] {
        assert_eq!(composition().copies(&source(), format), [false, false], "{format:?}");
    }
    for format in [IsoBmff, Matroska] {
        assert_eq!(composition().copies(&source(), format), [true, true], "{format:?}");
    }
}

#[test]
fn one_difference_is_enough_to_encode_pictures() {
    const OTHER: Colour = Colour { full_range: true, ..Colour::BT709 };
    let changes: [&Change; 27] = [
        &|s, _| video(s).codec = "avc3".into(),
        &|s, _| video(s).codec = "hvc1".into(),
        &|s, _| video(s).codec = "vp09".into(),
        &|s, _| video(s).coding.profile = "High 10".into(),
        &|s, _| video(s).coding.profile = "High 4:4:4 Predictive".into(),
        &|s, _| video(s).coding.profile = String::new(),
        &|s, _| video(s).pixel_format = "yuv420p10le".into(),
        &|s, _| video(s).pixel_format = "yuv422p".into(),
        &|s, _| video(s).coded_size.width = 720,
        &|s, _| video(s).display_size.width = 720,
        &|_, plan| plan.size.width = 320,
        &|s, _| video(s).sample_aspect = Rational { numerator: 16, denominator: 15 },
        &|s, _| video(s).rotation = 180,
        &|s, _| video(s).colour = OTHER,
        &|_, plan| plan.colour = OTHER,
        &|s, _| video(s).colour.transfer = 6,
        &|s, _| video(s).colour = Colour::UNSPECIFIED,
        &|s, _| video(s).interlaced = true,
        &|s, _| video(s).has_alpha = true,
        &|s, _| video(s).constant_frame_rate = false,
        &|s, _| video(s).frame_rate.numerator = 50,
        &|s, _| video(s).coding.begins_with_sync = false,
        &|s, _| video(s).coding.first_packet = Some(0),
        &|s, _| video(s).coding.first_packet = None,
        &|s, _| video(s).coding.reordered = 17,
        &|_, plan| {
            plan.overlays.push(Overlay {
                rgba: Arc::new(vec![0; 16]),
                size: Size { width: 2, height: 2 },
                at: Point { x: 0, y: 0 },
            });
        },
        &|_, plan| {
            let TrackPlan::Video { copy, .. } = &mut plan.tracks[0] else { panic!() };
            *copy = false;
        },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        assert_eq!(copied(change), [false, true], "change {number}");
    }
    let given = |_: &mut Source, plan: &mut Composition| {
        let TrackPlan::Video { encoder, .. } = &mut plan.tracks[0] else { panic!() };
        *encoder = VideoEncoder::Given;
    };
    assert_eq!(copied(given), [false, true]);
    for other in [VideoCodec::Vp9, VideoCodec::Av1] {
        let change = |_: &mut Source, plan: &mut Composition| {
            let TrackPlan::Video { codec, .. } = &mut plan.tracks[0] else { panic!() };
            *codec = other;
        };
        assert_eq!(copied(change), [false, true], "{other:?}");
    }
}

#[test]
fn one_difference_is_enough_to_encode_sound() {
    fn plan(plan: &mut Composition) -> (&mut AudioCodec, &mut u32, &mut u32, &mut bool) {
        let TrackPlan::Audio { codec, sample_rate, channels, copy, .. } = &mut plan.tracks[1]
        else {
            panic!()
        };
        (codec, sample_rate, channels, copy)
    }
    let changes: [&Change; 10] = [
        &|s, _| s.audio[0].codec_name = "mp3".into(),
        &|s, _| s.audio[0].coding.profile = "HE-AAC".into(),
        &|s, _| s.audio[0].sample_rate = 44100,
        &|s, _| s.audio[0].channels = 6,
        &|s, _| s.audio[0].coding.first_packet = None,
        &|s, _| s.audio[0].coding.first_packet = Some(1),
        &|s, _| s.audio[0].coding.first_packet = Some(-48001),
        &|_, p| *plan(p).0 = AudioCodec::Opus,
        &|_, p| *plan(p).1 = 44100,
        &|_, p| *plan(p).3 = false,
    ];
    for (number, change) in changes.into_iter().enumerate() {
        assert_eq!(copied(change), [true, false], "change {number}");
    }
    assert_eq!(copied(|_, p| *plan(p).2 = 1), [true, false]);
}

#[test]
fn without_copying_nothing_is_copied() {
    let plain = composition().without_copying();
    assert_eq!(plain.copies(&source(), InputFormat::IsoBmff), [false, false]);
    assert_eq!(plain.tracks.len(), 2);
}

#[test]
fn vp9_says_its_matrix_itself_and_h264_leaves_it_to_the_container() {
    let untagged =
        |source: &mut Source| video(source).colour = Colour { matrix: 2, ..Colour::BT709 };
    let high = |source: &mut Source, plan: &mut Composition| {
        let size = Size { width: 1280, height: 720 };
        let stream = video(source);
        (stream.coded_size, stream.display_size, plan.size) = (size, size, size);
    };
    assert!(
        copied(|source, plan| {
            high(source, plan);
            untagged(source);
        })[0]
    );
    for (tagged, expected) in [(true, true), (false, false)] {
        let copied = copied(|source, plan| {
            high(source, plan);
            let stream = video(source);
            (stream.codec, stream.codec_name) = ("vp09".into(), "vp9".into());
            stream.coding.profile = "Profile 0".into();
            if !tagged {
                untagged(source);
            }
            if let TrackPlan::Video { codec, .. } = &mut plan.tracks[0] {
                *codec = VideoCodec::Vp9;
            }
        });
        assert_eq!(copied[0], expected, "tagged: {tagged}");
    }
}
