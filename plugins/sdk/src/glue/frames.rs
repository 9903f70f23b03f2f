//! The optional interfaces that work on frames.

use super::stages::{Encode, Watermark};
use super::{read, write};
use crate::bindings::host::{encoding, frames, job as host, outcome, packets, plans};
use crate::bindings::{frame_encoder, frame_filter};
use crate::frames::bands;
use crate::{Encoder, Fault, Filter, Frame, FrameEncoder, FrameFilter, Image, Plane, Point, Rect};
use std::cell::RefCell;

impl Frame for frames::Frame {
    type Picture = plans::Image;

    fn index(&self) -> u64 {
        Self::index(self)
    }

    fn layout(&self) -> u32 {
        Self::layout(self)
    }

    fn planes(&self) -> Vec<Plane> {
        Self::planes(self).iter().map(read::plane).collect()
    }

    fn read_rect(&self, plane: usize, area: Rect, samples: &mut Vec<u8>) {
        // The boundary always makes a new buffer. Given back first, the old one
        // is what the allocator finds.
        drop(std::mem::take(samples));
        let plane = write::place(plane);
        let mut bands = bands(area);
        if let Some(first) = bands.next() {
            *samples = Self::read_rect(self, plane, write::rect(first));
        }
        for band in bands {
            samples.extend(Self::read_rect(self, plane, write::rect(band)));
        }
    }

    fn write_rect(&mut self, plane: usize, area: Rect, samples: &[u8]) {
        let plane = write::place(plane);
        let row = samples.len() / (area.size.height as usize).max(1);
        let mut rest = samples;
        let mut bands = bands(area).peekable();
        while let Some(band) = bands.next() {
            // The last one takes all, so that the host sees a wrong length.
            let length = match bands.peek() {
                Some(_) => row * band.size.height as usize,
                None => rest.len(),
            };
            let (now, later) = rest.split_at_checked(length).unwrap_or((rest, &[]));
            Self::write_rect(self, plane, write::rect(band), now);
            rest = later;
        }
    }

    fn fill_rect(&mut self, plane: usize, area: Rect, sample: u32) {
        Self::fill_rect(self, write::place(plane), write::rect(area), sample);
    }

    fn picture(image: &Image) -> plans::Image {
        write::image(image)
    }

    fn blit(&mut self, picture: &plans::Image, at: Point) {
        Self::blit(self, picture, write::point(at));
    }

    fn retain(&self) -> Self {
        Self::retain(self)
    }
}

impl<T: FrameFilter> Watermark<T> {
    /// Lets a native build find out whether the plugin filters frames.
    pub const FILTERS: () = ();
}

impl<T: FrameFilter> frame_filter::Guest for Watermark<T> {
    type Filter = OpenPass<T>;
}

/// The exported filter; empty once it is flushed or has failed.
pub struct OpenPass<T: FrameFilter>(RefCell<Option<T::Filter<frames::Frame>>>);

impl<T: FrameFilter> frame_filter::GuestFilter for OpenPass<T> {
    fn begin(job: &host::Job, pass: &frames::Pass) -> Result<frame_filter::Filter, outcome::Fault> {
        read::job(job)
            .and_then(|facts| {
                let begun = T::begin(&facts, read::pass(pass));
                write::warnings(&facts, job);
                begun
            })
            .map(|filter| frame_filter::Filter::new(Self(RefCell::new(Some(filter)))))
            .map_err(|fault| write::fault(&fault))
    }

    fn push(&self, frame: frames::Frame) -> Result<Vec<frames::Frame>, outcome::Fault> {
        let mut open = self.0.borrow_mut();
        let filter = open.as_mut().ok_or_else(ended)?;
        filter.push(frame).map_err(|fault| {
            *open = None;
            write::fault(&fault)
        })
    }

    fn flush(&self) -> Result<Vec<frames::Frame>, outcome::Fault> {
        let filter = self.0.borrow_mut().take().ok_or_else(ended)?;
        filter.flush().map_err(|fault| write::fault(&fault))
    }
}

impl<T: FrameEncoder> Encode<T> {
    /// Lets a native build find out whether the plugin encodes frames.
    pub const ENCODES: () = ();
}

impl<T: FrameEncoder> frame_encoder::Guest for Encode<T> {
    type Encoder = OpenTrack<T>;
}

/// The exported encoder; empty once it has failed.
pub struct OpenTrack<T: FrameEncoder>(RefCell<Option<T::Encoder<frames::Frame>>>);

impl<T: FrameEncoder> OpenTrack<T> {
    fn with<R>(
        &self,
        work: impl FnOnce(&mut T::Encoder<frames::Frame>) -> Result<R, Fault>,
    ) -> Result<R, outcome::Fault> {
        let mut open = self.0.borrow_mut();
        let encoder = open.as_mut().ok_or_else(ended)?;
        work(encoder).map_err(|fault| {
            *open = None;
            write::fault(&fault)
        })
    }
}

impl<T: FrameEncoder> frame_encoder::GuestEncoder for OpenTrack<T> {
    fn begin(
        job: &host::Job,
        task: &encoding::EncodingTask,
    ) -> Result<frame_encoder::Encoder, outcome::Fault> {
        read::job(job)
            .and_then(|facts| {
                let begun = T::begin(&facts, read::task(task));
                write::warnings(&facts, job);
                begun
            })
            .map(|encoder| frame_encoder::Encoder::new(Self(RefCell::new(Some(encoder)))))
            .map_err(|fault| write::fault(&fault))
    }

    fn track(&self) -> Result<encoding::EncodedTrack, outcome::Fault> {
        self.with(T::Encoder::track).map(|track| write::encoded_track(&track))
    }

    fn push(&self, frame: &frames::Frame) -> Result<Vec<packets::Packet>, outcome::Fault> {
        self.with(|encoder| encoder.push(frame)).map(|made| write::packets(&made))
    }

    fn flush(&self) -> Result<Vec<packets::Packet>, outcome::Fault> {
        self.with(T::Encoder::flush).map(|made| write::packets(&made))
    }
}

fn ended() -> outcome::Fault {
    write::fault(&Fault::failed("The work on these frames has already ended."))
}
