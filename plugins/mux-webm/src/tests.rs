use super::*;
use stage_sdk::{Colour, MemoryOutput, Request, Size, Source, SourceVideo, TrackFormat};

fn job(container: &str) -> Job<NoParameters> {
    let video = SourceVideo::new("avc1", Size::new(640, 360));
    let request = Request::new(container, Size::new(1280, 720));
    Job::new(Source::new(vec![video], vec![]), request, NoParameters {})
}

fn track(codec: &str) -> stage_sdk::Track {
    stage_sdk::Track {
        codec: codec.to_owned(),
        timescale: 25,
        codec_config: Vec::new(),
        start: 0,
        priming: 0,
        duration: 2,
        language: None,
        format: TrackFormat::Video { size: Size::new(640, 360), colour: Colour::BT709 },
    }
}

#[test]
fn plans_the_media_type_of_webm() {
    let plan = MuxPlan { media_type: "video/webm".to_owned() };
    assert_eq!(MuxWebm::start(&job("webm")), Ok(Verdict::Ready(plan)));
}

#[test]
fn refuses_a_container_that_it_does_not_write() {
    let Err(Fault::InvalidField { field, message }) = MuxWebm::start(&job("mp4")) else {
        panic!("mp4 was not refused");
    };
    assert_eq!(field, "output_format");
    assert!(message.contains("`mp4`") && message.ends_with('.'), "{message}");
}

#[test]
fn refuses_a_codec_that_webm_does_not_allow_before_any_packet() {
    let tracks = vec![track("vp09"), track("avc1.64001e")];
    let begun = MuxWebm::begin(&job("webm"), tracks, MemoryOutput::default());
    let Err(Fault::Failed { message }) = begun else { panic!("avc1 was not refused") };
    assert!(message.contains("`avc1.64001e`") && message.contains("webm"), "{message}");
}

#[test]
fn a_packet_that_fails_is_told_at_once_and_nothing_is_written() {
    let output = MemoryOutput::default();
    let bytes = output.bytes();
    let mut muxer = MuxWebm::begin(&job("webm"), vec![track("vp09")], output).unwrap();
    let packet = Packet { track: 0, pts: 0, dts: 0, duration: 1, size: 3, is_sync: true };
    muxer.write(&packet, &vec![1, 2, 3]).unwrap();
    let fault = muxer.write(&packet, &vec![1, 2, 3]).unwrap_err();
    assert!(matches!(fault, Fault::Failed { message } if message.starts_with("Track 0 ")));
    assert!(bytes.borrow().is_empty());
}
