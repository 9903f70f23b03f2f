//! The source as a plugin sees it.

use std::sync::Arc;

use wasmtime::Result;
use wasmtime::component::Resource;

use super::Host;
use super::bindings::video_render::stage::source;
use super::handles::SourceHandle;
use super::types::{Colour, Rational, Size};
use crate::model::{SourceAudio, SourceVideo};

/// The most bytes of a tag that a plugin is given.
const TAG_BYTES: usize = 4096;

impl source::Host for Host {}

impl source::HostSource for Host {
    fn video_tracks(
        &mut self,
        source: Resource<SourceHandle>,
    ) -> Result<Vec<Resource<SourceVideo>>> {
        let source = Arc::clone(&self.get(&source)?.0);
        source.video.iter().map(|track| self.push(track.clone())).collect()
    }

    fn audio_tracks(
        &mut self,
        source: Resource<SourceHandle>,
    ) -> Result<Vec<Resource<SourceAudio>>> {
        let source = Arc::clone(&self.get(&source)?.0);
        source.audio.iter().map(|track| self.push(track.clone())).collect()
    }

    fn tag(&mut self, source: Resource<SourceHandle>, name: String) -> Result<Option<String>> {
        let text = self.get(&source)?.0.tags.get(&name).cloned();
        Ok(text.map(|text| super::text::cut(text, TAG_BYTES)))
    }

    fn drop(&mut self, source: Resource<SourceHandle>) -> Result<()> {
        self.take(source).map(drop)
    }
}

impl source::HostSourceVideo for Host {
    fn codec(&mut self, track: Resource<SourceVideo>) -> Result<String> {
        Ok(self.get(&track)?.codec.clone())
    }

    fn display_size(&mut self, track: Resource<SourceVideo>) -> Result<Size> {
        Ok(self.get(&track)?.display_size)
    }

    fn display_aspect(&mut self, track: Resource<SourceVideo>) -> Result<Rational> {
        Ok(self.get(&track)?.display_aspect)
    }

    fn frame_rate(&mut self, track: Resource<SourceVideo>) -> Result<Rational> {
        Ok(self.get(&track)?.frame_rate)
    }

    fn constant_frame_rate(&mut self, track: Resource<SourceVideo>) -> Result<bool> {
        Ok(self.get(&track)?.constant_frame_rate)
    }

    fn colour(&mut self, track: Resource<SourceVideo>) -> Result<Colour> {
        Ok(self.get(&track)?.colour)
    }

    fn drop(&mut self, track: Resource<SourceVideo>) -> Result<()> {
        self.take(track).map(drop)
    }
}

impl source::HostSourceAudio for Host {
    fn codec(&mut self, track: Resource<SourceAudio>) -> Result<String> {
        Ok(self.get(&track)?.codec.clone())
    }

    fn sample_rate(&mut self, track: Resource<SourceAudio>) -> Result<u32> {
        Ok(self.get(&track)?.sample_rate)
    }

    fn channels(&mut self, track: Resource<SourceAudio>) -> Result<u32> {
        Ok(self.get(&track)?.channels)
    }

    fn drop(&mut self, track: Resource<SourceAudio>) -> Result<()> {
        self.take(track).map(drop)
    }
}
