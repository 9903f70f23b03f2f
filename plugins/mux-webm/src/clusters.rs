//! The clusters: packets in groups that a reader can enter, each packet behind a short header.

use crate::cues::{Cue, Cues};
use crate::ebml::{Writer, ids, wide_length};

/// A cluster that lasts longer than this many milliseconds is ended, so that a player need not
/// read far to find its place.
const LONGEST: u64 = 5000;
/// A cluster that has so many bytes is ended.
const LARGEST: u64 = 5 << 20;
/// A picture at which decoding can start begins a cluster, unless the last one did and is younger
/// than this: a film of nothing but such pictures would otherwise have a cluster for each.
const SHORTEST: u64 = 1000;
/// The identifier of a cluster and its length.
const HEADER: u64 = 4 + 8;

/// A packet as the clusters see it; times are in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// The number of its track in the file, from 1; at most 126.
    pub(crate) track: u8,
    /// Its timestamp.
    pub(crate) timestamp: u64,
    /// A time that no timestamp from here on is before.
    pub(crate) floor: u64,
    /// Its bytes.
    pub(crate) size: u32,
    /// Whether decoding can start at it.
    pub(crate) is_sync: bool,
    /// Whether it belongs to the track by which one seeks.
    pub(crate) leads: bool,
    /// Nanoseconds at its end that are decoded and not presented.
    pub(crate) discard: u64,
}

/// What to do with the collected bytes for one packet: set the length of the cluster before, then
/// write `before`, the packet and `after`.
#[derive(Debug)]
pub(crate) struct Step<'a> {
    pub(crate) length: Option<Length>,
    pub(crate) before: &'a [u8],
    pub(crate) after: &'a [u8],
}

/// The length of a cluster that has ended, and its place in the collected bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Length {
    pub(crate) position: u64,
    pub(crate) bytes: [u8; 8],
}

/// The clusters so far.
#[derive(Debug, Default)]
pub(crate) struct Clusters {
    /// Bytes of all clusters.
    size: u64,
    open: Option<Open>,
    cues: Cues,
    before: Writer,
    after: Writer,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    position: u64,
    timestamp: u64,
    /// The timestamp of its last block.
    last: u64,
    /// Whether it begins with a picture at which decoding can start.
    enters: bool,
}

impl Clusters {
    /// Places the next packet.
    pub(crate) fn push(&mut self, block: &Block) -> Step<'_> {
        self.before.clear();
        self.after.clear();
        let enters = block.leads && block.is_sync;
        let continued = self.open.filter(|open| !self.ends(*open, block, enters));
        let (open, length) = match continued {
            Some(open) => (open, None),
            None => {
                let length = self.close();
                (self.begin(block, enters), length)
            }
        };
        let start = self.size.saturating_add(self.before.len());
        if enters {
            let relative = start.saturating_sub(open.position.saturating_add(HEADER));
            self.cues.push(Cue { time: block.timestamp, cluster: open.position, relative });
        }
        // It fits: a cluster ends long before its times leave 16 bits.
        let relative = block.timestamp.saturating_sub(open.timestamp);
        let relative = i16::try_from(relative).unwrap_or(i16::MAX);
        self.headers(block, relative);
        self.open = Some(Open { last: block.timestamp, ..open });
        self.size = start_of_next(self.size, &self.before, block.size, &self.after);
        Step { length, before: self.before.bytes(), after: self.after.bytes() }
    }

    /// Whether a packet belongs to a new cluster.
    ///
    /// Times never fall within a cluster: browsers refuse one in which they do when a script
    /// hands it to them. Packets come in the order in which they are decoded, and the blocks of
    /// sound are later than that by the codec's delay, so that a picture may follow that is a few
    /// milliseconds earlier.
    fn ends(&self, open: Open, block: &Block, enters: bool) -> bool {
        let age = block.floor.saturating_sub(open.timestamp);
        let reach = block.timestamp.saturating_sub(open.timestamp);
        let size = self.size.saturating_sub(open.position);
        (enters && (!open.enters || age >= SHORTEST))
            || age > LONGEST
            || size > LARGEST
            || reach > i16::MAX.unsigned_abs().into()
            || block.timestamp < open.last
    }

    /// Begins a cluster at a time that none of its packets is before.
    fn begin(&mut self, block: &Block, enters: bool) -> Open {
        let timestamp = block.floor.min(block.timestamp);
        let open = Open { position: self.size, timestamp, last: block.timestamp, enters };
        self.before.wide_header(ids::CLUSTER, 0);
        self.before.number(ids::TIMESTAMP, timestamp);
        open
    }

    /// What comes around a packet. A simple block has no place for what is thrown away at its
    /// end, a group has.
    fn headers(&mut self, block: &Block, relative: i16) {
        // The track as a length is written, the time and the flags.
        const FIXED: u64 = 1 + 2 + 1;
        let content = u64::from(block.size).saturating_add(FIXED);
        let w = &mut self.before;
        if block.discard == 0 {
            w.header(ids::SIMPLE_BLOCK, content);
        } else {
            let discard = i64::try_from(block.discard).unwrap_or(i64::MAX);
            self.after.signed(ids::DISCARD_PADDING, discard);
            let mut inner = Writer::default();
            inner.header(ids::BLOCK, content);
            let whole = inner.len().saturating_add(content).saturating_add(self.after.len());
            w.header(ids::BLOCK_GROUP, whole);
            w.raw(inner.bytes());
        }
        w.raw(&[0x80 | block.track]);
        w.raw(&relative.to_be_bytes());
        // In a group a block that refers to no other is one at which decoding can start.
        let is_key = block.is_sync && block.discard == 0;
        w.raw(&[if is_key { 0x80 } else { 0 }]);
    }

    /// Ends the open cluster.
    fn close(&mut self) -> Option<Length> {
        let Open { position, .. } = self.open.take()?;
        let content = self.size.saturating_sub(position.saturating_add(HEADER));
        Some(Length { position: position.saturating_add(4), bytes: wide_length(content) })
    }

    /// Ends the last cluster: its length, the bytes of all, and the index.
    pub(crate) fn finish(mut self) -> (Option<Length>, u64, Cues) {
        (self.close(), self.size, self.cues)
    }
}

fn start_of_next(start: u64, before: &Writer, size: u32, after: &Writer) -> u64 {
    let headers = before.len().saturating_add(after.len());
    start.saturating_add(headers).saturating_add(size.into())
}

#[cfg(test)]
mod tests;
