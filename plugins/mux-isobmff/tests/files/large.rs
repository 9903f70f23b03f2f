//! Files of gigabytes and of hours, written without their media: only the headers are looked at.

use std::cell::RefCell;
use std::rc::Rc;

use mux_isobmff::MuxIsobmff;
use stage_sdk::{Colour, MuxPlugin, Muxer, Output, Packet, Size, Track, TrackFormat};

use crate::support::{boxes, job};

/// The biggest media data whose box has a 32-bit size.
const SMALL_PAYLOAD: u64 = u32::MAX as u64 - 8;

/// An output whose packets have sizes but no bytes.
#[derive(Clone, Default)]
struct Counting {
    headers: Rc<RefCell<Vec<u8>>>,
}

impl Output for Counting {
    type Spool = ();
    type Data = ();

    fn write(&mut self, bytes: &[u8]) {
        self.headers.borrow_mut().extend_from_slice(bytes);
    }

    fn create_spool(&mut self) {}
    fn append_packet(&mut self, (): &mut (), (): &()) {}
    fn write_spool(&mut self, (): &mut (), _bytes: &[u8]) {}
    fn patch_spool(&mut self, (): &mut (), _position: u64, _bytes: &[u8]) {}
    fn append_spool(&mut self, (): ()) {}
}

fn headers(tracks: Vec<Track>, packets: impl IntoIterator<Item = Packet>) -> Vec<u8> {
    let output = Counting::default();
    let headers = output.headers.clone();
    let mut muxer = MuxIsobmff::begin(&job("mp4", &[]), tracks, output).unwrap();
    for packet in packets {
        muxer.write(&packet, &()).unwrap();
    }
    muxer.finish().unwrap();
    headers.take()
}

fn video(timescale: u32, duration: u64) -> Track {
    Track {
        codec: "avc1.640028".to_owned(),
        timescale,
        codec_config: vec![1, 100, 0, 40, 0xff, 0xe0, 0],
        start: 0,
        priming: 0,
        duration,
        language: None,
        format: TrackFormat::Video { size: Size::new(1920, 1080), colour: Colour::BT709 },
    }
}

fn audio(duration: u64) -> Track {
    Track {
        codec: "mp4a.40.2".to_owned(),
        timescale: 48_000,
        codec_config: vec![0x11, 0x90],
        format: TrackFormat::Audio { sample_rate: 48_000, channels: 2 },
        ..video(48_000, duration)
    }
}

fn packet(track: usize, pts: i64, dts: i64, duration: u32, size: u32) -> Packet {
    Packet { track, pts, dts, duration, size, is_sync: track == 1 || dts % 250 == 0 }
}

/// One picture a second of these sizes, each followed by a byte of sound.
fn slide_show(sizes: &[u32]) -> Vec<u8> {
    let seconds = sizes.len() as u64;
    let packets = (0..).zip(sizes).flat_map(|(second, size)| {
        let sound = second * 48_000;
        [packet(0, second, second, 1, *size), packet(1, sound, sound, 48_000, 1)]
    });
    headers(vec![video(1, seconds), audio(seconds * 48_000)], packets)
}

/// Where the chunks of each track begin.
fn offsets(headers: &[u8], kind: &[u8; 4]) -> Vec<Vec<u64>> {
    let width = if kind == b"co64" { 8 } else { 4 };
    let path: [&[u8; 4]; 6] = [b"moov", b"trak", b"mdia", b"minf", b"stbl", kind];
    let number = |bytes: &[u8]| bytes.iter().fold(0, |n, byte| (n << 8) | u64::from(*byte));
    let tables = boxes::all(headers, &path).into_iter();
    tables.map(|table| table[8..].chunks(width).map(number).collect()).collect()
}

#[test]
fn media_data_up_to_4_gib_has_a_32_bit_size_and_beyond_a_64_bit_one() {
    let half = u32::try_from(SMALL_PAYLOAD / 2).unwrap();
    let rest = u32::try_from(SMALL_PAYLOAD - 2).unwrap() - half;
    let small = slide_show(&[half, rest]);
    assert_eq!(small[small.len() - 8..], *b"\xff\xff\xff\xffmdat");
    let large = slide_show(&[half, rest + 1]);
    assert_eq!(large[large.len() - 16..], *b"\0\0\0\x01mdat\0\0\0\x01\0\0\0\x08");
}

#[test]
fn offsets_are_narrow_to_the_last_one_that_fits_and_wide_from_the_next() {
    let quarter = 1 << 30;
    let probe = slide_show(&[quarter, quarter, quarter, 1]).len() as u64;
    // The last byte of sound is the last chunk; 3 bytes of sound lie before it.
    let last = u32::MAX - 3 * quarter - 3 - u32::try_from(probe).unwrap();
    let narrow = slide_show(&[quarter, quarter, quarter, last]);
    let found = offsets(&narrow, b"stco");
    assert_eq!(found[0][0], narrow.len() as u64, "the first packet follows the headers");
    assert_eq!(found[1].last(), Some(&u64::from(u32::MAX)));

    let wide = slide_show(&[quarter, quarter, quarter, last + 1]);
    assert!(offsets(&wide, b"stco").is_empty(), "one width for the whole file");
    let found = offsets(&wide, b"co64");
    assert_eq!(found.len(), 2);
    let start = wide.len() as u64;
    assert!(start > narrow.len() as u64, "the wider table moves what follows it");
    let quarter = u64::from(quarter);
    let pictures: Vec<_> = (0..4).map(|n| start + n * (quarter + 1)).collect();
    assert_eq!(found[0], pictures);
    assert_eq!(found[1].last(), Some(&(start + 3 * (quarter + 1) + u64::from(last) + 1)));
}

#[test]
fn twenty_gigabytes_are_addressed_as_independent_readers_read_them() {
    let headers = slide_show(&[2_000_000_000; 10]);
    let mp4 = re_mp4::Mp4::read(std::io::Cursor::new(&headers), headers.len() as u64 - 16).unwrap();
    let tracks = mp4.tracks();
    let sample = tracks[&1].samples.last().unwrap();
    assert_eq!(sample.offset, headers.len() as u64 + 9 * 2_000_000_001);
    assert_eq!(sample.size, 2_000_000_000);
}

#[test]
fn sixty_hours_at_a_fine_clock_have_64_bit_times() {
    let (timescale, seconds) = (90_000, 60 * 3600);
    let duration = seconds * u64::from(timescale);
    let mut packets: Vec<_> = (0..seconds.cast_signed())
        .map(|second| second * i64::from(timescale))
        .map(|ticks| packet(0, ticks, ticks, timescale, 9))
        .collect();
    packets.push(packet(1, 0, 0, 48_000, 1));
    let headers = headers(vec![video(timescale, duration), audio(48_000)], packets);
    let paths: [&[&[u8; 4]]; 4] = [
        &[b"moov", b"mvhd"],
        &[b"moov", b"trak", b"tkhd"],
        &[b"moov", b"trak", b"edts", b"elst"],
        &[b"moov", b"trak", b"mdia", b"mdhd"],
    ];
    for path in paths {
        assert_eq!(boxes::find(&headers, path).unwrap()[0], 1, "version of {path:?}");
    }
    let mp4 = re_mp4::Mp4::read(std::io::Cursor::new(&headers), headers.len() as u64 - 8).unwrap();
    assert_eq!(mp4.moov.mvhd.duration, duration);
    assert_eq!(mp4.tracks()[&1].duration, duration);
    assert_eq!(
        mp4.tracks()[&1].samples.last().unwrap().decode_timestamp.cast_unsigned(),
        duration - 90_000
    );
}

#[test]
fn three_hours_at_60_frames_have_an_index_of_a_few_megabytes() {
    let seconds = 3 * 3600;
    let mut packets = Vec::new();
    let frames = seconds * 60;
    for frame in 0..frames {
        // Two of three frames are reordered, as by an encoder with two B-frames.
        let shown = [frame, frame + 2, frame - 1][usize::try_from(frame % 3).unwrap()];
        packets.push(packet(0, shown * 256 + 256, frame * 256, 256, 20_000));
    }
    for number in 0..seconds * 48_000 / 1024 {
        packets.push(packet(1, number * 1024, number * 1024, 1024, 340));
    }
    packets
        .sort_by_key(|packet| packet.dts * 100 / if packet.track == 0 { 15_360 } else { 48_000 });
    let duration = seconds.cast_unsigned();
    let tracks = vec![video(15_360, duration * 15_360), audio(duration * 48_000)];
    let headers = headers(tracks, packets);
    assert!(headers.len() < 32 << 20, "{} bytes", headers.len());
    assert_eq!(offsets(&headers, b"co64").len(), 2);
}
