//! The frames that a plugin works on.

use wasmtime::Result;
use wasmtime::component::Resource;

use super::Host;
use super::bindings::video_render::stage::frames::{self, Plane};
use super::handles::FrameHandle;
use super::types::{Point, Rect};
use crate::fault::{LimitKind, Stop, within};
use crate::model::{Image, Pass};

impl Host {
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
}

impl frames::Host for Host {}

impl frames::HostFrame for Host {
    fn index(&mut self, frame: Resource<FrameHandle>) -> Result<u64> {
        match *self.get(&frame)? {}
    }

    fn layout(&mut self, frame: Resource<FrameHandle>) -> Result<u32> {
        match *self.get(&frame)? {}
    }

    fn planes(&mut self, frame: Resource<FrameHandle>) -> Result<Vec<Plane>> {
        match *self.get(&frame)? {}
    }

    fn read_rect(&mut self, frame: Resource<FrameHandle>, _: u32, _: Rect) -> Result<Vec<u8>> {
        match *self.get(&frame)? {}
    }

    fn write_rect(
        &mut self,
        frame: Resource<FrameHandle>,
        _: u32,
        _: Rect,
        _: Vec<u8>,
    ) -> Result<()> {
        match *self.get(&frame)? {}
    }

    fn fill_rect(&mut self, frame: Resource<FrameHandle>, _: u32, _: Rect, _: u32) -> Result<()> {
        match *self.get(&frame)? {}
    }

    fn blit(&mut self, frame: Resource<FrameHandle>, _: Resource<Image>, _: Point) -> Result<()> {
        match *self.get(&frame)? {}
    }

    fn retain(&mut self, frame: Resource<FrameHandle>) -> Result<Resource<FrameHandle>> {
        match *self.get(&frame)? {}
    }

    fn drop(&mut self, frame: Resource<FrameHandle>) -> Result<()> {
        match self.take(frame)? {}
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
