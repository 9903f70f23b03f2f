//! What a muxer reads and where it writes.

use crate::types::{Colour, Size};

/// An encoded track, whole once its packets have passed.
///
/// Time: a track's own clock ticks `timescale` times a second, and its zero is
/// where the track begins to be presented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    /// By RFC 6381 with its profile, such as `avc1.640028`, or ffmpeg's name
    /// where RFC 6381 has none.
    pub codec: String,
    /// Ticks per second, at least 1.
    pub timescale: u32,
    /// What a decoder needs before the first packet: the payload of `avcC` for
    /// H.264 (packets then hold length-prefixed NAL units), the
    /// AudioSpecificConfig for AAC; empty if the codec needs none.
    pub codec_config: Vec<u8>,
    /// When presentation begins on the clock common to all tracks, in ticks of
    /// this one. At least one track has 0.
    pub start: u64,
    /// Ticks of decoded sound before time 0 that a decoder must throw away.
    pub priming: u64,
    /// How long the track is to be presented, in ticks. The last packet may
    /// reach beyond it, and the rest is not presented.
    pub duration: u64,
    /// Three letters of ISO 639-2/T.
    pub language: Option<String>,
    /// What kind of track it is.
    pub format: TrackFormat,
}

/// What kind of track it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackFormat {
    /// Pictures with square pixels.
    Video {
        /// In pixels.
        size: Size,
        /// What the samples are in.
        colour: Colour,
    },
    /// Sound.
    Audio {
        /// Samples per second and channel.
        sample_rate: u32,
        /// The number of channels.
        channels: u32,
    },
    /// Something that this SDK does not know, which a muxer refuses.
    Other,
}

/// The facts of one encoded access unit; its bytes stay in the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// The place of its track in the list given to `begin`, from 0.
    pub track: usize,
    /// When it is presented, in ticks of its track. Below 0 it is decoded but
    /// not shown.
    pub pts: i64,
    /// When it is decoded. Rises strictly within a track; may be below 0.
    pub dts: i64,
    /// How long it is presented as far as that is known, 0 if it is not.
    pub duration: u32,
    /// Its length in bytes.
    pub size: u32,
    /// Whether decoding can start here: this packet and all that are presented
    /// after it decode without any earlier one.
    pub is_sync: bool,
}

/// The output file, written from front to back, and spools beside it in which
/// packets wait until the headers before them are known.
///
/// Inside the sandbox this is the host's file; a native test uses
/// [`MemoryOutput`] or counts with one of its own.
pub trait Output: 'static {
    /// Packets collected in the order in which they were appended.
    type Spool: 'static;
    /// The bytes of a packet, or what stands for them.
    type Data;

    /// Appends bytes of the plugin's own to the file: headers, indexes.
    fn write(&mut self, bytes: &[u8]);

    /// A place beside the file.
    fn create_spool(&mut self) -> Self::Spool;

    /// Appends a packet's bytes to a spool.
    fn append_packet(&mut self, spool: &mut Self::Spool, data: &Self::Data);

    /// Appends bytes of the plugin's own to a spool: headers between packets.
    fn write_spool(&mut self, spool: &mut Self::Spool, bytes: &[u8]);

    /// Replaces bytes that are already in a spool, from `position` on (counted
    /// from the spool's first byte): a length that was not known when its place
    /// was written. The call ends if it would pass the end.
    fn patch_spool(&mut self, spool: &mut Self::Spool, position: u64, bytes: &[u8]);

    /// Appends everything that was collected to the file.
    fn append_spool(&mut self, spool: Self::Spool);
}

/// An output in memory, for native tests. Where the host would end the call, it
/// panics.
///
/// ```
/// use stage_sdk::{MemoryOutput, Output};
///
/// let mut output = MemoryOutput::default();
/// let mut spool = output.create_spool();
/// output.write_spool(&mut spool, b"?:");
/// output.append_packet(&mut spool, &b"packet".to_vec());
/// output.patch_spool(&mut spool, 0, b"6");
/// output.write(b"header ");
/// output.append_spool(spool);
/// assert_eq!(*output.bytes().borrow(), b"header 6:packet");
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryOutput {
    bytes: std::rc::Rc<std::cell::RefCell<Vec<u8>>>,
}

impl MemoryOutput {
    /// What was written so far; stays readable while a muxer owns the output.
    pub fn bytes(&self) -> std::rc::Rc<std::cell::RefCell<Vec<u8>>> {
        self.bytes.clone()
    }
}

impl Output for MemoryOutput {
    type Spool = Vec<u8>;
    type Data = Vec<u8>;

    fn write(&mut self, bytes: &[u8]) {
        self.bytes.borrow_mut().extend_from_slice(bytes);
    }

    fn create_spool(&mut self) -> Self::Spool {
        Vec::new()
    }

    fn append_packet(&mut self, spool: &mut Self::Spool, data: &Self::Data) {
        spool.extend_from_slice(data);
    }

    fn write_spool(&mut self, spool: &mut Vec<u8>, bytes: &[u8]) {
        spool.extend_from_slice(bytes);
    }

    fn patch_spool(&mut self, spool: &mut Vec<u8>, position: u64, bytes: &[u8]) {
        let start = usize::try_from(position).unwrap_or(usize::MAX);
        let place = spool.get_mut(start..start.saturating_add(bytes.len()));
        assert!(place.is_some(), "{} bytes at {position} pass the end of a spool", bytes.len());
        place.unwrap_or_default().copy_from_slice(bytes);
    }

    fn append_spool(&mut self, spool: Self::Spool) {
        self.write(&spool);
    }
}
