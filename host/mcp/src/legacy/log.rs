//! A session's event log. Everything that is sent on a stream is appended here first, and every
//! connection, new or resumed, reads from here: a stream is a tail of the log.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    ops::Bound,
    sync::Arc,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use tokio::{sync::watch, time::Instant};

use crate::{
    clock::Timestamp,
    jsonrpc::RequestId,
    storage::{EventRecord, Place},
};

/// The stream of a session's GET requests.
pub(crate) const STANDALONE: u64 = 0;

/// How many numbers there are for a millisecond.
const PER_MILLI: u64 = 256;
/// How far ahead of the time of day a number may be.
const SLACK: Duration = Duration::from_secs(1);

/// What an event is, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Payload {
    /// The answer to a request became a stream.
    Opened(Opening),
    /// A message, and whether it is the last of its stream.
    Message { text: String, last: bool },
    /// The stream ended without an answer.
    Closed,
}

/// What a stream answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Opening {
    pub(crate) request: RequestId,
    /// It waits for a task, so that another process can go on waiting.
    pub(crate) wait: Option<Wait>,
}

/// A wait for the end of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Wait {
    pub(crate) task: String,
    pub(crate) token: Option<RequestId>,
}

#[derive(Debug)]
struct Entry {
    stream: u64,
    at: Timestamp,
    text: Option<Arc<str>>,
    passing: bool,
    bytes: usize,
}

#[derive(Debug)]
struct Stream {
    finished: bool,
    /// Connections are numbered; only the newest reads.
    generation: u64,
    reader: Option<Reader>,
    /// An event up to this one was dropped before its time.
    lost_up_to: u64,
    /// The task that it waits for.
    serves: Option<String>,
    news: watch::Sender<()>,
}

#[derive(Debug)]
struct Reader {
    position: u64,
    last_read: Instant,
}

/// What a reader finds.
#[derive(Debug, PartialEq)]
pub(crate) enum Next {
    /// The next message.
    Message(u64, Arc<str>),
    /// Nothing yet.
    Wait,
    /// Nothing more on this connection, though the stream may go on.
    Left,
    /// All was read.
    Finished,
}

/// Whether a stream can be read on from a place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Resumable {
    /// It can.
    Yes,
    /// All of it was read.
    Complete,
    /// It is unknown, or what comes next is not kept any more.
    No,
}

/// A session's log in memory. Pure; storing is for its owner to do first.
#[derive(Debug)]
pub(crate) struct Log {
    entries: BTreeMap<u64, Entry>,
    streams: HashMap<u64, Stream>,
    bytes: usize,
    passing: usize,
    last: u64,
    max_bytes: usize,
    max_passing: usize,
}

impl Log {
    pub(crate) fn new(max_bytes: usize, max_passing: usize) -> Self {
        let mut log = Self {
            entries: BTreeMap::new(),
            streams: HashMap::new(),
            bytes: 0,
            passing: 0,
            last: 0,
            max_bytes,
            max_passing,
        };
        log.stream(STANDALONE);
        log
    }

    /// A number that is greater than all before it, those of earlier processes included: they
    /// follow the time of day.
    pub(crate) fn number(&mut self, now: Timestamp) -> u64 {
        self.last = self.last.saturating_add(1).max(now.0.saturating_mul(PER_MILLI));
        self.last
    }

    /// The newest number.
    pub(crate) fn newest(&self) -> u64 {
        self.last
    }

    fn stream(&mut self, id: u64) -> &mut Stream {
        self.streams.entry(id).or_insert_with(|| Stream {
            finished: false,
            generation: 0,
            reader: None,
            lost_up_to: 0,
            serves: None,
            news: watch::Sender::new(()),
        })
    }

    /// Appends an event. Says which stored events are not kept any more because of it.
    pub(crate) fn append(
        &mut self,
        place: Place,
        at: Timestamp,
        payload: Payload,
        passing: bool,
    ) -> Vec<u64> {
        let mut serves = None;
        let (text, last) = match payload {
            Payload::Opened(opening) => {
                serves = opening.wait.map(|wait| wait.task);
                (None, false)
            }
            Payload::Message { text, last } => (Some(Arc::<str>::from(text)), last),
            Payload::Closed => (None, true),
        };
        let bytes = text.as_ref().map_or(0, |text| text.len()).saturating_add(64);
        self.last = self.last.max(place.seq);
        self.bytes = self.bytes.saturating_add(bytes);
        self.passing = self.passing.saturating_add(usize::from(passing));
        let entry = Entry { stream: place.stream, at, text, passing, bytes };
        self.entries.insert(place.seq, entry);
        let stream = self.stream(place.stream);
        stream.finished |= last;
        stream.serves = serves.or(stream.serves.take());
        stream.news.send_replace(());
        self.trim(place.seq)
    }

    /// Takes over what an earlier process stored.
    pub(crate) fn restore(&mut self, events: &[EventRecord]) -> Vec<(u64, Opening)> {
        let mut open = BTreeMap::new();
        for event in events {
            let Ok(payload) = serde_json::from_str::<Payload>(&event.payload) else { continue };
            match &payload {
                Payload::Opened(opening) => {
                    open.insert(event.place.stream, opening.clone());
                }
                Payload::Closed | Payload::Message { last: true, .. } => {
                    open.remove(&event.place.stream);
                }
                Payload::Message { .. } => {}
            }
            self.append(event.place, event.at, payload, false);
        }
        open.into_iter().collect()
    }

    /// Keeps within the bounds; the newest event stays whatever its size.
    fn trim(&mut self, newest: u64) -> Vec<u64> {
        let mut dropped = Vec::new();
        while self.passing > self.max_passing {
            let Some(seq) = self.entries.iter().find(|(_, e)| e.passing).map(|(seq, _)| *seq)
            else {
                break;
            };
            self.remove(seq);
        }
        while self.bytes > self.max_bytes {
            let Some((&seq, _)) = self.entries.first_key_value() else { break };
            if seq == newest {
                break;
            }
            dropped.extend(self.lose(seq));
        }
        dropped
    }

    /// Drops what was written before a moment, and ended streams of which nothing is left.
    pub(crate) fn forget(&mut self, before: Timestamp) -> Vec<u64> {
        let old: Vec<_> =
            self.entries.iter().filter(|(_, e)| e.at < before).map(|(seq, _)| *seq).collect();
        let dropped = old.into_iter().filter_map(|seq| self.lose(seq)).collect();
        let kept: HashSet<_> = self.entries.values().map(|entry| entry.stream).collect();
        self.streams.retain(|id, stream| {
            let over = stream.finished && stream.reader.is_none();
            *id == STANDALONE || !over || kept.contains(id)
        });
        dropped
    }

    /// Drops an event that may not have been read. Says so if it is stored.
    fn lose(&mut self, seq: u64) -> Option<u64> {
        let entry = self.remove(seq)?;
        if let Some(stream) = self.streams.get_mut(&entry.stream)
            && !entry.passing
        {
            stream.lost_up_to = stream.lost_up_to.max(seq);
        }
        (!entry.passing).then_some(seq)
    }

    fn remove(&mut self, seq: u64) -> Option<Entry> {
        let entry = self.entries.remove(&seq)?;
        self.bytes = self.bytes.saturating_sub(entry.bytes);
        self.passing = self.passing.saturating_sub(usize::from(entry.passing));
        Some(entry)
    }

    /// Takes an event back, so that no later connection reads it.
    pub(crate) fn take_back(&mut self, seq: u64) {
        self.remove(seq);
    }

    /// Whether a stream can be read on from an event.
    pub(crate) fn resumable(&self, from: Place, now: Timestamp) -> Resumable {
        let Some(stream) = self.streams.get(&from.stream) else { return Resumable::No };
        // An earlier process may have sent passing events after the newest that is stored.
        if from.seq > self.last.max(now.after(SLACK).0.saturating_mul(PER_MILLI)) {
            return Resumable::No;
        }
        if from.stream == STANDALONE {
            return Resumable::Yes;
        }
        // Opening events carry the number of their stream, and nothing comes before them.
        if from.seq < from.stream || stream.lost_up_to > from.seq {
            return Resumable::No;
        }
        if stream.finished && self.after(from).is_none() {
            return Resumable::Complete;
        }
        Resumable::Yes
    }

    fn after(&self, place: Place) -> Option<(u64, Arc<str>)> {
        self.entries
            .range((Bound::Excluded(place.seq), Bound::Unbounded))
            .filter(|(_, entry)| entry.stream == place.stream)
            .find_map(|(seq, entry)| Some((*seq, Arc::clone(entry.text.as_ref()?))))
    }

    /// A new connection takes the stream over. Its number, and where it hears of news.
    pub(crate) fn attach(&mut self, from: Place, now: Instant) -> (u64, watch::Receiver<()>) {
        let stream = self.stream(from.stream);
        stream.generation = stream.generation.saturating_add(1);
        stream.reader = Some(Reader { position: from.seq, last_read: now });
        // The connection before hears that it is over.
        stream.news.send_replace(());
        (stream.generation, stream.news.subscribe())
    }

    /// Ends the connection of a stream: the given one, or whichever there is. Says whether there
    /// was one.
    pub(crate) fn detach(&mut self, id: u64, generation: Option<u64>) -> bool {
        let Some(stream) = self.streams.get_mut(&id) else { return false };
        if generation.is_some_and(|generation| generation != stream.generation) {
            return false;
        }
        stream.generation = stream.generation.saturating_add(1);
        stream.news.send_replace(());
        stream.reader.take().is_some()
    }

    /// The stream carries what a task asks from now on.
    pub(crate) fn serve(&mut self, id: u64, task: &str) {
        self.stream(id).serves = Some(task.to_owned());
    }

    /// The task whose questions the stream carries.
    pub(crate) fn serves(&self, id: u64) -> Option<String> {
        self.streams.get(&id)?.serves.clone()
    }

    /// Whether a connection has ever read the stream, as far as this process knows.
    pub(crate) fn was_attached(&self, id: u64) -> bool {
        self.streams.get(&id).is_some_and(|stream| stream.generation > 0)
    }

    /// Whether a connection reads the stream.
    pub(crate) fn attached(&self, id: u64) -> bool {
        self.streams.get(&id).is_some_and(|stream| stream.reader.is_some())
    }

    /// The streams that a connection reads.
    pub(crate) fn all_attached(&self) -> Vec<u64> {
        self.streams.iter().filter(|(_, s)| s.reader.is_some()).map(|(id, _)| *id).collect()
    }

    /// Hears when a connection comes to a stream or leaves it, and of every event.
    pub(crate) fn listen(&mut self, id: u64) -> watch::Receiver<()> {
        self.stream(id).news.subscribe()
    }

    /// What comes after a place, for one connection.
    pub(crate) fn next(&mut self, from: Place, generation: u64, now: Instant) -> Next {
        let found = self.after(from);
        let Some(stream) = self.streams.get_mut(&from.stream) else { return Next::Left };
        if stream.generation != generation {
            return Next::Left;
        }
        if stream.lost_up_to > from.seq && from.stream != STANDALONE {
            return Next::Left;
        }
        if let Some(reader) = &mut stream.reader {
            reader.position = from.seq;
            reader.last_read = now;
        }
        match found {
            Some((seq, text)) => Next::Message(seq, text),
            None if stream.finished => Next::Finished,
            None => Next::Wait,
        }
    }

    /// The streams whose connection has left something unread since a moment.
    pub(crate) fn stalled(&self, since: Instant) -> Vec<u64> {
        self.streams
            .iter()
            .filter(|(id, stream)| {
                stream.reader.as_ref().is_some_and(|reader| {
                    reader.last_read < since
                        && self.after(Place { stream: **id, seq: reader.position }).is_some()
                })
            })
            .map(|(id, _)| *id)
            .collect()
    }
}

/// The id of an event as clients see it. It names the stream, so that resuming needs no more.
pub(crate) fn event_id(place: Place) -> String {
    format!("{}-{}", place.stream, place.seq)
}

/// Reads an event id.
pub(crate) fn read_event_id(text: &str) -> Option<Place> {
    let (stream, seq) = text.split_once('-')?;
    let place = Place { stream: stream.parse().ok()?, seq: seq.parse().ok()? };
    (event_id(place) == text).then_some(place)
}

#[cfg(test)]
mod tests;
