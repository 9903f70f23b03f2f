//! The plans that a plugin builds, pictures apart.

use wasmtime::Result;
use wasmtime::component::Resource;

use super::Host;
use super::bindings::video_render::stage::plans;
use super::text::short;
use super::types::{Colour, Rational, Size};
use crate::fault::{Stop, ensure};
use crate::model::{
    AudioEncoding, EncodePlan, MAX_SIDE, MuxPlan, Plan, PlannedTrack, Raster, RateControl,
    SourceAudio, SourceVideo, VideoEncoding, WatermarkPlan,
};

const MAX_TRACKS: usize = 64;
const MAX_FRAME_RATE: u64 = 120;
const MAX_QUANTIZER: f32 = 63.0;
const MAX_EFFORT: u8 = 9;
const MAX_KEYFRAME_INTERVAL: u32 = 10_000;

impl plans::Host for Host {}

fn raster(size: Size, frame_rate: Rational, colour: Colour) -> Result<Raster, Stop> {
    let side = |side: u32| side.is_multiple_of(2) && (2..=MAX_SIDE).contains(&side);
    ensure(side(size.width) && side(size.height), || {
        format!("the sides of a raster are even and in 2..={MAX_SIDE}, not {size}")
    })?;
    let Rational { numerator, denominator } = frame_rate;
    let slow_enough = u64::from(numerator) <= MAX_FRAME_RATE * u64::from(denominator);
    ensure(numerator > 0 && denominator > 0 && slow_enough, || {
        format!("a raster's rate is above 0 and at most {MAX_FRAME_RATE}, not {frame_rate}")
    })?;
    Ok(Raster { size, frame_rate: frame_rate.reduced(), colour })
}

impl plans::HostRaster for Host {
    fn new(&mut self, size: Size, rate: Rational, colour: Colour) -> Result<Resource<Raster>> {
        self.push(raster(size, rate, colour)?)
    }

    fn size(&mut self, raster: Resource<Raster>) -> Result<Size> {
        Ok(self.get(&raster)?.size)
    }

    fn frame_rate(&mut self, raster: Resource<Raster>) -> Result<Rational> {
        Ok(self.get(&raster)?.frame_rate)
    }

    fn colour(&mut self, raster: Resource<Raster>) -> Result<Colour> {
        Ok(self.get(&raster)?.colour)
    }

    fn drop(&mut self, raster: Resource<Raster>) -> Result<()> {
        self.take(raster).map(drop)
    }
}

impl plans::HostVideoEncoding for Host {
    fn new(&mut self, codec: String) -> Result<Resource<VideoEncoding>> {
        self.push(VideoEncoding::new(short("a codec", codec)?))
    }

    fn set_constant_quality(
        &mut self,
        encoding: Resource<VideoEncoding>,
        quantizer: f32,
    ) -> Result<()> {
        ensure((0.0..=MAX_QUANTIZER).contains(&quantizer), || {
            format!("a constant quality is in 0..={MAX_QUANTIZER}, not {quantizer}")
        })?;
        let encoding = self.get_mut(&encoding)?;
        if encoding.rate_control != RateControl::Lossless {
            encoding.rate_control = RateControl::ConstantQuality(quantizer);
        }
        Ok(())
    }

    fn set_lossless(&mut self, encoding: Resource<VideoEncoding>) -> Result<()> {
        self.get_mut(&encoding)?.rate_control = RateControl::Lossless;
        Ok(())
    }

    fn set_effort(&mut self, encoding: Resource<VideoEncoding>, effort: u8) -> Result<()> {
        ensure(effort <= MAX_EFFORT, || format!("an effort is in 0..={MAX_EFFORT}, not {effort}"))?;
        self.get_mut(&encoding)?.effort = effort;
        Ok(())
    }

    fn set_keyframe_interval(
        &mut self,
        encoding: Resource<VideoEncoding>,
        frames: u32,
    ) -> Result<()> {
        ensure((1..=MAX_KEYFRAME_INTERVAL).contains(&frames), || {
            format!("a keyframe interval is in 1..={MAX_KEYFRAME_INTERVAL} frames, not {frames}")
        })?;
        self.get_mut(&encoding)?.keyframe_interval = frames;
        Ok(())
    }

    fn allow_copy(&mut self, encoding: Resource<VideoEncoding>) -> Result<()> {
        self.get_mut(&encoding)?.copy = true;
        Ok(())
    }

    fn want_frames(&mut self, encoding: Resource<VideoEncoding>) -> Result<()> {
        self.get_mut(&encoding)?.wants_frames = true;
        Ok(())
    }

    fn drop(&mut self, encoding: Resource<VideoEncoding>) -> Result<()> {
        self.take(encoding).map(drop)
    }
}

impl plans::HostAudioEncoding for Host {
    fn new(
        &mut self,
        codec: String,
        sample_rate: u32,
        channels: u32,
    ) -> Result<Resource<AudioEncoding>> {
        let codec = short("a codec", codec)?;
        ensure((8_000..=192_000).contains(&sample_rate), || {
            format!("a sample rate is in 8000..=192000 Hz, not {sample_rate}")
        })?;
        ensure((1..=8).contains(&channels), || {
            format!("a number of channels is in 1..=8, not {channels}")
        })?;
        self.push(AudioEncoding::new(codec, sample_rate, channels))
    }

    fn set_bit_rate(&mut self, encoding: Resource<AudioEncoding>, bits: u32) -> Result<()> {
        ensure((8_000..=2_000_000).contains(&bits), || {
            format!("a bit rate is in 8000..=2000000 bits per second, not {bits}")
        })?;
        self.get_mut(&encoding)?.bit_rate = Some(bits);
        Ok(())
    }

    fn allow_copy(&mut self, encoding: Resource<AudioEncoding>) -> Result<()> {
        self.get_mut(&encoding)?.copy = true;
        Ok(())
    }

    fn drop(&mut self, encoding: Resource<AudioEncoding>) -> Result<()> {
        self.take(encoding).map(drop)
    }
}

impl Host {
    fn add_track(&mut self, plan: &Resource<EncodePlan>, track: PlannedTrack) -> Result<()> {
        let tracks = &mut self.get_mut(plan)?.tracks;
        ensure(tracks.len() < MAX_TRACKS, || format!("more than {MAX_TRACKS} tracks"))?;
        tracks.push(track);
        Ok(())
    }
}

impl plans::HostEncodePlan for Host {
    fn new(&mut self, raster: Resource<Raster>) -> Result<Resource<EncodePlan>> {
        let raster = self.take(raster)?;
        self.push(EncodePlan { raster, tracks: Vec::new() })
    }

    fn add_video(
        &mut self,
        plan: Resource<EncodePlan>,
        track: Resource<SourceVideo>,
        encoding: Resource<VideoEncoding>,
    ) -> Result<()> {
        let (source, encoding) = (self.get(&track)?.id, self.take(encoding)?);
        self.add_track(&plan, PlannedTrack::Video { source, encoding })
    }

    fn add_audio(
        &mut self,
        plan: Resource<EncodePlan>,
        track: Resource<SourceAudio>,
        encoding: Resource<AudioEncoding>,
    ) -> Result<()> {
        let (source, encoding) = (self.get(&track)?.id, self.take(encoding)?);
        self.add_track(&plan, PlannedTrack::Audio { source, encoding })
    }

    fn raster(&mut self, plan: Resource<EncodePlan>) -> Result<Resource<Raster>> {
        let raster = self.get(&plan)?.raster;
        self.push(raster)
    }

    fn drop(&mut self, plan: Resource<EncodePlan>) -> Result<()> {
        self.take(plan).map(drop)
    }
}

impl plans::HostMuxPlan for Host {
    fn new(&mut self, media_type: String) -> Result<Resource<MuxPlan>> {
        self.push(MuxPlan { media_type: short("a media type", media_type)? })
    }

    fn drop(&mut self, plan: Resource<MuxPlan>) -> Result<()> {
        self.take(plan).map(drop)
    }
}

impl plans::HostPlan for Host {
    fn from_encode(&mut self, plan: Resource<EncodePlan>) -> Result<Resource<Plan>> {
        let plan = self.take(plan)?;
        self.push(Plan::Encode(plan))
    }

    fn from_watermark(&mut self, plan: Resource<WatermarkPlan>) -> Result<Resource<Plan>> {
        let plan = self.take(plan)?;
        self.push(Plan::Watermark(plan))
    }

    fn from_mux(&mut self, plan: Resource<MuxPlan>) -> Result<Resource<Plan>> {
        let plan = self.take(plan)?;
        self.push(Plan::Mux(plan))
    }

    fn drop(&mut self, plan: Resource<Plan>) -> Result<()> {
        self.take(plan).map(drop)
    }
}
