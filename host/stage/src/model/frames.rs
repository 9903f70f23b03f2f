//! Passes over frames, and tracks that a plugin encodes itself.

/// A walk over consecutive frames of a raster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// The index of the first frame on the raster.
    pub first: u64,
    /// How many frames will come, as far as that is known.
    pub frames: Option<u64>,
}

/// A video track that is to be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodingTask {
    /// The place of the track in the encode plan, from 0.
    pub track: u32,
    /// Ticks per second of the times of its packets, at least 1.
    pub timescale: u32,
    /// The ticks from one frame of the raster to the next, at least 1.
    pub frame_duration: u32,
    /// How many frames will come, as far as that is known.
    pub frames: Option<u64>,
}

/// What a plugin says of a track that it encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedTrack {
    /// The codec by RFC 6381 with its profile.
    pub codec: String,
    /// What a decoder needs before the first packet; may be empty.
    pub codec_config: Vec<u8>,
}
