//! mp4 and mov, with `re_mp4`.

use std::path::Path;

use re_mp4::{Mp4, StsdBoxContent, TrakBox};

use super::{Colour, Film, Packet, Track};
use crate::judge;

/// Reads a file, and demands that every sample lies in it.
#[track_caller]
pub fn read(file: &Path) -> Film {
    let bytes = std::fs::read(file).unwrap();
    let read = Mp4::read_bytes(&bytes).unwrap();
    let boxes = judge::boxes(file);
    let place = |name: &str| boxes.iter().position(|found| found == name).unwrap();
    let clock = read.moov.mvhd.timescale as f64;
    let tracks = read.moov.traks.iter().map(|trak| track(&read, trak, &bytes)).collect();
    Film {
        kind: read.ftyp.major_brand.to_string(),
        duration: Some(read.moov.mvhd.duration as f64 / clock),
        index_first: place("moov") < place("mdat"),
        tracks,
    }
}

#[track_caller]
fn track(read: &Mp4, trak: &TrakBox, bytes: &[u8]) -> Track {
    let id = trak.tkhd.track_id;
    let timescale = f64::from(trak.mdia.mdhd.timescale);
    let packets = read.tracks()[&id]
        .samples
        .iter()
        .map(|sample| {
            assert!(sample.offset + sample.size <= bytes.len() as u64, "a sample lies in the file");
            Packet {
                time: sample.composition_timestamp as f64 / timescale,
                key: sample.is_sync,
                bytes: usize::try_from(sample.size).unwrap(),
            }
        })
        .collect();
    let (starts, codec_delay) = edits(trak, read.moov.mvhd.timescale.into());
    let mut track = Track {
        codec: String::new(),
        size: None,
        colour: None,
        sound: None,
        codec_config_bytes: 0,
        starts,
        codec_delay,
        seek_pre_roll: None,
        default_duration: None,
        packets,
    };
    match &trak.mdia.minf.stbl.stsd.contents {
        StsdBoxContent::Avc1(entry) => {
            track.codec = "avc1".to_owned();
            track.size = Some((entry.width.into(), entry.height.into()));
            track.codec_config_bytes = entry.avcc.raw.len();
            track.colour = colour(bytes);
        }
        StsdBoxContent::Mp4a(entry) => {
            track.codec = "mp4a".to_owned();
            let rate = f64::from(entry.samplerate.value());
            track.sound = Some((rate, entry.channelcount.into()));
            track.codec_config_bytes = usize::from(entry.esds.is_some());
        }
        other => {
            track.codec = format!("{other:?}").chars().take(40).collect();
            if trak.tkhd.width.value() > 0 {
                track.size =
                    Some((trak.tkhd.width.value().into(), trak.tkhd.height.value().into()));
                track.colour = colour(bytes);
            }
        }
    }
    track
}

/// What the edit list says: seconds before the track begins, and seconds of it that are left out.
#[track_caller]
fn edits(trak: &TrakBox, film_clock: f64) -> (f64, f64) {
    let Some(list) = trak.edts.as_ref().and_then(|edits| edits.elst.as_ref()) else {
        return (0.0, 0.0);
    };
    let mut starts = 0.0;
    for edit in &list.entries {
        // An empty edit has -1 here, in the width of the list's version.
        if edit.media_time == u64::MAX || edit.media_time == u64::from(u32::MAX) {
            starts += edit.segment_duration as f64 / film_clock;
        } else {
            return (starts, edit.media_time as f64 / f64::from(trak.mdia.mdhd.timescale));
        }
    }
    panic!("an edit list that presents nothing");
}

/// The `colr` box, which `re_mp4` does not read: there is at most one in our files.
fn colour(bytes: &[u8]) -> Option<Colour> {
    let at = bytes.windows(8).position(|window| window == b"colrnclx" || window == b"colrnclc")?;
    let number = |place: usize| u8::try_from(u16::from_be_bytes([bytes[place], bytes[place + 1]]));
    let (primaries, transfer, matrix) = (number(at + 8), number(at + 10), number(at + 12));
    // QuickTime's own form knows no full range.
    let full_range = &bytes[at + 4..at + 8] == b"nclx" && bytes[at + 14] & 0x80 != 0;
    Some(Colour {
        primaries: primaries.ok()?,
        transfer: transfer.ok()?,
        matrix: matrix.ok()?,
        full_range,
    })
}
