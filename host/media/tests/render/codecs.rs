//! Every encoder, judged by an independent decoder.

use media::{
    AudioCodec, Composition, Input, MediaError, RateControl, Source, TrackFormat, TrackPlan,
    VideoCodec,
};

use crate::support::{Made, Rendered, as_it_is, engine, ffmpeg};

/// Two seconds of 320×240, and of sound that begins after half a second.
fn film(name: &str, channels: &str) -> Made {
    let sound =
        format!("sine=d=2:r=48000,volume=0:enable='lt(t,0.5)',aformat=channel_layouts={channels}");
    let picture = "testsrc2=s=320x240:r=25:d=2";
    let sources = ["-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", &sound];
    Made::new(name, &[&sources[..], &["-c:v", "ffv1", "-c:a", "pcm_s16le"]].concat())
}

/// The source as it is in other codecs.
fn plan(source: &Source, video: VideoCodec, sound: AudioCodec, rate: RateControl) -> Composition {
    let mut plan = as_it_is(source, rate);
    for track in &mut plan.tracks {
        match track {
            TrackPlan::Video { codec, keyframe_interval, .. } => {
                (*codec, *keyframe_interval) = (video, 20);
            }
            TrackPlan::Audio { codec, .. } => *codec = sound,
        }
    }
    plan
}

/// The track as an IVF file: what an independent decoder reads.
fn ivf(rendered: &Rendered, kind: &[u8; 4]) -> Vec<u8> {
    let packets: Vec<_> = rendered.of_track(0).collect();
    let mut file = [&b"DKIF\0\0 \0"[..], kind, &[64, 1, 240, 0]].concat();
    file.extend(25_u32.to_le_bytes());
    file.extend(1_u32.to_le_bytes());
    file.extend(u32::try_from(packets.len()).unwrap().to_le_bytes());
    file.extend([0; 4]);
    for (number, packet) in (0_u64..).zip(packets) {
        file.extend(u32::try_from(packet.data.len()).unwrap().to_le_bytes());
        file.extend(number.to_le_bytes());
        file.extend(&packet.data[..]);
    }
    file
}

/// The decoded pictures of a track, planar 4:2:0.
fn decoded(rendered: &Rendered, kind: &[u8; 4]) -> Vec<u8> {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("track.ivf");
    std::fs::write(&path, ivf(rendered, kind)).unwrap();
    let path = path.to_str().unwrap();
    ffmpeg(&["-i", path, "-fps_mode", "passthrough", "-pix_fmt", "yuv420p", "-f", "rawvideo", "-"])
}

/// The pictures of the source, by the conversion of a run.
fn original(made: &Made) -> Vec<u8> {
    let scale = "scale=flags=bicubic+accurate_rnd+full_chroma_int:in_color_matrix=bt601:\
                 in_range=tv:out_color_matrix=bt709:out_range=tv,format=yuv420p";
    let path = made.path.to_str().unwrap();
    ffmpeg(&["-i", path, "-map", "0:v", "-vf", scale, "-f", "rawvideo", "-"])
}

/// The mean distance of two samples.
fn distance(one: &[u8], other: &[u8]) -> f64 {
    assert_eq!(one.len(), other.len());
    let sum: u64 = one.iter().zip(other).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / one.len() as f64
}

#[tokio::test]
async fn pictures_come_back() {
    let made = film("film.mkv", "mono");
    let original = original(&made);
    for (codec, kind, begins) in
        [(VideoCodec::Vp9, b"VP90", "vp09.00."), (VideoCodec::Av1, b"AV01", "av01.0.")]
    {
        let coded = |rate| move |s: &Source| plan(s, codec, AudioCodec::Opus, rate);
        let usual = Rendered::of(&made.path, coded(RateControl::Default)).await;
        let track = &usual.tracks[0];
        assert!(track.codec.starts_with(begins) && track.codec.ends_with(".08"), "{}", track.codec);
        // The version of vpcC is 1; marker and version of av1C are 0x81.
        let first = if codec == VideoCodec::Vp9 { 1 } else { 0x81 };
        assert_eq!(track.codec_config[0], first);
        assert_eq!(usual.of_track(0).filter(|packet| packet.is_sync).count(), 3, "{codec:?}");
        assert_eq!(usual.summary.damage, None);
        let there = distance(&decoded(&usual, kind), &original);
        assert!(there < 6.0, "{codec:?}: {there}");
        let worse = Rendered::of(&made.path, coded(RateControl::ConstantQuality(55.0))).await;
        assert!(worse.summary.bytes < usual.summary.bytes, "{codec:?}");
    }
}

#[tokio::test]
async fn vp9_without_loss_is_exact() {
    let made = film("film.mkv", "mono");
    let lossless = |s: &Source| plan(s, VideoCodec::Vp9, AudioCodec::Opus, RateControl::Lossless);
    let rendered = Rendered::of(&made.path, lossless).await;
    assert!(decoded(&rendered, b"VP90") == original(&made), "the pictures differ");
}

#[tokio::test]
async fn opus_says_what_comes_before_it() {
    for (channels, layout, family) in
        [(1, "mono", 0), (2, "stereo", 0), (4, "4.0", 1), (6, "5.1", 1), (8, "7.1", 1)]
    {
        let made = film("film.mkv", layout);
        let opus = |s: &Source| plan(s, VideoCodec::H264, AudioCodec::Opus, RateControl::Default);
        let rendered = Rendered::of(&made.path, opus).await;
        let track = &rendered.tracks[1];
        assert_eq!(track.format, TrackFormat::Audio { sample_rate: 48000, channels });
        assert_eq!((track.codec.as_str(), track.timescale, track.start), ("opus", 48000, 0));
        let config = &track.codec_config;
        assert_eq!((u32::from(config[1]), config[10]), (channels, family), "{layout}");
        assert_eq!(u64::from(u16::from_be_bytes([config[2], config[3]])), track.priming);
        assert!(track.priming > 0);
        let last = rendered.of_track(1).last().unwrap();
        let end = last.pts + i64::from(last.duration);
        assert!((96_000..98_000).contains(&end), "{layout}: {end}");
    }
}

#[tokio::test]
async fn opus_keeps_sound_in_its_place() {
    let made = film("film.mkv", "mono");
    let opus = |s: &Source| plan(s, VideoCodec::H264, AudioCodec::Opus, RateControl::Default);
    let rendered = Rendered::of(&made.path, opus).await;
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("track.ogg");
    std::fs::write(&path, ogg(&rendered)).unwrap();
    // The decoder leaves out what the head says.
    let pcm = ffmpeg(&["-i", path.to_str().unwrap(), "-f", "s16le", "-"]);
    let samples = pcm.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    let onset = samples.into_iter().position(|sample| sample.abs() > 500).unwrap();
    let seconds = onset as f64 / 48000.0;
    // The filter that silences works on 1024 samples at once: 24 of them are half a second.
    assert!((seconds - 0.512).abs() < 0.005, "the tone begins at {seconds}");
}

/// The sound of one channel as an Ogg stream (RFC 3533, RFC 7845).
fn ogg(rendered: &Rendered) -> Vec<u8> {
    let config = &rendered.tracks[1].codec_config;
    let pre_skip = u16::from_be_bytes([config[2], config[3]]);
    let mut head = b"OpusHead\x01\x01".to_vec();
    head.extend(pre_skip.to_le_bytes());
    head.extend(48000_u32.to_le_bytes());
    head.extend([0, 0, 0]);
    let tags = b"OpusTags\0\0\0\0\0\0\0\0".to_vec();
    let mut file = page(&head, 0, 0);
    file.extend(page(&tags, 1, 0));
    for (number, packet) in (2..).zip(rendered.of_track(1)) {
        let end = packet.pts + i64::from(packet.duration) + i64::from(pre_skip);
        file.extend(page(&packet.data, number, end));
    }
    file
}

fn page(packet: &[u8], number: u32, position: i64) -> Vec<u8> {
    let mut page = b"OggS\0".to_vec();
    page.push(if number == 0 { 2 } else { 0 });
    page.extend(position.to_le_bytes());
    page.extend(7_u32.to_le_bytes());
    page.extend(number.to_le_bytes());
    page.extend([0; 4]);
    let full = packet.len() / 255;
    page.push(u8::try_from(full + 1).unwrap());
    page.extend(vec![255; full]);
    page.push(u8::try_from(packet.len() % 255).unwrap());
    page.extend(packet);
    let mut sum = 0_u32;
    for byte in &page {
        sum ^= u32::from(*byte) << 24;
        for _ in 0..8 {
            sum = if sum >> 31 == 1 { sum << 1 ^ 0x04c1_1db7 } else { sum << 1 };
        }
    }
    page[22..26].copy_from_slice(&sum.to_le_bytes());
    page
}

#[tokio::test]
async fn what_a_codec_does_not_know_is_refused_before_anything_starts() {
    let made = film("film.mkv", "mono");
    let engine = engine().await;
    let input = Input::open(&made.path).unwrap();
    let source = engine.probe(&input).await.unwrap();
    let mut slow = plan(&source, VideoCodec::Vp9, AudioCodec::Opus, RateControl::Default);
    let TrackPlan::Audio { sample_rate, .. } = &mut slow.tracks[1] else { panic!() };
    *sample_rate = 44100;
    let exact = plan(&source, VideoCodec::Av1, AudioCodec::Opus, RateControl::Lossless);
    for plan in [slow, exact] {
        let started = engine.run(&input, &source, &plan, made.path.parent().unwrap()).await;
        assert!(matches!(started, Err(MediaError::UnsupportedPlan { .. })), "{started:?}");
    }
}
