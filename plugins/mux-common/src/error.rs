//! Why a file cannot be written.

use std::fmt;

use stage_sdk::Fault;

/// What stops a file from being written. Its display form is one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MuxError {
    /// The container has no place for this codec, or its writer does not know it.
    UnknownCodec {
        /// The codec as the track names it.
        codec: String,
        /// The container, in words.
        container: &'static str,
        /// What can be written to it, in words.
        known: &'static str,
    },
    /// A track that cannot be described in a file.
    Track {
        /// Its place in the list of tracks, from 0.
        track: usize,
        /// What is wrong with it.
        problem: TrackProblem,
    },
    /// A packet of a track that was not announced.
    UnannouncedTrack {
        /// The place that the packet names, from 0.
        track: usize,
    },
    /// A file without tracks.
    NoTracks,
    /// A number that no field of the file format can hold.
    TooLarge,
}

/// What is wrong with a track or with its packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackProblem {
    /// It is described neither as video nor as audio, or not as its codec asks.
    Format,
    /// The codec configuration is not what the codec's specification asks for.
    Config,
    /// A picture side that a 16-bit field cannot hold.
    Size,
    /// A channel count that a 16-bit field cannot hold.
    Channels,
    /// A clock of 0 ticks a second.
    Timescale,
    /// Nothing of it is to be presented.
    Duration,
    /// A packet that is presented before the track begins, where a container has no place for
    /// it.
    Early,
    /// It ended without a single packet.
    NoPackets,
    /// Decode times that do not rise.
    Order,
    /// A distance between two times that no field can hold.
    Time,
    /// More packets than a table can count.
    Count,
}

impl MuxError {
    /// Makes an error of a problem of the track at this place.
    pub fn of_track(track: usize) -> impl Fn(TrackProblem) -> Self {
        move |problem| Self::Track { track, problem }
    }
}

impl fmt::Display for MuxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCodec { codec, container, known } => {
                write!(f, "The codec `{codec}` cannot be written to {container} here; {known} can.")
            }
            Self::Track { track, problem } => write!(f, "Track {track} {problem}."),
            Self::UnannouncedTrack { track } => {
                write!(f, "A packet names track {track}, which was not announced.")
            }
            Self::NoTracks => write!(f, "There is no track to write."),
            Self::TooLarge => write!(f, "The file's index is larger than its format can hold."),
        }
    }
}

impl fmt::Display for TrackProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Format => "is not described as its codec asks",
            Self::Config => "has a codec configuration that its codec does not allow",
            Self::Size => "has a picture side of 0 or above 65535 pixels",
            Self::Channels => "has 0 or more than 65535 channels",
            Self::Timescale => "has a clock of 0 ticks a second",
            Self::Duration => "has a duration of 0",
            Self::Early => "has packets that are presented before it begins",
            Self::NoPackets => "ended without a packet",
            Self::Order => "has packets whose decode times do not rise",
            Self::Time => "has packets whose times lie too far apart for the file format",
            Self::Count => "has more packets than the file format can count",
        })
    }
}

impl From<MuxError> for Fault {
    fn from(error: MuxError) -> Self {
        // Codecs are the encode stage's choice, so no other source would help.
        Self::failed(error.to_string())
    }
}
