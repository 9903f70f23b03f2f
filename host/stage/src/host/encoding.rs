//! Tracks that a plugin encodes itself.

use wasmtime::Result;
use wasmtime::component::Resource;

use super::Host;
use super::bindings::video_render::stage::encoding;
use super::text::short;
use crate::encoder::{EncodedTrack, EncodingTask};
use crate::fault::ensure;

const MAX_CONFIG_BYTES: usize = 64 << 10;

impl encoding::Host for Host {}

impl encoding::HostEncodingTask for Host {
    fn track(&mut self, task: Resource<EncodingTask>) -> Result<u32> {
        Ok(self.get(&task)?.track)
    }

    fn timescale(&mut self, task: Resource<EncodingTask>) -> Result<u32> {
        Ok(self.get(&task)?.timescale)
    }

    fn frame_duration(&mut self, task: Resource<EncodingTask>) -> Result<u32> {
        Ok(self.get(&task)?.frame_duration)
    }

    fn frames(&mut self, task: Resource<EncodingTask>) -> Result<Option<u64>> {
        Ok(self.get(&task)?.frames)
    }

    fn drop(&mut self, task: Resource<EncodingTask>) -> Result<()> {
        self.take(task).map(drop)
    }
}

impl encoding::HostEncodedTrack for Host {
    fn new(&mut self, codec: String) -> Result<Resource<EncodedTrack>> {
        let codec = short("a codec", codec)?;
        self.push(EncodedTrack { codec, codec_config: Vec::new() })
    }

    fn set_codec_config(&mut self, track: Resource<EncodedTrack>, config: Vec<u8>) -> Result<()> {
        ensure(config.len() <= MAX_CONFIG_BYTES, || {
            format!("a codec config has {} bytes, {MAX_CONFIG_BYTES} are allowed", config.len())
        })?;
        self.get_mut(&track)?.codec_config = config;
        Ok(())
    }

    fn drop(&mut self, track: Resource<EncodedTrack>) -> Result<()> {
        self.take(track).map(drop)
    }
}
