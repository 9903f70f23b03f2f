//! Demuxers that are not ffmpeg.

use shiguredo_mp4::boxes::MoovBox;
use shiguredo_mp4::demux::{Input, Mp4FileDemuxer};
use shiguredo_mp4::{Decode, boxes::SampleEntry};
use stage_sdk::{Packet, TrackFormat};

use super::clip::{Clip, Written};

/// The packets of one track and their bytes.
fn packets(clip: &Clip, place: usize) -> impl Iterator<Item = &(Packet, Vec<u8>)> {
    clip.packets.iter().filter(move |(packet, _)| packet.track == place)
}

/// `re_mp4`, which reads both containers, finds every packet and its bytes.
pub(crate) fn lenient_agrees(clip: &Clip, written: &Written) {
    let mp4 = re_mp4::Mp4::read_bytes(&written.bytes).unwrap();
    assert_eq!(mp4.tracks().len(), clip.tracks.len());
    for (place, track) in mp4.tracks().values().enumerate() {
        assert_eq!(track.samples.len(), packets(clip, place).count());
        for (sample, (packet, data)) in track.samples.iter().zip(packets(clip, place)) {
            let at = usize::try_from(sample.offset).unwrap();
            assert_eq!(&written.bytes[at..at + data.len()], data);
            assert_eq!(sample.is_sync, packet.is_sync);
            let reordered = sample.composition_timestamp - sample.decode_timestamp;
            assert_eq!(reordered, packet.pts - packet.dts);
        }
    }
}

/// `shiguredo_mp4`, which refuses what mp4 does not allow, finds every packet, the edits, and the
/// codecs' configurations.
pub(crate) fn strict_agrees(clip: &Clip, written: &Written) {
    let mut demuxer = Mp4FileDemuxer::new();
    while demuxer.required_input().is_some() {
        demuxer.handle_input(Input { position: 0, data: &written.bytes });
    }
    let numbers: Vec<_> = demuxer.tracks().unwrap().iter().map(|track| track.track_id).collect();
    let mut expected: Vec<_> = (0..clip.tracks.len()).map(|place| packets(clip, place)).collect();
    while let Some(sample) = demuxer.next_sample().unwrap() {
        let place = numbers.iter().position(|number| *number == sample.track.track_id).unwrap();
        let (packet, data) = expected[place].next().unwrap();
        let at = usize::try_from(sample.data_offset).unwrap();
        assert_eq!(&written.bytes[at..at + sample.data_size], data);
        assert_eq!(sample.keyframe, packet.is_sync);
    }
    assert!(expected.into_iter().all(|mut rest| rest.next().is_none()));
    headers_agree(clip, written);
}

fn headers_agree(clip: &Clip, written: &Written) {
    let at = written.bytes.windows(4).position(|name| name == b"moov").unwrap();
    let (moov, _) = MoovBox::decode(&written.bytes[at - 4..]).unwrap();
    let movie = u64::from(moov.mvhd_box.timescale.get());
    let mut longest = 0;
    for (place, (trak, track)) in moov.trak_boxes.iter().zip(&clip.tracks).enumerate() {
        let in_movie = |ticks: u64| ticks * movie / u64::from(track.timescale);
        let (first, _) = packets(clip, place).next().unwrap();
        let edits = trak.edts_box.as_ref().unwrap().elst_box.as_ref().unwrap();
        let edits: Vec<_> =
            edits.entries.iter().map(|edit| (edit.edit_duration, edit.media_time)).collect();
        let shown = (in_movie(track.duration), -first.dts);
        let waits = (track.start > 0).then_some((in_movie(track.start), -1));
        assert_eq!(edits, waits.into_iter().chain([shown]).collect::<Vec<_>>());
        let end = in_movie(track.start + track.duration);
        assert_eq!(trak.tkhd_box.duration, end);
        longest = longest.max(end);
        match &trak.mdia_box.minf_box.stbl_box.stsd_box.entries[..] {
            [SampleEntry::Avc1(entry)] => {
                let mut config = vec![0; track.codec_config.len() + 8];
                shiguredo_mp4::Encode::encode(&entry.avcc_box, &mut config).unwrap();
                assert_eq!(config[8..], track.codec_config);
            }
            [SampleEntry::Mp4a(entry)] => {
                let decoder = &entry.esds_box.es.dec_config_descr;
                let config = &decoder.dec_specific_info.as_ref().unwrap().payload;
                assert_eq!(*config, track.codec_config);
                let TrackFormat::Audio { channels, .. } = track.format else { panic!() };
                assert_eq!(u32::from(entry.audio.channelcount), channels);
                assert!(decoder.avg_bitrate > 0 && decoder.avg_bitrate <= decoder.max_bitrate);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(moov.mvhd_box.duration, longest);
}
