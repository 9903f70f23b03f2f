//! A demuxer that is not ffmpeg.

use std::io::Cursor;

use matroska_demuxer::{Frame, MatroskaFile, TrackType};
use stage_sdk::{Packet, Track, TrackFormat};

use super::clip::{Clip, Written};

/// Opens a file that was written.
pub(crate) fn open(written: &Written) -> MatroskaFile<Cursor<&[u8]>> {
    MatroskaFile::open(Cursor::new(&written.bytes[..])).unwrap()
}

/// When the block of a packet should be, in milliseconds.
pub(crate) fn block_time(track: &Track, packet: &Packet) -> f64 {
    let ticks = packet.pts + (track.start + track.priming).cast_signed();
    ticks as f64 * 1000.0 / f64::from(track.timescale)
}

/// It finds the tracks, and every packet with its bytes at its time.
pub(crate) fn agrees(clip: &Clip, written: &Written) {
    let mut file = open(written);
    assert_eq!(file.ebml_header().doc_type(), "webm");
    assert_eq!(file.info().timestamp_scale().get(), 1_000_000);
    assert_eq!(file.tracks().len(), clip.tracks.len());
    for (entry, track) in file.tracks().iter().zip(&clip.tracks) {
        assert!(!entry.flag_lacing());
        match track.format {
            TrackFormat::Video { size, .. } => {
                let video = entry.video().unwrap();
                assert_eq!(entry.track_type(), TrackType::Video);
                assert_eq!(video.pixel_width().get(), u64::from(size.width));
                assert_eq!(video.pixel_height().get(), u64::from(size.height));
            }
            TrackFormat::Audio { channels, .. } => {
                let audio = entry.audio().unwrap();
                assert_eq!(entry.track_type(), TrackType::Audio);
                assert_eq!(audio.channels().get(), u64::from(channels));
                assert_eq!(audio.sampling_frequency(), 48_000.0);
                assert_eq!(
                    (entry.codec_delay(), entry.seek_pre_roll()),
                    (Some(6_500_000), Some(80_000_000))
                );
            }
            TrackFormat::Other => panic!(),
        }
    }
    let mut frame = Frame::default();
    for (packet, data) in &clip.packets {
        assert!(file.next_frame(&mut frame).unwrap());
        assert_eq!(frame.track, packet.track as u64 + 1);
        assert_eq!(&frame.data, data);
        let exact = block_time(&clip.tracks[packet.track], packet);
        assert!((frame.timestamp as f64 - exact).abs() <= 0.5, "{} at {exact}", frame.timestamp);
        // None for the one in a group.
        assert!(frame.is_keyframe.is_none_or(|key| key == packet.is_sync));
    }
    assert!(!file.next_frame(&mut frame).unwrap());
}
