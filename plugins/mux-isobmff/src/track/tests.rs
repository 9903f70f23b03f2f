use super::*;

use stage_sdk::Size;

const VIDEO: TrackFormat = TrackFormat::Video { size: Size::new(640, 360), colour: Colour::BT709 };
const AUDIO: TrackFormat = TrackFormat::Audio { sample_rate: 48_000, channels: 2 };
const AVCC: [u8; 7] = [1, 100, 0, 30, 0xff, 0xe0, 0];

fn announced(codec: &str, config: &[u8], format: TrackFormat) -> Announced {
    Announced {
        codec: codec.to_owned(),
        timescale: 1000,
        codec_config: config.to_vec(),
        start: 0,
        priming: 0,
        duration: 2000,
        language: None,
        format,
    }
}

fn problem(announced: Announced) -> TrackProblem {
    match Track::new(3, announced, Container::Mp4) {
        Err(MuxError::Track { track: 3, problem }) => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn knows_h264_and_aac_by_their_names() {
    for codec in ["avc1", "avc1.64001e"] {
        let track = Track::new(0, announced(codec, &AVCC, VIDEO), Container::Mp4).unwrap();
        assert!(matches!(track.media, Media::Avc { width: 640, height: 360, .. }));
    }
    for codec in ["mp4a.40", "mp4a.40.2"] {
        let track = Track::new(0, announced(codec, &[0x11, 0x90], AUDIO), Container::Mov).unwrap();
        assert!(matches!(track.media, Media::Aac { channels: 2, .. }));
    }
}

#[test]
fn names_a_codec_it_does_not_know() {
    for codec in ["vp09.00.10.08", "avc3.640028", "avc10", "hvc1", "mp4a.6b", "mp4a", "opus", ""] {
        for container in Container::ALL {
            let error = Track::new(0, announced(codec, &AVCC, VIDEO), container).unwrap_err();
            assert!(
                matches!(&error, MuxError::UnknownCodec { codec: named, .. } if named == codec)
            );
            let text = error.to_string();
            assert!(text.contains(&format!("`{codec}`")) && text.contains(container.name()));
        }
    }
}

#[test]
fn refuses_descriptions_that_cannot_be_right() {
    let avc = |config: &[u8], format| problem(announced("avc1.64001e", config, format));
    assert_eq!(avc(&AVCC, AUDIO), TrackProblem::Format);
    assert_eq!(avc(&AVCC, TrackFormat::Other), TrackProblem::Format);
    assert_eq!(avc(&[0, 0, 0, 1, 0x67, 0, 0], VIDEO), TrackProblem::Config);
    assert_eq!(avc(&[], VIDEO), TrackProblem::Config);
    for width in [0, 65_536] {
        let format = TrackFormat::Video { size: Size::new(width, 360), colour: Colour::BT709 };
        assert_eq!(avc(&AVCC, format), TrackProblem::Size);
    }
    let aac = |config: &[u8], format| problem(announced("mp4a.40.2", config, format));
    let silent = TrackFormat::Audio { sample_rate: 48_000, channels: 0 };
    assert_eq!(aac(&[0x11, 0x90], silent), TrackProblem::Channels);
    assert_eq!(aac(&[0x11], AUDIO), TrackProblem::Config);
    assert_eq!(aac(&[0x11, 0x90], VIDEO), TrackProblem::Format);
    let stopped = Announced { timescale: 0, ..announced("avc1", &AVCC, VIDEO) };
    assert_eq!(problem(stopped), TrackProblem::Timescale);
    let never = Announced { duration: 0, ..announced("avc1", &AVCC, VIDEO) };
    assert_eq!(problem(never), TrackProblem::Duration);
}

#[test]
fn each_container_has_its_own_name_for_jpeg() {
    let new = |codec, config, container| Track::new(0, announced(codec, config, VIDEO), container);
    for (codec, container) in [("jpeg", Container::Mov), ("mp4v.6C", Container::Mp4)] {
        let track = new(codec, &[], container).unwrap();
        assert!(matches!(track.media, Media::Jpeg { width: 640, height: 360, .. }));
        assert!(new(codec, &AVCC, container).is_err(), "it has no configuration");
    }
    for (codec, container) in
        [("jpeg", Container::Mp4), ("mp4v.6C", Container::Mov), ("mp4v.20", Container::Mp4)]
    {
        assert!(matches!(new(codec, &[], container), Err(MuxError::UnknownCodec { .. })));
    }
}
