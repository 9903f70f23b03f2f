use std::future::Future;
use std::path::Path;

use bytes::Bytes;
use proptest::prelude::*;

use super::{Buffer, Feeder, Merger};
use crate::MediaError;
use crate::track::{Packet, Track, TrackFormat};

fn track(timescale: u32, start: u64, priming: u64) -> Track {
    Track {
        codec: String::new(),
        timescale,
        codec_config: Vec::new(),
        start,
        priming,
        duration: 0,
        language: None,
        format: TrackFormat::Audio { sample_rate: timescale, channels: 1 },
    }
}

fn packet(track: u32, dts: i64, length: usize) -> Packet {
    let data = Bytes::from(vec![u8::try_from(dts & 0xff).unwrap(); length]);
    Packet { track, pts: dts, dts, duration: 1, is_sync: true, data }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(future)
}

async fn all(mut merger: Merger) -> Vec<(u32, i64)> {
    let mut order = Vec::new();
    while let Some(packet) = merger.next().await.unwrap() {
        assert!(packet.data.iter().all(|byte| *byte == u8::try_from(packet.dts & 0xff).unwrap()));
        order.push((packet.track, packet.dts));
    }
    order
}

#[test]
fn tracks_meet_on_the_common_clock() {
    block_on(async {
        let directory = tempfile::tempdir().unwrap();
        let buffer = Buffer::new(directory.path().into(), 100);
        // Tenths of a second from 0.5 s on, and thirds from 0 on.
        let tracks = [track(10, 5, 0), track(3, 0, 1)];
        let (mut tenths, first) = Feeder::new(&buffer);
        let (mut thirds, second) = Feeder::new(&buffer);
        for dts in -1..3 {
            tenths.push(packet(0, dts, 1)).await.unwrap();
            thirds.push(packet(1, dts, 1)).await.unwrap();
        }
        drop((tenths, thirds));
        let order = all(Merger::new(&tracks, vec![first, second])).await;
        // With the third of priming at 0, 0.33, 0.4, 0.5, 0.6, 0.67, 0.7 and 1 s.
        let expected = [(1, -1), (1, 0), (0, -1), (0, 0), (0, 1), (1, 1), (0, 2), (1, 2)];
        assert_eq!(order, expected);
    });
}

#[test]
fn what_cannot_be_overtaken_does_not_wait() {
    block_on(async {
        let directory = tempfile::tempdir().unwrap();
        let buffer = Buffer::new(directory.path().into(), 100);
        // Sound that begins at 2 s and has not come yet.
        let tracks = [track(25, 0, 0), track(48000, 96000, 1024)];
        let (mut pictures, first) = Feeder::new(&buffer);
        let (sound, second) = Feeder::new(&buffer);
        let mut merger = Merger::new(&tracks, vec![first, second]);
        for dts in 0..60 {
            pictures.push(packet(0, dts, 1)).await.unwrap();
        }
        // Containers put its priming at 2 s, where frame 50 is; of equals the first track goes first.
        for dts in 0..=50 {
            assert_eq!(merger.next().await.unwrap().unwrap().dts, dts);
        }
        let waiting = tokio::time::timeout(std::time::Duration::from_millis(20), merger.next());
        assert!(waiting.await.is_err(), "sound may come before frame 51");
        drop((pictures, sound));
        assert_eq!(all(merger).await.len(), 9);
    });
}

#[test]
fn a_full_disk_is_a_storage_error_that_comes_in_turn() {
    block_on(async {
        let nowhere = Path::new("/nonexistent/spool");
        let buffer = Buffer::new(nowhere.into(), 10);
        let (mut feeder, incoming) = Feeder::new(&buffer);
        feeder.push(packet(0, 0, 10)).await.unwrap();
        let error = feeder.push(packet(0, 1, 10)).await.unwrap_err();
        feeder.fail(error);
        let mut merger = Merger::new(&[track(1, 0, 0)], vec![incoming]);
        assert_eq!(merger.next().await.unwrap().unwrap().dts, 0);
        assert!(matches!(merger.next().await, Err(MediaError::Storage(_))));
    });
}

#[test]
fn a_spool_that_has_been_read_is_used_again() {
    block_on(async {
        let directory = tempfile::tempdir().unwrap();
        let buffer = Buffer::new(directory.path().into(), 0);
        let (mut feeder, incoming) = Feeder::new(&buffer);
        let mut merger = Merger::new(&[track(1, 0, 0)], vec![incoming]);
        for dts in 0..100 {
            feeder.push(packet(0, dts, 1000)).await.unwrap();
            assert_eq!(merger.next().await.unwrap().unwrap().data.len(), 1000);
        }
        assert_eq!(feeder.spooled_bytes(), 1000);
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_order_does_not_depend_on_when_packets_come(
        first in prop::collection::btree_set(-50_i64..200, 0..30),
        second in prop::collection::btree_set(-50_i64..200, 0..30),
        (limit, late) in (0_u64..300, any::<bool>()),
        (start, scale) in (0_u64..40, 1_u32..60),
    ) {
        let tracks = [track(25, start, 0), track(scale, 0, 0)];
        let order = block_on(async {
            let directory = tempfile::tempdir().unwrap();
            let buffer = Buffer::new(directory.path().into(), limit);
            let (mut one, incoming_one) = Feeder::new(&buffer);
            let (mut other, incoming_other) = Feeder::new(&buffer);
            let merger = Merger::new(&tracks, vec![incoming_one, incoming_other]);
            let feed = async {
                if late {
                    tokio::task::yield_now().await;
                }
                for dts in &first {
                    one.push(packet(0, *dts, 10)).await.unwrap();
                }
                tokio::task::yield_now().await;
                for dts in &second {
                    other.push(packet(1, *dts, 10)).await.unwrap();
                }
                drop((one, other));
            };
            tokio::join!(all(merger), feed).0
        });
        let mut expected: Vec<_> = first.iter().map(|dts| (0, *dts)).collect();
        expected.extend(second.iter().map(|dts| (1, *dts)));
        let key = |(number, dts): &(u32, i64)| match number {
            0 => ((dts + i64::try_from(start).unwrap()) * i64::from(scale), 0),
            _ => (dts * 25, 1),
        };
        expected.sort_by_key(key);
        prop_assert_eq!(order, expected);
    }
}
