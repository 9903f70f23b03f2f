//! From frames to packets.

use crate::picture::Picture;
use jpeg_encoder::SamplingFactor;
use stage_sdk::{
    EncodedTrack, Encoder, EncodingTask, Fault, Frame, MadePacket, Plane, Rect, Size, YUV420,
};

/// One track of JPEG pictures.
#[derive(Debug)]
pub struct JpegEncoder {
    codec: &'static str,
    size: Size,
    quality: u8,
    task: EncodingTask,
    /// Y, Cb and Cr of the frame at hand.
    planes: [Vec<u8>; 3],
}

impl JpegEncoder {
    /// An encoder of frames of this size.
    pub(crate) fn new(
        codec: &'static str,
        size: Size,
        quality: u8,
        task: EncodingTask,
    ) -> Result<Self, Fault> {
        let fits = |side: u32| u16::try_from(side).is_ok();
        if !fits(size.width) || !fits(size.height) {
            return Err(Fault::failed("A side of a JPEG picture has at most 65535 pixels."));
        }
        Ok(Self { codec, size, quality, task, planes: Default::default() })
    }

    /// The three planes of a frame of the one layout that JPEG and this crate share.
    fn read(&mut self, frame: &impl Frame) -> Result<(), Fault> {
        let half = Size::new(self.size.width / 2, self.size.height / 2);
        let sizes = [self.size, half, half];
        let expected = sizes.map(|size| Plane { size, bytes_per_sample: 1 });
        if frame.layout() != YUV420 || frame.planes() != expected {
            return Err(Fault::failed("Frames of this layout cannot be made JPEG pictures."));
        }
        for (place, (size, samples)) in sizes.iter().zip(&mut self.planes).enumerate() {
            frame.read_rect(place, Rect::new(0, 0, size.width, size.height), samples);
        }
        Ok(())
    }

    fn picture(&self) -> Result<Vec<u8>, Fault> {
        let mut data = Vec::new();
        let mut encoder = jpeg_encoder::Encoder::new(&mut data, self.quality);
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
        let picture = Picture::new(self.size, &self.planes);
        encoder
            .encode_image(picture)
            .map_err(|error| Fault::failed(format!("A frame cannot be encoded: {error}.")))?;
        Ok(data)
    }
}

impl<F: Frame> Encoder<F> for JpegEncoder {
    fn track(&mut self) -> Result<EncodedTrack, Fault> {
        Ok(EncodedTrack { codec: self.codec.into(), codec_config: Vec::new() })
    }

    fn push(&mut self, frame: &F) -> Result<Vec<MadePacket>, Fault> {
        self.read(frame)?;
        let time = self.task.time_of(frame.index());
        let duration = self.task.frame_duration;
        let data = self.picture()?;
        Ok(vec![MadePacket { pts: time, dts: time, duration, is_sync: true, data }])
    }

    fn flush(&mut self) -> Result<Vec<MadePacket>, Fault> {
        Ok(Vec::new())
    }
}
