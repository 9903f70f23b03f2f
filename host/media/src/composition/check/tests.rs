use std::sync::Arc;

use crate::{
    AudioCodec, AudioStream, Colour, Composition, Limits, MediaError, Overlay, Point, RateControl,
    Rational, Size, Source, Time, TrackPlan, VideoCodec, VideoEncoder, VideoStream,
};

fn time(ticks: i64) -> Time {
    Time { ticks, time_base: Rational { numerator: 1, denominator: 1000 } }
}

fn source() -> Source {
    let size = Size { width: 640, height: 480 };
    let video = VideoStream {
        stream: 0,
        codec: "avc1".into(),
        codec_name: "h264".into(),
        pixel_format: "yuv420p".into(),
        coded_size: size,
        sample_aspect: Rational::ONE,
        rotation: 0,
        display_size: size,
        display_aspect: Rational { numerator: 4, denominator: 3 },
        frame_rate: Rational { numerator: 25, denominator: 1 },
        constant_frame_rate: true,
        colour: Colour::BT709,
        interlaced: false,
        has_alpha: false,
        frames: None,
        begin: time(0),
        end: time(4000),
        last_frame_open: false,
        coding: Default::default(),
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
        end: time(4000),
        coding: Default::default(),
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
        size: Size { width: 640, height: 480 },
        frame_rate: Rational { numerator: 25, denominator: 1 },
        colour: Colour::BT709,
        overlays: Vec::new(),
        tracks: vec![
            TrackPlan::Video {
                stream: 0,
                codec: VideoCodec::H264,
                rate: RateControl::Default,
                effort: 5,
                keyframe_interval: 250,
                copy: false,
                encoder: VideoEncoder::Host,
            },
            TrackPlan::Audio {
                stream: 1,
                codec: AudioCodec::Aac,
                sample_rate: 48000,
                channels: 2,
                bit_rate: None,
                copy: false,
            },
        ],
    }
}

/// What the check says of a composition changed by `change`.
fn checked(change: impl FnOnce(&mut Source, &mut Composition)) -> Result<(), MediaError> {
    let (mut source, mut composition) = (source(), composition());
    change(&mut source, &mut composition);
    composition.check(&source, &Limits::default())
}

#[test]
fn a_plain_plan_is_fine() {
    checked(|_, _| {}).unwrap();
}

#[test]
fn plans_that_cannot_be_carried_out() {
    let overlay = |x, bytes| Overlay {
        rgba: Arc::new(vec![0; bytes]),
        size: Size { width: 10, height: 10 },
        at: Point { x, y: 0 },
    };
    let changes: [&dyn Fn(&mut Composition); 16] = [
        &|plan| plan.size.width = 641,
        &|plan| plan.size.height = 0,
        &|plan| plan.frame_rate.numerator = 0,
        &|plan| plan.frame_rate.denominator = u32::MAX,
        &|plan| plan.colour.matrix = 8,
        &|plan| plan.colour.matrix = 2,
        &|plan| plan.colour.matrix = 10,
        &|plan| plan.colour.primaries = 2,
        &|plan| plan.colour.primaries = 9,
        &|plan| plan.colour.transfer = 2,
        &|plan| plan.colour.transfer = 16,
        &|plan| plan.colour.transfer = 18,
        &|plan| plan.overlays.push(overlay(631, 400)),
        &|plan| plan.overlays.push(overlay(0, 399)),
        &|plan| plan.tracks.truncate(0),
        &|plan| {
            if let TrackPlan::Audio { sample_rate, .. } = &mut plan.tracks[1] {
                *sample_rate = 192_000;
            }
        },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let answer = checked(|_, plan| change(plan));
        let refused = matches!(answer, Err(MediaError::UnsupportedPlan { .. }));
        assert!(refused, "change {number}: {answer:?}");
    }
    checked(|_, plan| plan.overlays.push(overlay(630, 400))).unwrap();
}

#[test]
fn a_wide_gamut_passes_only_as_it_is() {
    let answer = checked(|source, plan| {
        source.video[0].colour.primaries = 9;
        plan.colour.primaries = 9;
    });
    answer.unwrap();
    let answer = checked(|source, plan| {
        source.video[0].colour.primaries = 12;
        plan.colour.primaries = 9;
    });
    assert!(matches!(answer, Err(MediaError::UnsupportedSource { .. })), "{answer:?}");
}

#[test]
fn sources_that_would_come_out_wrong() {
    let changes: [&dyn Fn(&mut VideoStream); 5] = [
        &|video| video.colour.transfer = 16,
        &|video| video.colour.transfer = 18,
        &|video| video.colour.primaries = 9,
        &|video| video.colour.matrix = 14,
        &|video| video.has_alpha = true,
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let answer = checked(|source, _| change(&mut source.video[0]));
        let refused = matches!(answer, Err(MediaError::UnsupportedSource { .. }));
        assert!(refused, "change {number}: {answer:?}");
    }
    let answer = checked(|source, _| source.video[0].coded_size.width = 100_000);
    assert!(matches!(answer, Err(MediaError::Budget { .. })), "{answer:?}");
}

#[test]
fn every_codec_has_its_bounds() {
    let video = |codec, rate, copy| {
        checked(|_, plan| {
            let TrackPlan::Video { codec: c, rate: r, copy: y, .. } = &mut plan.tracks[0] else {
                panic!()
            };
            (*c, *r, *y) = (codec, rate, copy);
        })
    };
    use RateControl::{ConstantQuality, Lossless};
    video(VideoCodec::H264, ConstantQuality(51.0), false).unwrap();
    video(VideoCodec::H264, Lossless, false).unwrap();
    video(VideoCodec::Vp9, ConstantQuality(63.0), true).unwrap();
    video(VideoCodec::Vp9, Lossless, false).unwrap();
    video(VideoCodec::Av1, ConstantQuality(63.0), false).unwrap();
    for (codec, rate, copy) in [
        (VideoCodec::H264, ConstantQuality(51.5), false),
        (VideoCodec::H264, ConstantQuality(f32::NAN), false),
        (VideoCodec::H264, Lossless, true),
        (VideoCodec::Vp9, ConstantQuality(63.5), false),
        (VideoCodec::Av1, ConstantQuality(-1.0), false),
        (VideoCodec::Av1, Lossless, false),
    ] {
        let answer = video(codec, rate, copy);
        assert!(matches!(answer, Err(MediaError::UnsupportedPlan { .. })), "{codec:?}: {answer:?}");
    }
    let sound = |codec, rate, channels, bits| {
        checked(|_, plan| {
            let TrackPlan::Audio { codec: c, sample_rate, channels: n, bit_rate, .. } =
                &mut plan.tracks[1]
            else {
                panic!()
            };
            (*c, *sample_rate, *n, *bit_rate) = (codec, rate, channels, bits);
        })
    };
    sound(AudioCodec::Opus, 48000, 8, Some(2_000_000)).unwrap();
    sound(AudioCodec::Aac, 44100, 8, None).unwrap();
    for (rate, channels, bits) in [(44100, 2, None), (48000, 9, None), (48000, 2, Some(512_001))] {
        let answer = sound(AudioCodec::Opus, rate, channels, bits);
        assert!(matches!(answer, Err(MediaError::UnsupportedPlan { .. })), "{answer:?}");
    }
}
