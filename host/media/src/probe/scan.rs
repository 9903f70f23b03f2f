//! Packet times, read without decoding.

use std::collections::BTreeMap;

/// What is known of a stream's packets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Presentation times at the beginning of the stream without gaps, in order.
    pub(crate) head: Vec<i64>,
    /// The first packet, be it presented or not.
    pub(crate) first: Option<First>,
    /// Where the last packet ends, with what it says about its own length.
    pub(crate) last: Option<Last>,
    /// Whether the container tells decode times alone. Frames are then presented in the same
    /// rhythm, but later by what the decoder holds back.
    pub(crate) by_decode_time: bool,
}

/// The packet that comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct First {
    /// When it begins.
    pub(crate) pts: i64,
    /// Whether decoding can start with it.
    pub(crate) is_sync: bool,
}

/// The packet that is presented last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Last {
    /// When it begins.
    pub(crate) pts: i64,
    /// How long it lasts; the container need not say.
    pub(crate) duration: Option<i64>,
}

/// Reads lines of `stream_index,pts,dts,duration,flags`. The first `head` of them are in one
/// piece with the beginning of the file; all are if there are not more.
pub(crate) fn parse(lines: &str, head: usize) -> BTreeMap<u32, Extent> {
    let mut extents = BTreeMap::<u32, Extent>::new();
    for (number, line) in lines.lines().enumerate() {
        let Some(packet) = Line::parse_any(line) else { continue };
        let extent = extents.entry(packet.stream).or_default();
        let first = First { pts: packet.pts, is_sync: packet.is_sync };
        extent.first.get_or_insert(first);
        if packet.is_discarded {
            continue;
        }
        extent.by_decode_time |= packet.by_decode_time;
        if number < head {
            extent.head.push(packet.pts);
        }
        let last = Last { pts: packet.pts, duration: packet.duration };
        if extent.last.is_none_or(|known| known.pts <= last.pts) {
            extent.last = Some(last);
        }
    }
    for extent in extents.values_mut() {
        extent.head.sort_unstable();
    }
    extents
}

/// One packet.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) stream: u32,
    pub(crate) pts: i64,
    pub(crate) duration: Option<i64>,
    pub(crate) is_sync: bool,
    by_decode_time: bool,
    /// Whether it is only decoded: it lies before or behind an edit.
    is_discarded: bool,
}

impl Line {
    /// None for what is no packet, has no time or is not presented.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        Self::parse_any(line).filter(|packet| !packet.is_discarded)
    }

    fn parse_any(line: &str) -> Option<Self> {
        let mut fields = line.split(',');
        let stream = fields.next()?.parse().ok()?;
        let (pts, dts) = (fields.next()?.parse().ok(), fields.next()?.parse().ok());
        let duration = fields.next()?.parse().ok().filter(|duration| *duration > 0);
        let flags = fields.next()?;
        Some(Self {
            stream,
            pts: pts.or(dts)?,
            duration,
            is_sync: flags.contains('K'),
            by_decode_time: pts.is_none(),
            is_discarded: flags.contains('D'),
        })
    }
}
