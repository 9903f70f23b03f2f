//! The judges themselves are right: they read what ffmpeg writes as ffmpeg meant it, and tell
//! good files from bad ones.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use product_tests::film::{self, Colour};
use product_tests::sources::make;
use product_tests::{judge, numbered};

const COLOUR: &str = "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv";

fn webm(dir: &Path, name: &str, more: &str) -> PathBuf {
    let codecs = format!(
        "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 20 -b:v 300k {COLOUR} -c:a libopus -ac 2 {more}"
    );
    numbered::film(dir.join(name), (320, 180), "25", 2, &codecs)
}

#[test]
fn webm_is_read_as_it_was_written() {
    let dir = tempfile::tempdir().unwrap();
    let file = webm(dir.path(), "good.webm", "-cues_to_front 1");
    let film = film::read(&file);
    assert_eq!(film.kind, "webm");
    assert!(film.index_first);
    assert!((film.duration.unwrap() - 2.0).abs() < 0.05, "{film:?}");
    let video = film.video();
    assert_eq!((video.codec.as_str(), video.size), ("V_VP9", Some((320, 180))));
    assert_eq!(video.colour, Some(Colour::HD));
    assert_eq!(video.packets.len(), 50);
    video.is_steady(25.0, 0.001);
    assert!((video.longest_group(2.0) - 0.8).abs() < 0.002, "{}", video.longest_group(2.0));
    let audio = film.audio().unwrap();
    assert_eq!((audio.codec.as_str(), audio.sound), ("A_OPUS", Some((48_000.0, 2))));
    assert!((audio.codec_delay - 312.0 / 48_000.0).abs() < 1e-6, "{}", audio.codec_delay);
    assert_eq!(audio.seek_pre_roll, Some(0.08));
    assert!(audio.codec_config_bytes >= 19);
    assert!(audio.packets.iter().all(|packet| packet.key));
    let probed = judge::probe(&file);
    let packets = judge::number(&judge::stream(&probed, "audio")["nb_read_packets"]);
    assert_eq!(audio.packets.len() as f64, packets);
    let every: Vec<Option<u64>> = (0..50).map(Some).collect();
    assert_eq!(numbered::numbers(&file, 320, 180), every);
}

#[test]
fn an_index_that_is_late_missing_or_wrong_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let late = webm(dir.path(), "late.webm", "");
    assert!(!film::read(&late).index_first);
    let live =
        make(dir.path().join("live.webm"), &format!("-i {} -c copy -live 1", late.display()));
    let live = film::read(&live);
    assert_eq!((live.index_first, live.duration), (false, None));

    let mut bytes = std::fs::read(&late).unwrap();
    // CueClusterPosition of the last CuePoint, as ffmpeg writes it: three bytes or fewer.
    let at = bytes.windows(2).rposition(|pair| pair[0] == 0xf1 && pair[1] & 0xf0 == 0x80).unwrap();
    bytes[at + 2] ^= 1;
    let wrong = dir.path().join("wrong.webm");
    std::fs::write(&wrong, bytes).unwrap();
    assert!(catch_unwind(|| film::read(&wrong)).is_err());
}

#[test]
fn mp4_is_read_as_it_was_written() {
    let dir = tempfile::tempdir().unwrap();
    let codecs = format!(
        "-c:v libx264 -preset veryfast -g 20 {COLOUR} -c:a aac -ac 2 -movflags +faststart+write_colr"
    );
    let file = numbered::film(dir.path().join("good.mp4"), (320, 180), "30000/1001", 2, &codecs);
    let film = film::read(&file);
    assert!(film.index_first);
    let video = film.video();
    assert_eq!((video.codec.as_str(), video.size), ("avc1", Some((320, 180))));
    assert_eq!(video.colour, Some(Colour::HD));
    assert_eq!(video.packets.len(), 60);
    video.is_steady(30_000.0 / 1001.0, 1.0 / 30_000.0);
    assert!(video.packets[0].key && video.longest_group(2.0) < 0.7);
    let audio = film.audio().unwrap();
    assert_eq!((audio.codec.as_str(), audio.sound), ("mp4a", Some((48_000.0, 2))));
    assert!((audio.codec_delay - 1024.0 / 48_000.0).abs() < 1e-6, "{}", audio.codec_delay);

    let slow = make(dir.path().join("slow.mp4"), &format!("-i {} -c copy", file.display()));
    assert!(!film::read(&slow).index_first);
}
