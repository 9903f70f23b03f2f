//! One file being written by a plugin.

use std::fs::File;

use crate::PluginFault;
use crate::model::Packet;

/// One file being written by a plugin, which lives in an instance of its own. After an error it
/// can only be dropped.
pub struct Muxer {
    _private: (),
}

/// A finished file.
#[derive(Debug)]
pub struct Written {
    /// The file that [`Output::new`](crate::Output::new) was given; not yet synced to the disk.
    pub file: File,
    /// Its length in bytes.
    pub bytes: u64,
    /// How many of them the plugin wrote itself: headers, indexes.
    pub plugin_bytes: u64,
}

impl Muxer {
    /// Hands over the next packet. Packets come by decode time across all tracks.
    ///
    /// # Errors
    /// See [`PluginFault`].
    pub async fn write(&mut self, packet: Packet) -> Result<(), PluginFault> {
        let _ = packet;
        Err(PluginFault::Host { message: "not built yet".into() })
    }

    /// Ends the file.
    ///
    /// # Errors
    /// See [`PluginFault`].
    pub async fn finish(self) -> Result<Written, PluginFault> {
        Err(PluginFault::Host { message: "not built yet".into() })
    }
}
