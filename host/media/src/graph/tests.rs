use std::sync::Arc;

use proptest::prelude::*;

use super::{Inputs, OverlayInput, Shown, decode_frames, encode_frames, preview, run, timescale};
use crate::composition::{
    AudioCodec, Composition, Overlay, RateControl, TrackPlan, VideoCodec, VideoEncoder,
};
use crate::source::{AudioStream, Source, VideoStream};
use crate::units::{Colour, Point, Rational, Size, Time};

fn ratio(numerator: u32, denominator: u32) -> Rational {
    Rational { numerator, denominator }
}

fn time(ticks: i64, base: u32) -> Time {
    Time { ticks, time_base: ratio(1, base) }
}

/// A source whose every text is `text`.
fn source(text: &str, begin: i64, colour: Colour) -> Source {
    let size = Size { width: 1280, height: 720 };
    Source {
        container: text.into(),
        duration_seconds: 4.0,
        video: vec![VideoStream {
            stream: 0,
            codec: text.into(),
            codec_name: text.into(),
            pixel_format: text.into(),
            coded_size: size,
            sample_aspect: Rational::ONE,
            rotation: 0,
            display_size: size,
            display_aspect: ratio(16, 9),
            frame_rate: ratio(25, 1),
            constant_frame_rate: true,
            colour,
            interlaced: false,
            has_alpha: false,
            frames: None,
            begin: time(begin, 1000),
            end: time(begin.saturating_add(4000), 1000),
            last_frame_open: false,
            coding: Default::default(),
        }],
        audio: vec![AudioStream {
            stream: 1,
            codec: text.into(),
            codec_name: text.into(),
            sample_rate: 44100,
            channels: 2,
            language: Some(text.into()),
            default: true,
            begin: time(begin, 1000),
            end: time(begin.saturating_add(4000), 1000),
            coding: Default::default(),
        }],
        tags: [(text.to_owned(), text.to_owned())].into(),
        ignored: Vec::new(),
    }
}

fn composition(rate: RateControl) -> Composition {
    let overlay = Overlay {
        rgba: Arc::new(vec![0; 4 * 8 * 4]),
        size: Size { width: 8, height: 4 },
        at: Point { x: 600, y: 300 },
    };
    Composition {
        size: Size { width: 640, height: 360 },
        frame_rate: ratio(25, 1),
        colour: Colour::BT709,
        overlays: vec![overlay],
        tracks: vec![
            TrackPlan::Video {
                stream: 0,
                codec: VideoCodec::H264,
                rate,
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
                bit_rate: Some(128_000),
                copy: false,
            },
        ],
    }
}

fn overlay_inputs() -> [OverlayInput; 1] {
    [OverlayInput {
        name: "/proc/self/fd/4".into(),
        size: Size { width: 8, height: 4 },
        at: Point { x: 600, y: 300 },
    }]
}

fn inputs(overlays: &[OverlayInput]) -> Inputs<'_> {
    Inputs { source: "/proc/self/fd/3".into(), demuxer: "mov", max_pixels: 1000, overlays }
}

fn run_args(source: &Source, composition: &Composition) -> Vec<String> {
    run_copying(source, composition, [false, false])
}

fn run_copying(source: &Source, composition: &Composition, copies: [bool; 2]) -> Vec<String> {
    let names = ["pipe:6".to_owned(), "pipe:7".to_owned()];
    run(source, composition, &copies, &inputs(&overlay_inputs()), &"pipe:5".to_owned(), &names)
}

#[test]
fn a_run_is_one_command() {
    let args = run_args(&source("h264", 40, Colour::BT709), &composition(RateControl::Default));
    let expected = "-nostdin -hide_banner -nostats -loglevel level+verbose -copyts \
        -progress pipe:5 -stats_period 0.2 \
        -protocol_whitelist file,pipe -max_pixels 1000 -f mov -i /proc/self/fd/3 \
        -protocol_whitelist file,pipe -f rawvideo -pixel_format yuva420p -video_size 8x4 \
        -framerate 1 -i /proc/self/fd/4 \
        -filter_complex \
        [0:0]setpts=PTS-40,scale=640:360:flags=bicubic+accurate_rnd+full_chroma_int:\
        in_color_matrix=bt709:in_range=tv:out_color_matrix=bt709:out_range=tv,setsar=1,\
        format=yuv420p,fps=25/1:round=near[m0];\
        [m0][1:v]overlay=x=600:y=300:format=yuv420:eof_action=repeat[t0] -map [t0] \
        -c:v libx264 -preset medium -crf 23 -profile:v high -pix_fmt yuv420p -g 250 \
        -color_primaries 1 -color_trc 1 -colorspace 1 -color_range 1 \
        -chroma_sample_location left \
        -fps_mode passthrough -video_track_timescale 12800 -flags:v +bitexact \
        -map_metadata -1 -map_chapters -1 -fflags +bitexact -f mp4 \
        -movflags +empty_moov+default_base_moof -frag_duration 500000 pipe:6 \
        -filter_complex \
        [0:1]asetpts=PTS-1764,aresample=48000:async=1:first_pts=0,\
        aformat=sample_fmts=fltp:sample_rates=48000:channel_layouts=stereo[t1] -map [t1] \
        -c:a aac -b:a 128000 -flags:a +bitexact \
        -map_metadata -1 -map_chapters -1 -fflags +bitexact -f mp4 \
        -movflags +empty_moov+default_base_moof -frag_duration 500000 pipe:7";
    assert_eq!(args.join(" "), expected);
}

#[test]
fn a_framed_run_is_the_same_in_two_commands() {
    let (source, composition) =
        (source("h264", 40, Colour::BT709), composition(RateControl::Default));
    let fused = run_args(&source, &composition).join(" ");
    let names = ["pipe:6".to_owned(), "pipe:7".to_owned()];
    let copies = [false, false];
    let overlays = overlay_inputs();
    let first = decode_frames(&source, &composition, &copies, &inputs(&overlays), &names).join(" ");
    let [frames, progress, output] = ["pipe:3", "pipe:5", "pipe:6"].map(str::to_owned);
    let track = &composition.tracks[0];
    let second = encode_frames(&composition, track, &frames, &progress, &output).join(" ");
    let (raw, encoder) = (
        "-fps_mode passthrough -c:v rawvideo -pix_fmt yuv420p -f rawvideo pipe:6",
        second.split_once("[t0] -map [t0] ").unwrap().1,
    );
    let whole = first.replace(raw, encoder);
    assert_eq!(whole, fused.replace("-progress pipe:5 -stats_period 0.2 ", ""));
    let given = "-nostdin -hide_banner -nostats -loglevel level+error -copyts \
        -progress pipe:5 -stats_period 0.2 \
        -protocol_whitelist file,pipe -f rawvideo -pixel_format yuv420p -video_size 640x360 \
        -framerate 25/1 -i pipe:3 -filter_complex [0:v]setsar=1[t0] -map [t0] -c:v libx264 ";
    assert!(second.starts_with(given), "{second}");
}

#[test]
fn the_preview_goes_through_the_same_graph() {
    let source = source("h264", -40, Colour::BT709);
    let composition = composition(RateControl::Default);
    let args = run_args(&source, &composition);
    let graph = args.iter().find(|arg| arg.ends_with("[t0]")).unwrap();
    let overlays = overlay_inputs();
    let at = time(1960, 1000);
    let shown = Shown { stream: 0, at, seek: Some(at.seconds()) };
    let args = preview(&source, &composition, &inputs(&overlays), &shown);
    let shown = args.iter().find(|arg| arg.ends_with("[t0]")).unwrap();
    let to_rgb = ",scale=flags=bicubic+accurate_rnd+full_chroma_int:in_color_matrix=bt709:\
                  in_range=tv,format=rgb24[t0]";
    let shown =
        shown.replace(",trim=start_pts=2000,showinfo=checksum=0", "").replace(to_rgb, "[t0]");
    assert_eq!(&shown, graph);
    assert!(graph.contains("[0:0]setpts=PTS+40,"));
    // Rounded up, or the sync sample before would be found.
    assert!(args.join(" ").contains("-seek_timestamp 1 -noaccurate_seek -ss 1.960001 "));
}

#[test]
fn lossless_is_without_a_profile_and_quality_never_becomes_it() {
    let source = source("h264", 0, Colour::BT709);
    let lossless = run_args(&source, &composition(RateControl::Lossless)).join(" ");
    assert!(lossless.contains(" -qp 0 -pix_fmt ") && !lossless.contains("-profile"));
    let best = run_args(&source, &composition(RateControl::ConstantQuality(0.0))).join(" ");
    assert!(best.contains(" -crf 1 -profile:v high "));
}

/// The arguments of a run with other encoders.
fn run_with(video: VideoCodec, rate: RateControl, sound: AudioCodec, copies: [bool; 2]) -> String {
    let mut composition = composition(rate);
    if let TrackPlan::Video { codec, .. } = &mut composition.tracks[0] {
        *codec = video;
    }
    if let TrackPlan::Audio { codec, .. } = &mut composition.tracks[1] {
        *codec = sound;
    }
    let names = ["pipe:6".to_owned(), "pipe:7".to_owned()];
    let (overlays, progress) = (overlay_inputs(), "pipe:5".to_owned());
    let source = source("h264", 0, Colour::BT709);
    run(&source, &composition, &copies, &inputs(&overlays), &progress, &names).join(" ")
}

#[test]
fn every_codec_has_its_scale() {
    use RateControl::{ConstantQuality, Default, Lossless};
    let with = |codec, rate| run_with(codec, rate, AudioCodec::Opus, [false, false]);
    let vp9 = with(VideoCodec::Vp9, Default);
    assert!(vp9.contains("-c:v libvpx-vp9 -deadline realtime -cpu-used 5 -row-mt 1"), "{vp9}");
    assert!(vp9.contains("sample_fmts=flt:") && vp9.contains("-c:a libopus -b:a 128000"), "{vp9}");
    assert!(with(VideoCodec::Vp9, ConstantQuality(12.4)).contains(" -crf 12 -b:v 0 "));
    assert!(with(VideoCodec::Vp9, Lossless).contains(" -lossless 1 -pix_fmt "));
    let av1 = with(VideoCodec::Av1, Default);
    assert!(av1.contains("-c:v libsvtav1 -preset "), "{av1}");
    assert!(with(VideoCodec::Av1, ConstantQuality(0.0)).contains(" -crf 1 "));
}

#[test]
fn copied_packets_go_through_no_filter() {
    let copy = |copies| run_with(VideoCodec::H264, RateControl::Default, AudioCodec::Aac, copies);
    let both = copy([true, true]);
    assert!(!both.contains("filter") && !both.contains("-g "), "{both}");
    assert!(both.contains("-map 0:0 -c:v copy -video_track_timescale 12800 "), "{both}");
    assert!(both.contains("-map 0:1 -c:a copy "), "{both}");
    let video = copy([true, false]);
    assert!(video.contains("-c:v copy") && video.contains("-c:a aac"), "{video}");
}

#[test]
fn untagged_colour_is_guessed_by_the_number_of_lines() {
    let mut source = source("h264", 0, Colour::UNSPECIFIED);
    let composition = composition(RateControl::Default);
    assert!(run_args(&source, &composition).join(" ").contains("in_color_matrix=bt709"));
    source.video[0].coded_size = Size { width: 720, height: 576 };
    assert!(run_args(&source, &composition).join(" ").contains("in_color_matrix=bt601"));
    source.video[0].pixel_format = "rgb24".into();
    assert!(!run_args(&source, &composition).join(" ").contains("in_color_matrix"));
}

#[test]
fn a_frame_lasts_whole_ticks() {
    assert_eq!(timescale(ratio(25, 1)), 12800);
    assert_eq!(timescale(ratio(30000, 1001)), 30000);
    assert_eq!(timescale(ratio(45000, 1499)), 45000);
    assert_eq!(timescale(ratio(1, 10)), 16384);
}

/// Every word that may stand in an argument; the rest is numbers.
const WORDS: &str = "nostdin hide_banner nostats loglevel level verbose error copyts progress pipe stats_period \
    protocol_whitelist file max_pixels f mov i proc self fd rawvideo pixel_format video_size \
    x framerate filter_complex v scale flags bicubic accurate_rnd full_chroma_int in_color_matrix \
    in_range out_color_matrix out_range bt709 bt601 fcc smpte240m bt2020 tv pc format yuva420p \
    setpts PTS setsar yuv420p fps round near m o overlay y yuv420 eof_action repeat t map c \
    libx264 preset pix_fmt crf profile high g color_primaries color_trc colorspace color_range chroma_sample_location left \
    fps_mode passthrough video_track_timescale bitexact map_metadata map_chapters fflags mp4 \
    movflags empty_moov default_base_moof frag_duration asetpts aresample async first_pts aformat \
    sample_fmts fltp sample_rates channel_layouts stereo mono aac b a qp bwdif mode send_frame deint interlaced tpad stop stop_mode clone \
    ultrafast superfast veryfast faster fast medium slow slower veryslow placebo \
    libvpx vp9 deadline realtime good cpu used row mt tile columns lossless libsvtav1 copy \
    libopus flt quad";

proptest! {
    #[test]
    fn no_text_reaches_the_arguments(
        text in "[a-z\\[\\];:,'=\\\\ /-]{1,40}",
        begin in any::<i64>(),
        (primaries, transfer, matrix, full_range) in any::<(u8, u8, u8, bool)>(),
        effort in any::<u8>(),
        quality in any::<f32>(),
        rate in (1_u32.., 1_u32..),
        (open, channels) in any::<(bool, u32)>(),
        (codec, sound, copies) in any::<(u8, bool, [bool; 2])>(),
    ) {
        let colour = Colour { primaries, transfer, matrix, full_range };
        let mut source = source(&text, begin, colour);
        source.video[0].last_frame_open = open;
        source.video[0].interlaced = !open;
        let mut composition = composition(RateControl::ConstantQuality(quality));
        composition.frame_rate = ratio(rate.0, rate.1);
        composition.colour = colour;
        if let TrackPlan::Video { effort: given, codec: coded, .. } = &mut composition.tracks[0] {
            *given = effort;
            *coded = [VideoCodec::H264, VideoCodec::Vp9, VideoCodec::Av1][usize::from(codec % 3)];
        }
        if let TrackPlan::Audio { channels: given, codec, .. } = &mut composition.tracks[1] {
            *given = channels;
            *codec = if sound { AudioCodec::Opus } else { AudioCodec::Aac };
        }
        let words: Vec<_> = WORDS.split_whitespace().collect();
        for argument in run_copying(&source, &composition, copies) {
            let tokens = argument.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            for token in tokens.filter(|token| !token.is_empty()) {
                let number = token.bytes().all(|byte| byte.is_ascii_digit());
                let label = token.trim_end_matches(|c: char| c.is_ascii_digit());
                let size = token.split_once('x').is_some_and(|(width, height)| {
                    width.parse::<u32>().is_ok() && height.parse::<u32>().is_ok()
                });
                let known = words.contains(&token) || words.contains(&label) || size;
                prop_assert!(number || known, "{token} in {argument}");
            }
        }
    }
}
