//! All that precedes the clusters: what the file is, what is in it, and where.

mod tracks;

use mux_common::{Credit, Credits};

use crate::cues::Cues;
use crate::ebml::{Id, Writer, ids};
use crate::track::Track;

/// Nanoseconds in a unit of time. WebM asks for milliseconds.
const TIMESTAMP_SCALE: u64 = 1_000_000;
/// Who wrote the file. The same input gives the same file whichever build it was.
const PRODUCT: &str = "video-render-mcp";

/// A finished track.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) track: Track,
    /// How long each picture is shown, where all are shown equally long.
    pub(crate) frame_nanos: Option<u64>,
}

/// Everything that the head says.
pub(crate) struct Head<'a> {
    pub(crate) credits: &'a Credits,
    pub(crate) tracks: &'a [Entry],
    /// The place of the track that the index is of.
    pub(crate) lead: usize,
    pub(crate) cues: &'a Cues,
    /// Bytes of all clusters.
    pub(crate) clusters: u64,
}

impl Head<'_> {
    /// The head tells where everything lies, and what it tells lies behind it. No length in it
    /// depends on a place, so that places are counted from lengths.
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut parts = vec![(ids::INFO, part(|w| self.info(w)))];
        parts.push((ids::TRACKS, part(|w| tracks::write(w, self.tracks))));
        let tags = part(|w| self.tags(w));
        if !tags.is_empty() {
            parts.push((ids::TAGS, tags));
        }
        let lead = tracks::number(self.lead);
        parts.push((ids::CUES, part(|w| self.cues.write(w, lead, 0))));
        let seek_head = length(&part(|w| seek_head(w, 0, &parts)));
        let base =
            parts.iter().fold(seek_head, |sum, (_, bytes)| sum.saturating_add(length(bytes)));
        if let Some((_, cues)) = parts.last_mut() {
            *cues = part(|w| self.cues.write(w, lead, base));
        }

        let mut w = Writer::default();
        document(&mut w);
        w.wide_header(ids::SEGMENT, base.saturating_add(self.clusters));
        self::seek_head(&mut w, seek_head, &parts);
        for (_, bytes) in &parts {
            w.raw(bytes);
        }
        w.finish()
    }

    fn info(&self, w: &mut Writer) {
        let ends = self.tracks.iter().map(|entry| entry.track.clock.end());
        w.master(ids::INFO, |w| {
            w.number(ids::TIMESTAMP_SCALE, TIMESTAMP_SCALE);
            w.float(ids::DURATION, ends.fold(0.0, f64::max));
            for (_, title) in self.credits.iter().filter(|(credit, _)| *credit == Credit::Title) {
                w.text(ids::TITLE, title);
            }
            w.text(ids::MUXING_APP, PRODUCT);
            w.text(ids::WRITING_APP, PRODUCT);
        });
    }

    /// What else the file says about itself in words, by the names of RFC 9559's registry of
    /// tags; nothing if there is nothing to say. The title has a place of its own.
    fn tags(&self, w: &mut Writer) {
        let named = |(credit, text)| match credit {
            Credit::Title => None,
            Credit::Artist => Some(("ARTIST", text)),
            Credit::Copyright => Some(("COPYRIGHT", text)),
        };
        let mut texts = self.credits.iter().filter_map(named).peekable();
        if texts.peek().is_none() {
            return;
        }
        w.master(ids::TAGS, |w| {
            w.master(ids::TAG, |w| {
                w.master(ids::TARGETS, |_| ());
                for (name, text) in texts {
                    w.master(ids::SIMPLE_TAG, |w| {
                        w.text(ids::TAG_NAME, name);
                        w.text(ids::TAG_STRING, text);
                    });
                }
            });
        });
    }
}

/// What kind of document this is. Version 4 has the delays of codecs and the colour, and readers
/// of version 2 can read all the rest.
fn document(w: &mut Writer) {
    w.master(ids::EBML, |w| {
        w.number(ids::EBML_VERSION, 1);
        w.number(ids::EBML_READ_VERSION, 1);
        w.number(ids::EBML_MAX_ID_LENGTH, 4);
        w.number(ids::EBML_MAX_SIZE_LENGTH, 8);
        w.text(ids::DOC_TYPE, "webm");
        w.number(ids::DOC_TYPE_VERSION, 4);
        w.number(ids::DOC_TYPE_READ_VERSION, 2);
    });
}

/// Where each of these parts lies, the first one at `start`.
fn seek_head(w: &mut Writer, start: u64, parts: &[(Id, Vec<u8>)]) {
    w.master(ids::SEEK_HEAD, |w| {
        let mut position = start;
        for (id, bytes) in parts {
            w.master(ids::SEEK, |w| {
                w.binary(ids::SEEK_ID, id.bytes());
                w.wide_number(ids::SEEK_POSITION, position);
            });
            position = position.saturating_add(length(bytes));
        }
    });
}

fn part(fill: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut w = Writer::default();
    fill(&mut w);
    w.finish()
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}
