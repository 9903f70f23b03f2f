//! Where the elements of a webm file lie, and whether its index tells the truth.

use std::ops::Range;

const EBML: u64 = 0x1A45_DFA3;
const SEGMENT: u64 = 0x1853_8067;
const SEEK_HEAD: u64 = 0x114D_9B74;
const SEEK: u64 = 0x4DBB;
const SEEK_ID: u64 = 0x53AB;
const SEEK_POSITION: u64 = 0x53AC;
const CUES: u64 = 0x1C53_BB6B;
const CUE_POINT: u64 = 0xBB;
const CUE_TIME: u64 = 0xB3;
const CUE_TRACK_POSITIONS: u64 = 0xB7;
const CUE_TRACK: u64 = 0xF7;
const CUE_CLUSTER: u64 = 0xF1;
const CUE_RELATIVE: u64 = 0xF0;
const CLUSTER: u64 = 0x1F43_B675;
const TIMESTAMP: u64 = 0xE7;
const SIMPLE_BLOCK: u64 = 0xA3;
const BLOCK_GROUP: u64 = 0xA0;
const BLOCK: u64 = 0xA1;
const REFERENCE: u64 = 0xFB;

/// One element: its identifier, where it begins, and its contents.
#[derive(Clone, Debug)]
struct Element {
    id: u64,
    at: usize,
    contents: Range<usize>,
}

/// The part of a file that is not its header.
#[derive(Debug)]
pub(super) struct Segment {
    /// Where positions are counted from.
    origin: usize,
    elements: Vec<Element>,
    /// Identifiers and positions that the SeekHead promises.
    seek_head: Vec<(u64, usize)>,
    cues: Vec<Cue>,
    clusters: Vec<Cluster>,
}

#[derive(Debug)]
struct Cue {
    time: u64,
    track: u64,
    /// Position of the cluster.
    cluster: usize,
    /// Position in its contents, if told.
    relative: Option<usize>,
}

#[derive(Debug)]
struct Cluster {
    position: usize,
    /// Track, time and place in the contents of every block where decoding can begin.
    keys: Vec<(u64, u64, usize)>,
}

impl Segment {
    #[track_caller]
    pub(super) fn read(bytes: &[u8]) -> Self {
        let top = children(bytes, 0..bytes.len());
        assert_eq!(top.iter().map(|part| part.id).collect::<Vec<_>>(), [EBML, SEGMENT]);
        let contents = top[1].contents.clone();
        let origin = contents.start;
        let elements = children(bytes, contents);
        let all = |id: u64| elements.iter().filter(move |element| element.id == id);
        let inside = |element: &Element| children(bytes, element.contents.clone());
        let seek_head = all(SEEK_HEAD)
            .flat_map(inside)
            .filter(|element| element.id == SEEK)
            .map(|seek| {
                let fields = Fields { bytes, elements: inside(&seek) };
                (fields.number(SEEK_ID).unwrap(), fields.place(SEEK_POSITION).unwrap())
            })
            .collect();
        let cues = all(CUES)
            .flat_map(inside)
            .filter(|element| element.id == CUE_POINT)
            .map(|point| {
                let fields = Fields { bytes, elements: inside(&point) };
                let positions = fields.only(CUE_TRACK_POSITIONS).unwrap();
                let place = Fields { bytes, elements: inside(positions) };
                Cue {
                    time: fields.number(CUE_TIME).unwrap(),
                    track: place.number(CUE_TRACK).unwrap(),
                    cluster: place.place(CUE_CLUSTER).unwrap(),
                    relative: place.place(CUE_RELATIVE),
                }
            })
            .collect();
        let clusters = all(CLUSTER)
            .map(|cluster| Cluster::read(bytes, origin, cluster, &inside(cluster)))
            .collect();
        Self { origin, elements, seek_head, cues, clusters }
    }

    /// Whether there is an index and it lies before the packets.
    pub(super) fn cues_come_first(&self) -> bool {
        let place = |id| self.elements.iter().position(|element| element.id == id);
        matches!((place(CUES), place(CLUSTER)), (Some(cues), Some(cluster)) if cues < cluster)
    }

    /// Whether decoding can begin at a block of a track.
    pub(super) fn is_key(&self, track: u64, time: u64) -> bool {
        let keys = self.clusters.iter().flat_map(|cluster| &cluster.keys);
        keys.into_iter().any(|key| (key.0, key.1) == (track, time))
    }

    /// Compares the index and the SeekHead with what lies where they point.
    pub(super) fn check_cues(&self) -> Result<(), String> {
        for (id, position) in &self.seek_head {
            let found = self.elements.iter().find(|part| part.at == self.origin + position);
            if found.map(|part| part.id) != Some(*id) {
                return Err(format!("the SeekHead finds no {id:X} at {position}"));
            }
        }
        for cue in &self.cues {
            let Some(cluster) = self.clusters.iter().find(|found| found.position == cue.cluster)
            else {
                return Err(format!("no cluster where the index says: {cue:?}"));
            };
            let key = cluster.keys.iter().find(|key| (key.0, key.1) == (cue.track, cue.time));
            match (key, cue.relative) {
                (None, _) => return Err(format!("decoding cannot begin at {cue:?}")),
                (Some(key), Some(relative)) if key.2 != relative => {
                    return Err(format!("the block is at {}, not at {relative}: {cue:?}", key.2));
                }
                _ => {}
            }
        }
        if self.cues.is_sorted_by_key(|cue| cue.time) {
            Ok(())
        } else {
            Err("the index is not in the order of time".to_owned())
        }
    }
}

impl Cluster {
    fn read(bytes: &[u8], origin: usize, cluster: &Element, inside: &[Element]) -> Self {
        let fields = Fields { bytes, elements: inside.to_vec() };
        let time = fields.number(TIMESTAMP).unwrap();
        let keys = inside.iter().filter_map(|element| {
            let block = match element.id {
                SIMPLE_BLOCK => element.contents.clone(),
                BLOCK_GROUP => {
                    let group = children(bytes, element.contents.clone());
                    if group.iter().any(|part| part.id == REFERENCE) {
                        return None;
                    }
                    group.iter().find(|part| part.id == BLOCK)?.contents.clone()
                }
                _ => return None,
            };
            let (track, length) = coded(&bytes[block.start..], false)?;
            let head = &bytes[block.start + length..];
            let offset = i16::from_be_bytes([head[0], head[1]]);
            // The flag is there in a SimpleBlock only.
            if element.id == SIMPLE_BLOCK && head[2] & 0x80 == 0 {
                return None;
            }
            let at = element.at - cluster.contents.start;
            Some((track, time.checked_add_signed(offset.into())?, at))
        });
        Self { position: cluster.at - origin, keys: keys.collect() }
    }
}

/// The elements in an element, by identifier.
struct Fields<'a> {
    bytes: &'a [u8],
    elements: Vec<Element>,
}

impl Fields<'_> {
    fn only(&self, id: u64) -> Option<&Element> {
        self.elements.iter().find(|element| element.id == id)
    }

    fn number(&self, id: u64) -> Option<u64> {
        let contents = &self.bytes[self.only(id)?.contents.clone()];
        Some(contents.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn place(&self, id: u64) -> Option<usize> {
        self.number(id).map(|number| usize::try_from(number).unwrap())
    }
}

/// The elements of a range, which they must fill.
#[track_caller]
fn children(bytes: &[u8], range: Range<usize>) -> Vec<Element> {
    let mut found = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let (id, id_length) = coded(&bytes[at..range.end], true).expect("an identifier");
        let (size, size_length) = coded(&bytes[at + id_length..range.end], false).expect("a size");
        let start = at + id_length + size_length;
        // A size of ones alone is not known; such an element goes on to the end.
        let unknown = size == (1 << (7 * size_length)) - 1;
        let end = if unknown { range.end } else { start + usize::try_from(size).unwrap() };
        assert!(end <= range.end, "element {id:X} at {at} is longer than what it lies in");
        found.push(Element { id, at, contents: start..end });
        at = end;
    }
    found
}

/// A number whose first byte says by its leading zeros how long it is, and its length; the marker
/// belongs to an identifier, but not to a size.
fn coded(bytes: &[u8], with_marker: bool) -> Option<(u64, usize)> {
    let length = bytes.first()?.leading_zeros() as usize + 1;
    let value = bytes.get(..length).filter(|_| length <= 8)?;
    let value = value.iter().fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
    Some((if with_marker { value } else { value & !(1 << (7 * length)) }, length))
}
