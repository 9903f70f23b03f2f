use super::*;

const VIDEO: Media = Media::Video { width: 640, height: 360, colour: Colour::BT709 };
const STEREO: Media = Media::Audio { sample_rate: 48_000, channels: 2 };
/// Two channels, 312 samples of delay, 44.1 kHz before encoding, a gain of -2, family 0.
const DOPS: [u8; 11] = [0, 2, 1, 0x38, 0, 0, 0xac, 0x44, 0xff, 0xfe, 0];

fn codec(name: &str, config: &[u8], media: Media) -> Result<Codec, MuxError> {
    Codec::new(0, name, config, Some(media), 312)
}

fn problem(name: &str, config: &[u8], media: Option<Media>) -> TrackProblem {
    match Codec::new(0, name, config, media, 312) {
        Err(MuxError::Track { problem, .. }) => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_opus_header_says_what_the_box_says() {
    let known = codec("opus", &DOPS, STEREO).unwrap();
    assert_eq!(known.id, "A_OPUS");
    assert_eq!(known.private, b"OpusHead\x01\x02\x38\x01\x44\xac\0\0\xfe\xff\0");
    assert_eq!(codec("Opus", &DOPS, STEREO).unwrap(), known);
}

#[test]
fn the_channel_mapping_of_surround_sound_is_passed_on() {
    let mut dops = DOPS.to_vec();
    (dops[1], dops[10]) = (6, 1);
    dops.extend([4, 2, 0, 4, 1, 2, 3, 5]);
    let surround = Media::Audio { sample_rate: 48_000, channels: 6 };
    let known = codec("opus", &dops, surround).unwrap();
    assert_eq!(known.private[18..], [1, 4, 2, 0, 4, 1, 2, 3, 5]);
    assert_eq!(problem("opus", &dops[..18], Some(surround)), TrackProblem::Config);
    assert_eq!(problem("opus", &dops, Some(STEREO)), TrackProblem::Format);
}

#[test]
fn the_announced_delay_is_what_a_decoder_is_told() {
    let known = Codec::new(0, "opus", &DOPS, Some(STEREO), 3840).unwrap();
    assert_eq!(known.private[10..12], 3840_u16.to_le_bytes());
    let endless = Codec::new(0, "opus", &DOPS, Some(STEREO), 65_536);
    assert!(endless.is_err());
}

#[test]
fn vp9_features_are_taken_from_either_form_of_the_record() {
    let record = [0, 31, 0x82, 1, 1, 1, 0, 0];
    let features = [1, 1, 0, 2, 1, 31, 3, 1, 8, 4, 1, 1];
    let boxed = [&[1, 0, 0, 0][..], &record].concat();
    for config in [&record[..], &boxed] {
        assert_eq!(codec("vp09.00.31.08", config, VIDEO).unwrap().private, features);
    }
    assert!(codec("vp09", &[], VIDEO).unwrap().private.is_empty());
    assert_eq!(problem("vp09", &record[..7], Some(VIDEO)), TrackProblem::Config);
    assert_eq!(problem("vp09", &[9; 8], Some(VIDEO)), TrackProblem::Config);
}

#[test]
fn av1_needs_its_record_and_keeps_it() {
    let record = [0x81, 0, 0x0c, 0, 0x0a, 0x0b];
    assert_eq!(codec("av01.0.04M.08", &record, VIDEO).unwrap().private, record);
    assert_eq!(problem("av01", &[], Some(VIDEO)), TrackProblem::Config);
}

#[test]
fn what_webm_does_not_allow_is_named() {
    for name in ["avc1.64001e", "mp4a.40.2", "hvc1", "vp08", "jpeg", ""] {
        let error = codec(name, &[], VIDEO).unwrap_err();
        assert!(error.to_string().contains(&format!("`{name}`")), "{error}");
    }
}

#[test]
fn a_codec_of_another_kind_than_its_track_is_refused() {
    assert_eq!(problem("opus", &DOPS, Some(VIDEO)), TrackProblem::Format);
    assert_eq!(problem("vp09", &[], Some(STEREO)), TrackProblem::Format);
    assert_eq!(problem("vp09", &[], None), TrackProblem::Format);
}
