use super::*;

fn picture(timestamp: u64, is_sync: bool, size: u32) -> Block {
    Block { track: 1, timestamp, floor: timestamp, size, is_sync, leads: true, discard: 0 }
}

fn sound(floor: u64) -> Block {
    Block {
        track: 2,
        timestamp: floor + 7,
        floor,
        size: 10,
        is_sync: true,
        leads: false,
        discard: 0,
    }
}

/// The timestamps of the clusters that these packets make.
fn clusters(blocks: impl IntoIterator<Item = Block>) -> Vec<u64> {
    let mut clusters = Clusters::default();
    let mut found: Vec<u64> = Vec::new();
    for block in blocks {
        let before = clusters.open;
        clusters.push(&block);
        let open = clusters.open.unwrap();
        assert!(open.timestamp <= block.timestamp, "no time before that of its cluster");
        let continued = before.filter(|before| before.position == open.position);
        assert!(continued.is_none_or(|before| before.last <= block.timestamp), "no time falls");
        if found.last() != Some(&open.timestamp) {
            found.push(open.timestamp);
        }
    }
    found
}

#[test]
fn a_cluster_begins_with_each_picture_at_which_decoding_can_start() {
    let film = (0..100).flat_map(|n| [picture(n * 40, n % 50 == 0, 100), sound(n * 40)]);
    assert_eq!(clusters(film), [0, 2000]);
}

#[test]
fn a_picture_that_is_earlier_than_sound_before_it_begins_a_cluster() {
    let late = [picture(0, true, 9), sound(0), sound(20), picture(25, false, 9), sound(40)];
    assert_eq!(clusters(late), [0, 25]);
}

#[test]
fn a_film_of_nothing_but_such_pictures_has_a_cluster_each_second() {
    assert_eq!(clusters((0..100).map(|n| picture(n * 40, true, 100))), [0, 1000, 2000, 3000]);
}

#[test]
fn long_and_large_clusters_are_ended() {
    let rare = (0..400).map(|n| picture(n * 40, n == 0, 100));
    assert_eq!(clusters(rare), [0, 5040, 10_080, 15_120]);
    let large = (0..10).map(|n| picture(n * 40, n == 0, 3 << 20));
    assert_eq!(clusters(large), [0, 80, 160, 240, 320]);
}

#[test]
fn sound_alone_for_hours_keeps_its_times_within_16_bits() {
    let times = clusters((0..500_000).map(|n| sound(n * 20)));
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] <= LONGEST + 20));
}

#[test]
fn a_cluster_is_told_its_length_when_the_next_begins() {
    let mut clusters = Clusters::default();
    let mut bytes = Vec::new();
    for n in 0..60 {
        let step = clusters.push(&picture(n * 40, n % 50 == 0, 1000));
        if let Some(Length { position, bytes: length }) = step.length {
            assert_eq!((position, n), (4, 50));
            assert_eq!(length, wide_length(bytes.len() as u64 - HEADER));
        }
        bytes.extend_from_slice(step.before);
        bytes.extend([n as u8; 1000]);
        bytes.extend_from_slice(step.after);
    }
    let (last, size, _) = clusters.finish();
    assert_eq!(size, bytes.len() as u64);
    let Length { position, bytes: length } = last.unwrap();
    assert_eq!(&bytes[position as usize - 4..position as usize], ids::CLUSTER.bytes());
    assert_eq!(length, wide_length(size - position - 8));
}

#[test]
fn what_is_thrown_away_at_the_end_makes_a_group_of_a_block() {
    let mut clusters = Clusters::default();
    clusters.push(&picture(0, true, 5));
    let before = clusters.size;
    let step = clusters.push(&Block { discard: 13_500_000, ..sound(0) });
    let (header, rest) = step.before.split_at(4);
    let whole = 2 + 14 + step.after.len() as u8;
    assert_eq!(header, [0xa0, 0x80 | whole, 0xa1, 0x80 | 14]);
    assert_eq!(rest, [0x82, 0, 7, 0]);
    assert_eq!(step.after, [&b"\x75\xa2\x88"[..], &13_500_000_i64.to_be_bytes()].concat());
    assert_eq!(clusters.size - before, 4 + 14 + 11);
}
