//! Tracks and packets as a muxer sees them.

use wasmtime::Result;
use wasmtime::component::Resource;

use super::Host;
use super::bindings::video_render::stage::packets;
use super::handles::{AudioFormat, VideoFormat};
use super::types::{Colour, Size};
use crate::fault::Stop;
use crate::model::{Packet, Track, TrackFormat};

impl packets::Host for Host {}

impl packets::HostTrack for Host {
    fn codec(&mut self, track: Resource<Track>) -> Result<String> {
        Ok(self.get(&track)?.codec.clone())
    }

    fn timescale(&mut self, track: Resource<Track>) -> Result<u32> {
        Ok(self.get(&track)?.timescale)
    }

    fn codec_config(&mut self, track: Resource<Track>) -> Result<Vec<u8>> {
        Ok(self.get(&track)?.codec_config.clone())
    }

    fn start(&mut self, track: Resource<Track>) -> Result<u64> {
        Ok(self.get(&track)?.start)
    }

    fn priming(&mut self, track: Resource<Track>) -> Result<u64> {
        Ok(self.get(&track)?.priming)
    }

    fn duration(&mut self, track: Resource<Track>) -> Result<u64> {
        Ok(self.get(&track)?.duration)
    }

    fn language(&mut self, track: Resource<Track>) -> Result<Option<String>> {
        Ok(self.get(&track)?.language.clone())
    }

    fn video(&mut self, track: Resource<Track>) -> Result<Option<Resource<VideoFormat>>> {
        match self.get(&track)?.format {
            TrackFormat::Video { size, colour } => {
                self.push(VideoFormat { size, colour }).map(Some)
            }
            TrackFormat::Audio { .. } => Ok(None),
        }
    }

    fn audio(&mut self, track: Resource<Track>) -> Result<Option<Resource<AudioFormat>>> {
        match self.get(&track)?.format {
            TrackFormat::Audio { sample_rate, channels } => {
                self.push(AudioFormat { sample_rate, channels }).map(Some)
            }
            TrackFormat::Video { .. } => Ok(None),
        }
    }

    fn drop(&mut self, track: Resource<Track>) -> Result<()> {
        self.take(track).map(drop)
    }
}

impl packets::HostVideoFormat for Host {
    fn size(&mut self, format: Resource<VideoFormat>) -> Result<Size> {
        Ok(self.get(&format)?.size)
    }

    fn colour(&mut self, format: Resource<VideoFormat>) -> Result<Colour> {
        Ok(self.get(&format)?.colour)
    }

    fn drop(&mut self, format: Resource<VideoFormat>) -> Result<()> {
        self.take(format).map(drop)
    }
}

impl packets::HostAudioFormat for Host {
    fn sample_rate(&mut self, format: Resource<AudioFormat>) -> Result<u32> {
        Ok(self.get(&format)?.sample_rate)
    }

    fn channels(&mut self, format: Resource<AudioFormat>) -> Result<u32> {
        Ok(self.get(&format)?.channels)
    }

    fn drop(&mut self, format: Resource<AudioFormat>) -> Result<()> {
        self.take(format).map(drop)
    }
}

impl packets::HostPacket for Host {
    fn make(
        &mut self,
        timing: packets::Timing,
        is_sync: bool,
        data: Vec<u8>,
    ) -> Result<Resource<Packet>> {
        let track = self.encoded_track.ok_or_else(|| {
            Stop::contract(
                "it made a packet outside its frame-encoder, where packets have no track",
            )
        })?;
        self.charge_frame(data.len())?;
        let packets::Timing { pts, dts, duration } = timing;
        self.push(Packet { track, pts, dts, duration, is_sync, data: data.into() })
    }

    fn track(&mut self, packet: Resource<Packet>) -> Result<u32> {
        Ok(self.get(&packet)?.track)
    }

    fn timing(&mut self, packet: Resource<Packet>) -> Result<packets::Timing> {
        let Packet { pts, dts, duration, .. } = *self.get(&packet)?;
        Ok(packets::Timing { pts, dts, duration })
    }

    fn size(&mut self, packet: Resource<Packet>) -> Result<u32> {
        Ok(u32::try_from(self.get(&packet)?.data.len())?)
    }

    fn is_sync(&mut self, packet: Resource<Packet>) -> Result<bool> {
        Ok(self.get(&packet)?.is_sync)
    }

    fn drop(&mut self, packet: Resource<Packet>) -> Result<()> {
        // A muxer's packets are lent, so what is dropped here is one that the plugin made.
        let packet = self.take(packet)?;
        self.refund_frame(packet.data.len());
        Ok(())
    }
}
