//! Files of gigabytes and of hours, written without their media: only what the plugin writes
//! itself is looked at.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use mux_webm::MuxWebm;
use stage_sdk::{Colour, MuxPlugin, Muxer, Output, Packet, Size, Track, TrackFormat};

use crate::support::{elements, job};

const CLUSTER: [u8; 4] = [0x1f, 0x43, 0xb6, 0x75];

/// What a spool holds of the plugin's own, by position, and how long it is.
#[derive(Default)]
struct Sparse {
    own: BTreeMap<u64, Vec<u8>>,
    length: u64,
}

/// An output whose packets have sizes but no bytes: a packet's data is its size.
#[derive(Clone, Default)]
struct Counting {
    head: Rc<RefCell<Vec<u8>>>,
    clusters: Rc<RefCell<Sparse>>,
}

impl Output for Counting {
    type Spool = Sparse;
    type Data = u32;

    fn write(&mut self, bytes: &[u8]) {
        self.head.borrow_mut().extend_from_slice(bytes);
    }

    fn create_spool(&mut self) -> Sparse {
        Sparse::default()
    }

    fn append_packet(&mut self, spool: &mut Sparse, size: &u32) {
        spool.length += u64::from(*size);
    }

    fn write_spool(&mut self, spool: &mut Sparse, bytes: &[u8]) {
        spool.own.insert(spool.length, bytes.to_vec());
        spool.length += bytes.len() as u64;
    }

    fn patch_spool(&mut self, spool: &mut Sparse, position: u64, bytes: &[u8]) {
        let (start, written) = spool.own.range_mut(..=position).next_back().unwrap();
        let at = usize::try_from(position - start).unwrap();
        written[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn append_spool(&mut self, spool: Sparse) {
        *self.clusters.borrow_mut() = spool;
    }
}

fn write(tracks: Vec<Track>, packets: impl IntoIterator<Item = Packet>) -> (Vec<u8>, Sparse) {
    let output = Counting::default();
    let (head, clusters) = (output.head.clone(), output.clusters.clone());
    let mut muxer = MuxWebm::begin(&job(&[]), tracks, output).unwrap();
    for packet in packets {
        muxer.write(&packet, &packet.size).unwrap();
    }
    muxer.finish().unwrap();
    (head.take(), clusters.take())
}

fn video(timescale: u32, duration: u64) -> Track {
    Track {
        codec: "vp09.00.40.08".to_owned(),
        timescale,
        codec_config: Vec::new(),
        start: 0,
        priming: 0,
        duration,
        language: None,
        format: TrackFormat::Video { size: Size::new(1920, 1080), colour: Colour::BT709 },
    }
}

fn audio(duration: u64) -> Track {
    Track {
        codec: "opus".to_owned(),
        codec_config: vec![0, 2, 1, 0x38, 0, 0, 0xbb, 0x80, 0, 0, 0],
        priming: 312,
        format: TrackFormat::Audio { sample_rate: 48_000, channels: 2 },
        ..video(48_000, duration)
    }
}

fn packet(track: usize, pts: i64, duration: u32, size: u32, is_sync: bool) -> Packet {
    Packet { track, pts, dts: pts, duration, size, is_sync }
}

/// The content of the segment as far as it is the head, and how long all of it is said to be.
fn segment(head: &[u8]) -> (&[u8], u64) {
    let start = head.windows(4).position(|id| id == [0x18, 0x53, 0x80, 0x67]).unwrap() + 4;
    let length = u64::from_be_bytes(head[start..start + 8].try_into().unwrap()) & !(1 << 56);
    (&head[start + 8..], length)
}

#[test]
fn twenty_gigabytes_are_addressed_and_every_length_is_right() {
    let pictures = (0..200).map(|n| packet(0, n, 1, 100_000_000, n % 5 == 0));
    let (head, clusters) = write(vec![video(1, 200)], pictures);
    let (parts, length) = segment(&head);
    assert_eq!(length, parts.len() as u64 + clusters.length);
    assert!(clusters.length > 20_000_000_000);

    // Every cluster reaches to the next.
    let begins: Vec<_> = clusters.own.iter().filter(|(_, own)| own.starts_with(&CLUSTER)).collect();
    assert_eq!(begins.len(), 200, "each picture is larger than a cluster should be");
    for (place, (start, own)) in begins.iter().enumerate() {
        let length = u64::from_be_bytes(own[4..12].try_into().unwrap()) & !(1 << 56);
        let next = begins.get(place + 1).map_or(clusters.length, |(next, _)| **next);
        assert_eq!(*start + 12 + length, next);
    }
    // Every cue leads to a cluster.
    let cues = elements::all(parts, &[0x1c53_bb6b, 0xbb, 0xb7, 0xf1]);
    assert_eq!(cues.len(), 40);
    assert!(cues.last().unwrap().number() > 1 << 34);
    for cue in cues {
        let position = cue.number() - parts.len() as u64;
        assert!(clusters.own[&position].starts_with(&CLUSTER));
    }
}

#[test]
fn three_hours_have_an_index_of_some_kilobytes() {
    let seconds = 3 * 3600;
    let pictures = (0..seconds * 60).map(|n| packet(0, n, 1, 20_000, n % 240 == 0));
    let sound = (0..seconds * 50).map(|n| packet(1, n * 960 - 312, 960, 340, true));
    let mut packets: Vec<_> = pictures.chain(sound).collect();
    packets.sort_by_key(|packet| if packet.track == 0 { packet.dts * 800 } else { packet.dts });
    let duration = seconds.cast_unsigned();
    let tracks = vec![video(60, duration * 60), audio(duration * 48_000)];
    let (head, clusters) = write(tracks, packets);
    assert!(head.len() < 100 << 10, "{} bytes", head.len());
    assert!(clusters.length > 13_000_000_000);
    assert_eq!(elements::all(segment(&head).0, &[0x1c53_bb6b, 0xbb]).len(), 2700);
}

#[test]
fn times_of_hundreds_of_hours_are_kept() {
    let hours = 400;
    let pictures = (0..hours * 3600).map(|n| packet(0, n * 90_000, 90_000, 9, n % 10 == 0));
    let duration = hours.cast_unsigned() * 3600 * 90_000;
    let (head, clusters) = write(vec![video(90_000, duration)], pictures);
    let length = elements::all(segment(&head).0, &[0x1549_a966, 0x4489])[0].content;
    let length = f64::from_be_bytes(length.try_into().unwrap());
    assert_eq!(length, (hours * 3_600_000) as f64);
    let (_, last) = clusters.own.iter().rev().find(|(_, own)| own.starts_with(&CLUSTER)).unwrap();
    let timestamp = elements::children(last)[0].content;
    let timestamp = elements::children(timestamp)[0].number();
    assert!(timestamp > (hours * 3_600_000 - 20_000).cast_unsigned(), "{timestamp}");
}
