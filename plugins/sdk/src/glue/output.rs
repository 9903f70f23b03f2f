//! The host's file.

use super::write::CALL_BYTES;
use crate::Output;
use crate::bindings::host::{output, packets};

/// What the host takes at least in one call that patches, in bytes.
const PATCH_BYTES: usize = 64 << 10;

/// The host's file as an [`Output`].
#[derive(Debug)]
pub(super) struct HostOutput(pub(super) output::Sink);

impl Output for HostOutput {
    type Spool = output::Spool;
    type Data = packets::Packet;

    fn write(&mut self, bytes: &[u8]) {
        bytes.chunks(CALL_BYTES).for_each(|part| self.0.write(part));
    }

    fn create_spool(&mut self) -> Self::Spool {
        self.0.create_spool()
    }

    fn append_packet(&mut self, spool: &mut Self::Spool, data: &Self::Data) {
        spool.append(data);
    }

    fn write_spool(&mut self, spool: &mut Self::Spool, bytes: &[u8]) {
        bytes.chunks(CALL_BYTES).for_each(|part| spool.write(part));
    }

    fn patch_spool(&mut self, spool: &mut Self::Spool, position: u64, bytes: &[u8]) {
        let positions = (position..).step_by(PATCH_BYTES);
        positions.zip(bytes.chunks(PATCH_BYTES)).for_each(|(at, part)| spool.patch(at, part));
    }

    fn append_spool(&mut self, spool: Self::Spool) {
        self.0.append_spool(spool);
    }
}
