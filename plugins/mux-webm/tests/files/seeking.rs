//! Whether a reader that seeks lands where it wants.

use std::path::Path;
use std::process::Command;

use crate::support::clip::{Clip, generate};
use crate::support::{elements, probe, reader};

const CLUSTER: u32 = 0x1f43_b675;
const CUES: u32 = 0x1c53_bb6b;
const SIMPLE_BLOCK: u32 = 0xa3;
const SEGMENT: u32 = 0x1853_8067;

fn film(dir: &Path) -> Clip {
    generate(
        dir,
        "-f lavfi -i testsrc2=s=320x180:r=24:d=12 -f lavfi -i sine=d=12:r=48000 \
         -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 36 -c:a libopus",
    )
}

fn key_times(clip: &Clip) -> Vec<f64> {
    let keys = clip.packets.iter().filter(|(packet, _)| packet.track == 0 && packet.is_sync);
    keys.map(|(packet, _)| reader::block_time(&clip.tracks[0], packet)).collect()
}

#[test]
fn every_cue_leads_to_the_picture_that_it_promises() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip = film(dir.path());
    let written = clip.write(&[]);
    let segment = elements::all(&written.bytes, &[SEGMENT])[0].content;
    let parts = elements::children(segment);
    let cues = elements::all(segment, &[CUES, 0xbb]);
    let mut times = Vec::new();
    for cue in &cues {
        let time = elements::all(cue.content, &[0xb3])[0].number();
        let place = |id| elements::all(cue.content, &[0xb7, id])[0].number() as usize;
        assert_eq!(place(0xf7), 1, "the pictures' track");
        let cluster = parts.iter().find(|part| part.position == place(0xf1)).unwrap();
        assert_eq!(cluster.id, CLUSTER);
        let inside = elements::children(cluster.content);
        let block = inside.iter().find(|block| block.position == place(0xf0)).unwrap();
        assert_eq!((block.id, block.content[0], block.content[3]), (SIMPLE_BLOCK, 0x81, 0x80));
        let relative = u64::from(u16::from_be_bytes([block.content[1], block.content[2]]));
        assert_eq!(inside[0].number() + relative, time);
        times.push(time as f64);
    }
    let expected = key_times(&clip);
    assert_eq!(times.len(), expected.len());
    assert!(times.iter().zip(expected).all(|(time, exact)| (time - exact).abs() <= 0.5));
}

/// The times of the blocks of a cluster.
fn block_times(cluster: &elements::Element<'_>) -> Vec<u64> {
    let (mut base, mut times) = (0, Vec::new());
    for element in elements::children(cluster.content) {
        let block = match element.id {
            0xe7 => {
                base = element.number();
                continue;
            }
            0xa0 => elements::children(element.content)[0].content,
            _ => element.content,
        };
        times.push(base + u64::from(u16::from_be_bytes([block[1], block[2]])));
    }
    times
}

#[test]
fn a_picture_at_which_decoding_can_start_begins_a_cluster_and_times_never_fall_in_one() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip = film(dir.path());
    let written = clip.write(&[]);
    let segment = elements::all(&written.bytes, &[SEGMENT])[0].content;
    let clusters = elements::all(segment, &[CLUSTER]);
    let enters = |cluster: &elements::Element<'_>| {
        let first = elements::children(cluster.content)[1];
        (first.content[0], first.content[3]) == (0x81, 0x80)
    };
    assert_eq!(clusters.iter().filter(|found| enters(found)).count(), key_times(&clip).len());
    for cluster in clusters {
        assert!(block_times(&cluster).is_sorted());
    }
}

/// The checksum of the first picture that ffmpeg shows from a time on.
fn picture_at(path: &Path, seconds: f64) -> String {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-ss", &format!("{seconds:.3}"), "-i"])
        .arg(path)
        .args(["-map", "0:v", "-frames:v", "1", "-f", "md5", "-"])
        .output()
        .unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn seeking_shows_the_same_picture_as_in_the_source() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip = film(dir.path());
    let written = clip.write(&[]);
    for seconds in [0.0, 1.49, 1.51, 5.0, 7.77, 11.9] {
        let expected = picture_at(&clip.path, seconds);
        assert_eq!(picture_at(&written.path, seconds), expected, "at {seconds} s");
    }
}

#[test]
fn a_film_in_which_decoding_can_start_everywhere_has_an_index_of_every_picture() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip = generate(
        dir.path(),
        "-f lavfi -i testsrc2=s=320x180:r=25:d=3 -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 1",
    );
    let written = clip.write(&[]);
    let segment = elements::all(&written.bytes, &[SEGMENT])[0].content;
    assert_eq!(elements::all(segment, &[CLUSTER]).len(), 3);
    assert_eq!(elements::all(segment, &[CUES, 0xbb]).len(), 75);
    for seconds in [0.0, 0.92, 1.5, 2.9] {
        assert_eq!(picture_at(&written.path, seconds), picture_at(&clip.path, seconds));
    }
}
