//! A plugin written by hand that works on frames, and the frames that it is given.

use std::sync::Arc;

use picture::{Frame, Layout, Pool};
use stage::model::{Colour, EncodePlan, Job, PlannedTrack, Raster, Rational, Size, VideoEncoding};
use stage::{Encoder, EncodingTask, Engine, Filter, Limits, Pass, Plugin, PluginFault};
use wit_parser::Resolve;

use super::plugin::{job, limited};
use crate::common::{contract, encode, push};

/// What a plugin does differently; each part is WAT for [`frames.wat`].
pub(super) struct Frames {
    pub(super) describe: &'static str,
    pub(super) start: &'static str,
    pub(super) filter_begin: &'static str,
    pub(super) filter_push: String,
    pub(super) filter_flush: &'static str,
    pub(super) encoder_begin: &'static str,
    pub(super) encoder_push: String,
    pub(super) encoder_flush: &'static str,
}

/// Makes one packet of the frame, and gives the frame back.
pub(super) const ENCODE: &str = "
    (i32.store (i32.const 1024) (call $packet (local.get $time) (local.get $time)))
    (call $drop-frame (local.get $frame))";

impl Default for Frames {
    fn default() -> Self {
        Self {
            describe: "",
            start: "",
            filter_begin: "",
            filter_push: String::new(),
            filter_flush: "",
            encoder_begin: "",
            encoder_push: ENCODE.to_owned(),
            encoder_flush: "",
        }
    }
}

impl Frames {
    /// A plugin that does this to each frame before it returns it.
    pub(super) fn filtering(filter_push: impl Into<String>) -> Self {
        Self { filter_push: filter_push.into(), ..Self::default() }
    }

    /// A plugin that encodes so.
    pub(super) fn encoding(encoder_push: impl Into<String>) -> Self {
        Self { encoder_push: encoder_push.into(), ..Self::default() }
    }

    pub(super) async fn load(&self, engine: &Engine) -> Plugin {
        let text = include_str!("frames.wat")
            .replace("{describe}", self.describe)
            .replace("{start}", self.start)
            .replace("{filter-begin}", self.filter_begin)
            .replace("{filter-push}", &self.filter_push)
            .replace("{filter-flush}", self.filter_flush)
            .replace("{encoder-begin}", self.encoder_begin)
            .replace("{encoder-push}", &self.encoder_push)
            .replace("{encoder-flush}", self.encoder_flush);
        let mut files = contract();
        let world = "world under-test { include frame-filter-plugin; \
                     include frame-encoder-plugin; }";
        files.push(("under-test.wit".into(), world.into()));
        let mut resolve = Resolve::default();
        let package = push(&mut resolve, &files);
        let module = wat::parse_str(text).unwrap();
        engine.load(&encode(&resolve, package, "under-test", module)).await.unwrap()
    }

    pub(super) async fn filter(
        &self,
        engine: &Engine,
        look_ahead: u32,
        limits: Limits,
    ) -> Result<Filter, PluginFault> {
        let plugin = self.load(engine).await;
        let pass = Pass { first: 5, frames: Some(3) };
        plugin.begin_filter(&framed_job(SMALL), pass, look_ahead, &limited(limits)).await
    }

    pub(super) async fn encoder(
        &self,
        engine: &Engine,
        limits: Limits,
    ) -> Result<Encoder, PluginFault> {
        let plugin = self.load(engine).await;
        let task = EncodingTask { track: 0, timescale: 250, frame_duration: 10, frames: None };
        plugin.begin_encoder(&framed_job(SMALL), task, &limited(limits)).await
    }
}

/// The raster of most tests.
pub(super) const SMALL: Size = Size { width: 8, height: 4 };

/// What a frame of it takes.
pub(super) const SMALL_BYTES: u64 = 48;

/// A job whose encode plan has one video track on a raster of this size.
pub(super) fn framed_job(size: Size) -> Job {
    let colour = Colour { primaries: 1, transfer: 1, matrix: 1, full_range: false };
    let frame_rate = Rational { numerator: 25, denominator: 1 };
    let tracks = vec![PlannedTrack::Video { source: 0, encoding: VideoEncoding::new("mjpg") }];
    let encode_plan = Some(EncodePlan { raster: Raster { size, frame_rate, colour }, tracks });
    Job { encode_plan, ..job() }
}

/// A frame whose samples are all its index.
pub(super) fn frame_of(size: Size, index: u64) -> Frame {
    let size = picture::Size { width: size.width, height: size.height };
    let mut picture = Pool::new(size, Layout::Yuv420p8, 4).take();
    picture.bytes_mut().fill(index as u8);
    Frame { index, picture: Arc::new(picture) }
}

pub(super) fn frame(index: u64) -> Frame {
    frame_of(SMALL, index)
}

/// The index of each frame and what its first sample is.
pub(super) fn seen(frames: &[Frame]) -> Vec<(u64, u8)> {
    frames.iter().map(|frame| (frame.index, frame.picture.bytes()[0])).collect()
}

/// The message of the rule that was broken.
pub(super) fn rule<T>(outcome: Result<T, PluginFault>) -> String {
    match outcome.err() {
        Some(PluginFault::Contract { plugin, message }) => {
            assert_eq!(plugin, "test-plugin");
            message
        }
        other => panic!("{other:?}"),
    }
}
