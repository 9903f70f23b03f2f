//! webm, with `matroska-demuxer`; the places of elements, which it does not tell, with a walk
//! through them.

mod elements;

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use matroska_demuxer::{
    Frame, MatrixCoefficients, MatroskaFile, Primaries, Range, TrackEntry, TrackType,
    TransferCharacteristics,
};

use self::elements::Segment;
use super::{Colour, Film, Packet, Track};

/// Seconds of a nanosecond, in which most times of the format are given.
const NANO: f64 = 1e-9;

/// Reads a file, and demands that its index is true.
#[track_caller]
pub fn read(file: &Path) -> Film {
    let segment = Segment::read(&std::fs::read(file).unwrap());
    if let Err(fault) = segment.check_cues() {
        panic!("{}: {fault}", file.display());
    }
    let mut read = MatroskaFile::open(BufReader::new(File::open(file).unwrap())).unwrap();
    let tick = read.info().timestamp_scale().get() as f64 * NANO;
    let mut packets: HashMap<u64, Vec<Packet>> = HashMap::new();
    let mut frame = Frame::default();
    while read.next_frame(&mut frame).unwrap() {
        let packet = Packet {
            time: frame.timestamp as f64 * tick,
            // A block in a group has no flag: it tells by what it refers to, which this demuxer
            // does not read.
            key: frame.is_keyframe.unwrap_or_else(|| segment.is_key(frame.track, frame.timestamp)),
            bytes: frame.data.len(),
        };
        packets.entry(frame.track).or_default().push(packet);
    }
    let tracks = read
        .tracks()
        .iter()
        .map(|entry| track(entry, packets.remove(&entry.track_number().get()).unwrap_or_default()));
    let tracks = tracks.collect();
    assert!(packets.is_empty(), "packets of tracks that the file does not describe");
    Film {
        kind: read.ebml_header().doc_type().to_owned(),
        duration: read.info().duration().map(|ticks| ticks * tick),
        index_first: segment.cues_come_first(),
        tracks,
    }
}

fn track(entry: &TrackEntry, mut packets: Vec<Packet>) -> Track {
    let codec_delay = entry.codec_delay().unwrap_or(0) as f64 * NANO;
    let first = packets.iter().map(|packet| packet.time).fold(f64::INFINITY, f64::min);
    for packet in &mut packets {
        packet.time -= first;
    }
    let video = entry.video().filter(|_| entry.track_type() == TrackType::Video);
    let audio = entry.audio().filter(|_| entry.track_type() == TrackType::Audio);
    Track {
        codec: entry.codec_id().to_owned(),
        size: video.map(|video| (video.pixel_width().get(), video.pixel_height().get())),
        colour: video.and_then(|video| video.colour()).and_then(colour),
        sound: audio.map(|audio| (audio.sampling_frequency(), audio.channels().get())),
        codec_config_bytes: entry.codec_private().map_or(0, <[u8]>::len),
        // What the decoder throws away is in front of what is presented.
        starts: if first.is_finite() { first } else { 0.0 },
        codec_delay,
        seek_pre_roll: entry.seek_pre_roll().map(|nanos| nanos as f64 * NANO),
        default_duration: entry.default_duration().map(|nanos| nanos.get() as f64 * NANO),
        packets,
    }
}

/// The numbers of H.273 that are used here; none for the rest.
fn colour(colour: &matroska_demuxer::Colour) -> Option<Colour> {
    Some(Colour {
        primaries: match colour.primaries()? {
            Primaries::Bt709 => 1,
            Primaries::Smpte170 => 6,
            Primaries::Bt2020 => 9,
            _ => return None,
        },
        transfer: match colour.transfer_characteristics()? {
            TransferCharacteristics::Bt709 => 1,
            TransferCharacteristics::Smpte170 => 6,
            _ => return None,
        },
        matrix: match colour.matrix_coefficients()? {
            MatrixCoefficients::Bt709 => 1,
            MatrixCoefficients::Bt470bg => 5,
            MatrixCoefficients::Smpte170 => 6,
            _ => return None,
        },
        full_range: colour.range()? == Range::Full,
    })
}
