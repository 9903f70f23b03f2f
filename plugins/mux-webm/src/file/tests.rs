use super::*;
use stage_sdk::{Colour, Size, Track as Announced, TrackFormat};

fn video(timescale: u32, duration: u64) -> Track {
    let announced = Announced {
        codec: "vp09.00.40.08".to_owned(),
        timescale,
        codec_config: Vec::new(),
        start: 0,
        priming: 0,
        duration,
        language: None,
        format: TrackFormat::Video { size: Size::new(640, 360), colour: Colour::BT709 },
    };
    Track::new(0, announced).unwrap()
}

fn sound(duration: u64) -> Track {
    let announced = Announced {
        codec: "opus".to_owned(),
        timescale: 48_000,
        codec_config: vec![0, 2, 1, 0x38, 0, 0, 0xbb, 0x80, 0, 0, 0],
        start: 0,
        priming: 312,
        duration,
        language: None,
        format: TrackFormat::Audio { sample_rate: 48_000, channels: 2 },
    };
    Track::new(1, announced).unwrap()
}

fn file(tracks: Vec<Track>) -> File {
    File::new(tracks, Credits::default()).unwrap()
}

fn packet(track: usize, pts: i64, duration: u32) -> Packet {
    Packet { track, pts, dts: pts, duration, size: 1000, is_sync: true }
}

#[test]
fn the_worst_case_of_a_three_hour_film_is_a_small_part_of_a_guests_memory() {
    let frames: i64 = 3 * 3600 * 60;
    let mut file = file(vec![video(60, frames.cast_unsigned()), sound(48_000)]);
    for frame in 0..frames {
        file.push(&packet(0, frame, 1)).unwrap();
        file.push(&packet(1, frame * 800, 800)).unwrap();
    }
    let (_, head) = file.finish().unwrap();
    assert!(head.len() < 400 << 10, "{} bytes of head", head.len());
}

#[test]
fn sound_is_cut_at_its_promise_whatever_the_last_packet_says() {
    let discards = |duration: u64, packets: &[(i64, u32)]| {
        let mut growing = file(vec![sound(duration)]).tracks.remove(0);
        let blocks = packets.iter().map(|(pts, length)| {
            growing.block(&packet(0, *pts, *length), false).unwrap().discard / 1_000_000
        });
        blocks.collect::<Vec<_>>()
    };
    // Packets of 20 ms after a delay of 6.5 ms.
    assert_eq!(discards(1608, &[(-312, 960), (648, 960)]), [0, 0]);
    assert_eq!(discards(1128, &[(-312, 960), (648, 960)]), [0, 10]);
    assert_eq!(discards(1128, &[(-312, 960), (648, 480)]), [0, 10], "told twice, cut once");
    assert_eq!(discards(648, &[(-312, 960), (648, 960)]), [0, 20], "nothing of it is presented");
    assert_eq!(discards(5000, &[(-312, 960), (648, 960)]), [0, 0], "shorter than promised");
}

#[test]
fn refuses_packets_that_it_cannot_place() {
    let mut file = file(vec![video(60, 2)]);
    let error = file.push(&packet(1, 0, 1)).unwrap_err();
    assert_eq!(error.to_string(), "A packet names track 1, which was not announced.");
    file.push(&packet(0, 0, 1)).unwrap();
    let error = file.push(&packet(0, 0, 1)).unwrap_err();
    assert_eq!(error.to_string(), "Track 0 has packets whose decode times do not rise.");
    let error = super::tests::file(vec![video(60, 2)]).push(&packet(0, -1, 1)).unwrap_err();
    assert_eq!(error.to_string(), "Track 0 has packets that are presented before it begins.");
}

#[test]
fn refuses_a_track_that_shows_nothing() {
    let error = File::new(Vec::new(), Credits::default()).unwrap_err();
    assert_eq!(error, MuxError::NoTracks);
    let mut silent = file(vec![video(60, 2), sound(480)]);
    silent.push(&packet(0, 0, 1)).unwrap();
    let error = silent.finish().unwrap_err();
    assert_eq!(error.to_string(), "Track 1 ended without a packet.");
}

#[test]
fn only_pictures_that_are_shown_equally_long_have_a_duration_of_their_own() {
    let frame_nanos = |track: Track, durations: &[u32]| {
        let mut growing = file(vec![track]).tracks.remove(0);
        let mut pts = 0;
        for duration in durations {
            growing.block(&packet(0, pts, *duration), false).unwrap();
            pts += i64::from(*duration).max(1);
        }
        growing.finish().unwrap().frame_nanos
    };
    assert_eq!(frame_nanos(video(30_000, 9), &[1001, 1001, 1001]), Some(33_366_667));
    assert_eq!(frame_nanos(video(30_000, 9), &[1001, 2002, 1001]), None);
    assert_eq!(frame_nanos(video(30_000, 9), &[0, 0]), None);
    assert_eq!(frame_nanos(sound(2000), &[960, 960]), None);
}
