//! The fused run: one ffmpeg decodes, composes and encodes, one pipe per track.

/// What a finished run has delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Frames of the first video track.
    pub frames: u64,
    /// Packets of every track, in the order of [`crate::Run::tracks`].
    pub packets: Vec<u64>,
    /// Bytes of all packets.
    pub bytes: u64,
}
