use super::*;

fn chunks(samples: &[(i64, u32, bool)]) -> (Vec<u64>, Vec<(u32, u32)>) {
    let mut chunks = Chunks::default();
    let mut offset = 0;
    for (dts, size, follows) in samples.iter().copied() {
        let packet = Packet { track: 0, dts, pts: dts, duration: 1, size, is_sync: true };
        chunks.push(&packet, offset, follows, 100);
        offset += u64::from(size);
    }
    chunks.close();
    (chunks.offsets().to_vec(), chunks.lengths().iter().collect())
}

#[test]
fn neighbours_share_a_chunk_for_half_a_second() {
    let samples: Vec<_> = (0..120).map(|dts| (dts, 3, true)).collect();
    assert_eq!(chunks(&samples), (vec![0, 150, 300], vec![(2, 50), (1, 20)]));
}

#[test]
fn another_track_in_between_ends_a_chunk() {
    let samples = [(0, 3, true), (1, 3, true), (2, 3, false), (3, 3, true)];
    assert_eq!(chunks(&samples), (vec![0, 6], vec![(2, 2)]));
}

#[test]
fn a_chunk_stays_within_a_mebibyte_but_for_a_larger_sample() {
    let mib = 1 << 20;
    let samples =
        [(0, mib - 1, true), (1, 1, true), (2, 1, true), (3, mib + 5, true), (4, 1, true)];
    let expected = vec![0, u64::from(mib), u64::from(mib) + 1, 2 * u64::from(mib) + 6];
    assert_eq!(chunks(&samples), (expected, vec![(1, 2), (3, 1)]));
}

#[test]
fn extreme_times_end_a_chunk_instead_of_overflowing() {
    let samples = [(i64::MIN, 1, true), (i64::MAX, 1, true)];
    assert_eq!(chunks(&samples), (vec![0, 1], vec![(2, 1)]));
}
