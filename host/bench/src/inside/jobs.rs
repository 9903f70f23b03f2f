//! What plugins are asked here: an ordinary film of full HD with sound.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;
use stage::model::{
    Anchor, Colour, EncodePlan, Job, Packet, Plan, Rational, Request, Size, Source, SourceAudio,
    SourceVideo, Stage, Track, TrackFormat, Verdict,
};
use stage::{Plugin, Terms};

use crate::Outcome;

const SIZE: Size = Size { width: 1920, height: 1080 };
const COLOUR: Colour = Colour { primaries: 1, transfer: 1, matrix: 1, full_range: false };
const RATE: u32 = 30;
const SAMPLE_RATE: u32 = 48_000;
/// Parameter sets of an H.264 stream, as short as they can be.
const AVC: &[u8] =
    &[1, 0x64, 0, 0x28, 0xff, 0xe1, 0, 4, 0x67, 0x64, 0, 0x28, 1, 0, 4, 0x68, 0xee, 0x3c, 0x80];
/// AAC of low complexity, 48 kHz, two channels.
const AAC: &[u8] = &[0x11, 0x90];
/// VP9 of profile 0 as its `vpcC` box says it.
const VP9: &[u8] = &[1, 0, 0, 0, 0, 40, 0x82, 1, 1, 1, 0, 0];
/// The head of an Opus stream: two channels, 312 samples to skip.
const OPUS: &[u8] =
    &[b'O', b'p', b'u', b's', b'H', b'e', b'a', b'd', 1, 2, 0x38, 1, 0x80, 0xbb, 0, 0, 0, 0, 0];

/// A job, and what the encode stage makes of it.
pub(super) async fn planned(encode: &Plugin) -> Outcome<(Job, EncodePlan)> {
    let video = SourceVideo {
        id: 0,
        codec: "avc1.640028".to_owned(),
        display_size: SIZE,
        display_aspect: Rational { numerator: 16, denominator: 9 },
        frame_rate: Rational { numerator: RATE, denominator: 1 },
        constant_frame_rate: true,
        colour: COLOUR,
    };
    let audio =
        SourceAudio { id: 1, codec: "mp4a.40.2".to_owned(), sample_rate: SAMPLE_RATE, channels: 2 };
    let source = Source { video: vec![video], audio: vec![audio], tags: BTreeMap::new() };
    let request = Request {
        container: "mp4".to_owned(),
        bounds: SIZE,
        watermark_text: Some("CONFIDENTIAL".to_owned()),
        watermark_image: None,
        watermark_anchor: Anchor { x: 1.0, y: 1.0 },
        approval_required: true,
    };
    let job = Job {
        source: Arc::new(source),
        request: Arc::new(request),
        parameters: encode.check_parameters(&Value::Null)?,
        encode_plan: None,
    };
    match encode.start(Stage::Encode, &job, &Terms::default()).await?.verdict {
        Verdict::Ready(Plan::Encode(plan)) => Ok((job, plan)),
        other => Err(format!("the encode stage did not decide: {other:?}").into()),
    }
}

/// The same job for a muxer and its container.
pub(super) fn into_container(job: &Job, container: &str, plugin: &Plugin) -> Outcome<Job> {
    let request = Request { container: container.to_owned(), ..(*job.request).clone() };
    let parameters = plugin.check_parameters(&Value::Null)?;
    Ok(Job { request: Arc::new(request), parameters, ..job.clone() })
}

/// The two tracks of a film that is so long.
pub(super) fn tracks(container: &str, seconds: u32) -> Vec<Track> {
    let webm = container == "webm";
    let (video, audio) = if webm { (VP9, OPUS) } else { (AVC, AAC) };
    let (video_name, audio_name) =
        if webm { ("vp09.00.40.08", "opus") } else { ("avc1.640028", "mp4a.40.2") };
    let track = |codec: &str, timescale: u32, config: &[u8], priming: u64, format| Track {
        codec: codec.to_owned(),
        timescale,
        codec_config: config.to_vec(),
        start: 0,
        priming,
        duration: u64::from(timescale) * u64::from(seconds),
        language: None,
        format,
    };
    let priming = if webm { 312 } else { 1024 };
    vec![
        track(video_name, RATE * 512, video, 0, TrackFormat::Video { size: SIZE, colour: COLOUR }),
        track(
            audio_name,
            SAMPLE_RATE,
            audio,
            priming,
            TrackFormat::Audio { sample_rate: SAMPLE_RATE, channels: 2 },
        ),
    ]
}

/// All packets of such a film by decode time.
pub(super) fn packets(tracks: &[Track], seconds: u32, data: &Bytes) -> Vec<Packet> {
    let mut timed: Vec<(f64, Packet)> = Vec::new();
    for (number, track) in (0..).zip(tracks) {
        let video = matches!(track.format, TrackFormat::Video { .. });
        let duration = if video { track.timescale / RATE } else { 960 };
        let count = track.timescale.saturating_mul(seconds) / duration;
        for nth in 0..count {
            let time = i64::from(nth) * i64::from(duration);
            let packet = Packet {
                track: number,
                pts: time,
                dts: time,
                duration,
                is_sync: !video || nth % 120 == 0,
                data: data.clone(),
            };
            timed.push((time as f64 / f64::from(track.timescale), packet));
        }
    }
    timed.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    timed.into_iter().map(|(_, packet)| packet).collect()
}
