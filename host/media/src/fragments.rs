//! A reader of the fragmented MP4 that ffmpeg writes to a pipe: one track, bytes as they come.
//!
//! What it reads was written by a process that decoded a file of unknown origin. Lengths are
//! checked before anything is kept, and nothing is kept that has not arrived.

mod boxes;
mod header;
mod samples;

use std::collections::VecDeque;

use bytes::{Buf, Bytes, BytesMut};

pub(crate) use header::Header;

use samples::Pending;

/// The longest `moov` or `moof` that is taken, in bytes. Ours are below 10 KiB.
const BOX_BYTES: u64 = 1 << 20;

/// The longest sample that is taken, in bytes: more than an uncompressed 8K picture.
const SAMPLE_BYTES: u32 = 256 << 20;

/// The stream is not what ffmpeg writes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Malformed(pub(crate) String);

impl Malformed {
    fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

/// What the reader has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The track; comes first and once.
    Header(Header),
    /// A sample of it.
    Sample(Sample),
}

/// A sample with its times in ticks, as written: from an origin of ffmpeg's choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) pts: i64,
    pub(crate) dts: i64,
    pub(crate) duration: u32,
    pub(crate) is_sync: bool,
    pub(crate) data: Bytes,
}

impl Header {
    /// The track of somebody else than ffmpeg.
    pub(crate) fn given(codec: String, timescale: u32, codec_config: Vec<u8>) -> Self {
        Self {
            codec,
            timescale,
            codec_config,
            priming: None,
            default_duration: 0,
            default_size: 0,
            default_sync: false,
        }
    }
}

/// The reader. Give it bytes with [`Reader::push`], take events until there are none.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    buffer: BytesMut,
    state: State,
    header: Option<Header>,
    /// Samples that the last `moof` announced and the `mdat` after it holds.
    pending: VecDeque<Pending>,
}

#[derive(Clone, Copy, Debug, Default)]
enum State {
    /// At the beginning of a box.
    #[default]
    Between,
    /// In a box that is of no interest, with so many bytes to come.
    Skipping(u64),
    /// In an `mdat` whose samples are pending.
    Payload,
}

/// What the next bytes are.
enum Step {
    Event(Event),
    Again,
    NeedMore,
}

impl Reader {
    /// Takes further bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next event, or none until more bytes have come. After an error there is nothing more
    /// to be had.
    pub(crate) fn next(&mut self) -> Result<Option<Event>, Malformed> {
        loop {
            let step = match self.state {
                State::Between => self.begin_box()?,
                State::Skipping(left) => self.skip(left),
                State::Payload => self.sample(),
            };
            match step {
                Step::Event(event) => return Ok(Some(event)),
                Step::NeedMore => return Ok(None),
                Step::Again => {}
            }
        }
    }

    /// Says whether the stream may end here.
    pub(crate) fn finish(&self) -> Result<(), Malformed> {
        let whole = matches!(self.state, State::Between) && self.buffer.is_empty();
        if whole && self.header.is_some() && self.pending.is_empty() {
            Ok(())
        } else {
            Err(Malformed::new("the stream ends within a box"))
        }
    }

    fn begin_box(&mut self) -> Result<Step, Malformed> {
        let Some(head) = BoxHead::read(&self.buffer)? else { return Ok(Step::NeedMore) };
        match &head.kind {
            b"moov" | b"moof" => {
                let Some(bytes) = self.whole_box(&head)? else { return Ok(Step::NeedMore) };
                if &head.kind == b"moof" {
                    return self.fragment(&bytes);
                }
                if self.header.is_some() {
                    return Err(Malformed::new("a second track header"));
                }
                let header = Header::parse(&bytes)?;
                self.header = Some(header.clone());
                Ok(Step::Event(Event::Header(header)))
            }
            b"mdat" => {
                let announced: u64 = self.pending.iter().map(|sample| u64::from(sample.size)).sum();
                if announced != head.payload() {
                    return Err(Malformed::new("sample sizes do not add up to their data"));
                }
                self.buffer.advance(head.length);
                self.state = State::Payload;
                Ok(Step::Again)
            }
            _ => {
                self.state = State::Skipping(head.size);
                Ok(Step::Again)
            }
        }
    }

    /// The bytes of the box at the beginning of the buffer, once they are all there.
    fn whole_box(&mut self, head: &BoxHead) -> Result<Option<Bytes>, Malformed> {
        let size = usize::try_from(head.size).ok().filter(|_| head.size <= BOX_BYTES);
        let size = size.ok_or_else(|| Malformed::new("a header box is too long"))?;
        Ok((self.buffer.len() >= size).then(|| self.buffer.split_to(size).freeze()))
    }

    fn fragment(&mut self, moof: &[u8]) -> Result<Step, Malformed> {
        let header = self.header.as_ref();
        let header = header.ok_or_else(|| Malformed::new("a fragment before its track header"))?;
        if !self.pending.is_empty() {
            return Err(Malformed::new("a fragment without its data"));
        }
        self.pending = samples::parse(moof, header)?;
        Ok(Step::Again)
    }

    fn skip(&mut self, left: u64) -> Step {
        let here = usize::try_from(left).unwrap_or(usize::MAX).min(self.buffer.len());
        self.buffer.advance(here);
        let left = left.saturating_sub(u64::try_from(here).unwrap_or(u64::MAX));
        if left == 0 {
            self.state = State::Between;
            return Step::Again;
        }
        self.state = State::Skipping(left);
        Step::NeedMore
    }

    fn sample(&mut self) -> Step {
        let Some(next) = self.pending.front() else {
            self.state = State::Between;
            return Step::Again;
        };
        let size = usize::try_from(next.size).unwrap_or(usize::MAX);
        if self.buffer.len() < size {
            return Step::NeedMore;
        }
        let (pts, dts, duration, is_sync) = (next.pts, next.dts, next.duration, next.is_sync);
        // A copy of its own, so that a packet that waits does not keep the whole read buffer.
        let data = Bytes::copy_from_slice(self.buffer.get(..size).unwrap_or_default());
        self.buffer.advance(size);
        self.pending.pop_front();
        Step::Event(Event::Sample(Sample { pts, dts, duration, is_sync, data }))
    }
}

/// The beginning of a box (ISO/IEC 14496-12, 4.2).
#[derive(Debug)]
pub(crate) struct BoxHead {
    pub(crate) kind: [u8; 4],
    /// The length of the box with its head, in bytes.
    pub(crate) size: u64,
    /// The length of the head.
    length: usize,
}

impl BoxHead {
    /// The head at the beginning of `bytes`; none if they are too few.
    pub(crate) fn read(bytes: &[u8]) -> Result<Option<Self>, Malformed> {
        let Some(([a, b, c, d], rest)) = bytes.split_first_chunk() else { return Ok(None) };
        let Some((kind, rest)) = rest.split_first_chunk() else { return Ok(None) };
        let (size, length) = match u32::from_be_bytes([*a, *b, *c, *d]) {
            1 => match rest.first_chunk() {
                Some(size) => (u64::from_be_bytes(*size), 16),
                None => return Ok(None),
            },
            // To the end of the file, wherever that is.
            0 => (u64::MAX, 8),
            size => (u64::from(size), 8),
        };
        if size < length {
            return Err(Malformed::new("a box is shorter than its head"));
        }
        Ok(Some(Self { kind: *kind, size, length: usize::try_from(length).unwrap_or(16) }))
    }

    fn payload(&self) -> u64 {
        self.size.saturating_sub(u64::try_from(self.length).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests;
