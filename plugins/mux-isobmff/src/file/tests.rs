use super::*;
use stage_sdk::{Colour, Size, Track as Announced, TrackFormat};

fn video(timescale: u32, start: u64, duration: u64) -> Track {
    let announced = Announced {
        codec: "avc1.640028".to_owned(),
        timescale,
        codec_config: vec![1, 100, 0, 40, 0xff, 0xe0, 0],
        start,
        priming: 0,
        duration,
        language: None,
        format: TrackFormat::Video { size: Size::new(640, 360), colour: Colour::BT709 },
    };
    Track::new(0, announced, Container::Mp4).unwrap()
}

fn file(tracks: Vec<Track>) -> File {
    File::new(Container::Mp4, tracks, Credits::default()).unwrap()
}

fn packet(track: usize, pts: i64, dts: i64) -> Packet {
    Packet { track, pts, dts, duration: 1, size: 1000, is_sync: true }
}

#[test]
fn the_worst_case_of_a_three_hour_film_is_a_small_part_of_a_guests_memory() {
    let frames = 3 * 3600 * 60;
    let mut file = file(vec![video(60, 0, frames), video(60, 0, frames)]);
    for frame in 0..frames.cast_signed() {
        // No two neighbours alike, and every chunk broken by the other track.
        let pts = frame + 1 - 2 * (frame % 2);
        file.push(&packet(0, pts, frame)).unwrap();
        file.push(&packet(1, pts, frame)).unwrap();
    }
    let tables = |growing: &Growing| growing.samples.memory() + growing.chunks.memory();
    let memory: usize = file.tracks.iter().map(tables).sum();
    assert!(memory < 64 << 20, "{memory} bytes of tables");
    let headers = file.finish().unwrap();
    assert!(headers.capacity() < 64 << 20, "{} bytes of headers", headers.capacity());
}

#[test]
fn refuses_packets_that_it_cannot_place() {
    let mut file = file(vec![video(60, 0, 2)]);
    let error = file.push(&packet(1, 0, 0)).unwrap_err();
    assert_eq!(error.to_string(), "A packet names track 1, which was not announced.");
    file.push(&packet(0, 0, 0)).unwrap();
    let error = file.push(&packet(0, 1, 0)).unwrap_err();
    assert_eq!(error.to_string(), "Track 0 has packets whose decode times do not rise.");
}

#[test]
fn refuses_a_track_that_shows_nothing() {
    let error = File::new(Container::Mp4, Vec::new(), Credits::default()).unwrap_err();
    assert_eq!(error, MuxError::NoTracks);

    let mut silent = file(vec![video(60, 0, 2), video(60, 0, 2)]);
    silent.push(&packet(0, 0, 0)).unwrap();
    let error = silent.finish().unwrap_err();
    assert_eq!(error.to_string(), "Track 1 ended without a packet.");

    let mut late = file(vec![video(60, 0, 2)]);
    late.push(&packet(0, 2, 0)).unwrap();
    let error = late.finish().unwrap_err();
    assert_eq!(error, MuxError::Track { track: 0, problem: TrackProblem::Duration });

    let mut far = file(vec![video(60, u64::MAX, 2)]);
    far.push(&packet(0, 0, 0)).unwrap();
    assert_eq!(far.finish(), Err(MuxError::TooLarge));
}
