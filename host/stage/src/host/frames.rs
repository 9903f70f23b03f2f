//! The frames that a plugin works on.

use std::sync::Arc;

use picture::{Frame, OutOfBounds};
use wasmtime::Result;
use wasmtime::component::Resource;

use super::Host;
use super::bindings::video_render::stage::frames::{self, Plane};
use super::handles::FrameHandle;
use super::types::{Point, Rect, Size};
use crate::Pass;
use crate::fault::{CALL_BYTES, LimitKind, Stop, ensure, within};
use crate::model::{Image, Packet};

impl Host {
    /// Gives the instance a frame.
    pub(crate) fn push_frame(&mut self, frame: Frame) -> Result<Resource<FrameHandle>> {
        self.charge_frame(bytes(&frame))?;
        self.push(FrameHandle(frame))
    }

    /// Takes a frame back.
    pub(crate) fn take_frame(&mut self, frame: Resource<FrameHandle>) -> Result<Frame> {
        let FrameHandle(frame) = self.take(frame)?;
        self.refund_frame(bytes(&frame));
        Ok(frame)
    }

    /// Takes frames back in their order.
    pub(crate) fn take_frames(&mut self, frames: Vec<Resource<FrameHandle>>) -> Result<Vec<Frame>> {
        frames.into_iter().map(|frame| self.take_frame(frame)).collect()
    }

    /// Takes packets that the instance made, in their order.
    pub(crate) fn take_packets(&mut self, packets: Vec<Resource<Packet>>) -> Result<Vec<Packet>> {
        let mut taken = Vec::with_capacity(packets.len());
        for packet in packets {
            let packet = self.take(packet)?;
            self.refund_frame(packet.data.len());
            taken.push(packet);
        }
        Ok(taken)
    }

    /// Counts bytes of a frame, or of a packet that the plugin made.
    pub(super) fn charge_frame(&mut self, bytes: usize) -> Result<(), Stop> {
        let used = self.frame_bytes.saturating_add(bytes as u64);
        within(LimitKind::Frames, used, self.limits.frame_bytes)?;
        self.frame_bytes = used;
        Ok(())
    }

    /// Gives back what was counted.
    pub(super) fn refund_frame(&mut self, bytes: usize) {
        self.frame_bytes = self.frame_bytes.saturating_sub(bytes as u64);
    }

    /// The frame to be written to. What others hold of the same samples stays as it is.
    fn writable(&mut self, frame: &Resource<FrameHandle>) -> Result<&mut picture::Picture> {
        let FrameHandle(frame) = self.get_mut(frame)?;
        Ok(Arc::make_mut(&mut frame.picture))
    }
}

fn bytes(frame: &Frame) -> usize {
    frame.picture.bytes().len()
}

fn planes(frame: &Frame) -> [Size; 3] {
    let size = |size: picture::Size| Size { width: size.width, height: size.height };
    frame.picture.layout().planes(frame.picture.size()).map(size)
}

/// What is wrong with a rectangle that was not found in a frame.
fn misplaced(frame: &Frame, plane: u32, area: Rect, error: OutOfBounds) -> Stop {
    let Rect { origin, size } = area;
    let planes = planes(frame);
    let Some(plane_size) = planes.get(plane as usize) else {
        return Stop::contract(format!(
            "a frame has no plane {plane}, it has {} counted from 0",
            planes.len()
        ));
    };
    Stop::contract(match error {
        OutOfBounds::Length => {
            let samples = u64::from(size.width) * u64::from(size.height);
            format!("a rectangle of {size} has {samples} samples, another number was given")
        }
        _ => format!("a rectangle of {size} at {origin} leaves plane {plane} of {plane_size}"),
    })
}

fn place(area: Rect) -> picture::Rect {
    let Rect { origin: Point { x, y }, size: Size { width, height } } = area;
    picture::Rect { x, y, width, height }
}

impl frames::Host for Host {}

impl frames::HostFrame for Host {
    fn index(&mut self, frame: Resource<FrameHandle>) -> Result<u64> {
        Ok(self.get(&frame)?.0.index)
    }

    fn layout(&mut self, frame: Resource<FrameHandle>) -> Result<u32> {
        Ok(self.get(&frame)?.0.picture.layout().number())
    }

    fn planes(&mut self, frame: Resource<FrameHandle>) -> Result<Vec<Plane>> {
        let planes = planes(&self.get(&frame)?.0);
        Ok(planes.map(|size| Plane { size, bytes_per_sample: 1 }).into())
    }

    fn read_rect(
        &mut self,
        frame: Resource<FrameHandle>,
        plane: u32,
        area: Rect,
    ) -> Result<Vec<u8>> {
        let FrameHandle(frame) = self.get(&frame)?;
        // What is larger than the frame leaves it, which says more.
        let wanted = u64::from(area.size.width) * u64::from(area.size.height);
        if wanted <= bytes(frame) as u64 {
            within(LimitKind::Call, wanted, CALL_BYTES as u64)?;
        }
        let mut samples = Vec::new();
        frame
            .picture
            .read_rect(plane as usize, place(area), &mut samples)
            .map_err(|error| misplaced(frame, plane, area, error))?;
        Ok(samples)
    }

    fn write_rect(
        &mut self,
        frame: Resource<FrameHandle>,
        plane: u32,
        area: Rect,
        samples: Vec<u8>,
    ) -> Result<()> {
        let written = self.writable(&frame)?.write_rect(plane as usize, place(area), &samples);
        if let Err(error) = written {
            return Err(misplaced(&self.get(&frame)?.0, plane, area, error).into());
        }
        Ok(())
    }

    fn fill_rect(
        &mut self,
        frame: Resource<FrameHandle>,
        plane: u32,
        area: Rect,
        sample: u32,
    ) -> Result<()> {
        let fits = u8::try_from(sample);
        let sample = fits.map_err(|_| {
            Stop::contract(format!("a sample of 8 bits is in 0..=255, not {sample}"))
        })?;
        let filled = self.writable(&frame)?.fill_rect(plane as usize, place(area), sample);
        if let Err(error) = filled {
            return Err(misplaced(&self.get(&frame)?.0, plane, area, error).into());
        }
        Ok(())
    }

    fn blit(
        &mut self,
        frame: Resource<FrameHandle>,
        image: Resource<Image>,
        at: Point,
    ) -> Result<()> {
        let image = self.get(&image)?;
        let raster = self.get(&frame)?.0.picture.size();
        let end = |from: u32, length: u32| u64::from(from) + u64::from(length);
        let inside = end(at.x, image.size.width) <= u64::from(raster.width)
            && end(at.y, image.size.height) <= u64::from(raster.height);
        ensure(inside, || {
            let picture::Size { width, height } = raster;
            format!("a picture of {} at {at} leaves the raster of {width}x{height}", image.size)
        })?;
        let image = image.clone();
        let mark = self.marks.of(&image, at)?;
        let blended = mark.blend(self.writable(&frame)?);
        Ok(blended.map_err(|error| Stop::Host(format!("a picture was not drawn: {error}")))?)
    }

    fn retain(&mut self, frame: Resource<FrameHandle>) -> Result<Resource<FrameHandle>> {
        let FrameHandle(frame) = self.get(&frame)?;
        let second = frame.clone();
        self.push_frame(second)
    }

    fn drop(&mut self, frame: Resource<FrameHandle>) -> Result<()> {
        self.take_frame(frame).map(drop)
    }
}

impl frames::HostPass for Host {
    fn first(&mut self, pass: Resource<Pass>) -> Result<u64> {
        Ok(self.get(&pass)?.first)
    }

    fn frames(&mut self, pass: Resource<Pass>) -> Result<Option<u64>> {
        Ok(self.get(&pass)?.frames)
    }

    fn drop(&mut self, pass: Resource<Pass>) -> Result<()> {
        self.take(pass).map(drop)
    }
}
