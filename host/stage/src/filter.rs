//! One pass of frames through a plugin.

use picture::Frame;
use wasmtime::Store;
use wasmtime::component::ResourceAny;

use crate::call::{Watch, begin_frame_call};
use crate::host::bindings::exports::video_render::stage::frame_filter;
use crate::host::{Host, JobHandle};
use crate::model::{Job, Warning};
use crate::plugin::Loaded;
use crate::{PluginFault, Terms};

/// A walk over consecutive frames of a raster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// The index of the first frame on the raster.
    pub first: u64,
    /// How many frames will come, as far as that is known.
    pub frames: Option<u64>,
}

/// One pass of frames through a plugin, which lives in an instance of its own. After an error, or
/// a call that was not awaited to its end, it can only be dropped.
pub struct Filter {
    watch: Watch,
    wall_ms: u64,
    tally: Tally,
    working: Option<Working>,
}

struct Working {
    store: Store<Host>,
    guest: frame_filter::Guest,
    filter: ResourceAny,
}

/// What came and what was returned, in numbers.
struct Tally {
    first: u64,
    look_ahead: u64,
    came: u64,
    returned: u64,
}

impl Filter {
    pub(crate) async fn begin(
        plugin: &Loaded,
        job: &Job,
        pass: Pass,
        look_ahead: u32,
        terms: &Terms,
    ) -> Result<Self, PluginFault> {
        let watch = Watch::new(&plugin.manifest.name, terms);
        let wall_ms = terms.limits.frame_wall_per_call_ms;
        let work = async {
            let mut store = watch.store(&plugin.shared, terms.limits.frame_time_ms, None)?;
            let instance = plugin.pre.instantiate_async(&mut store).await?;
            let guest = plugin.exports.filter(&mut store, &instance)?;
            let host = store.data_mut();
            host.draws_on(job);
            let job = host.push(JobHandle(job.clone()))?;
            let lent = host.push(pass)?;
            let pass = wasmtime::component::Resource::new_borrow(lent.rep());
            let answer = guest.filter().call_begin(&mut store, job, pass).await?;
            let host = store.data_mut();
            host.take(lent)?;
            match answer {
                Ok(filter) => Ok(Ok(Working { store, guest, filter })),
                Err(fault) => Ok(Err(host.take(fault)?)),
            }
        };
        match watch.run(wall_ms, work).await? {
            Ok(working) => {
                let look_ahead = u64::from(look_ahead);
                let tally = Tally { first: pass.first, look_ahead, came: 0, returned: 0 };
                Ok(Self { watch, wall_ms, tally, working: Some(working) })
            }
            Err(fault) => Err(fault.of(watch.plugin())),
        }
    }

    /// Hands over the next frame and takes those that are finished. The n-th frame that is
    /// returned has the index of the n-th that came, whichever it was before.
    ///
    /// # Errors
    /// See [`PluginFault`].
    pub async fn push(&mut self, frame: Frame) -> Result<Vec<Frame>, PluginFault> {
        // Taken out, so that a call that is dropped half-way takes its instance with it.
        let mut working = self.take()?;
        let work = async {
            let Working { store, guest, filter } = &mut working;
            begin_frame_call(store);
            let frame = store.data_mut().push_frame(frame)?;
            let answer = guest.filter().call_push(&mut *store, *filter, frame).await?;
            let host = store.data_mut();
            match answer {
                Ok(frames) => host.take_frames(frames).map(Ok),
                Err(fault) => host.take(fault).map(Err),
            }
        };
        match self.watch.run(self.wall_ms, work).await? {
            Ok(frames) => {
                self.tally.came += 1;
                let frames = self.tally.count(frames).and_then(|frames| {
                    self.tally.check_held()?;
                    Ok(frames)
                });
                let frames = frames.map_err(|rule| self.watch.broken(rule))?;
                self.working = Some(working);
                Ok(frames)
            }
            Err(fault) => Err(fault.of(self.watch.plugin())),
        }
    }

    /// Takes the frames that were held back, and what the plugin wants said.
    ///
    /// # Errors
    /// See [`PluginFault`].
    pub async fn flush(mut self) -> Result<(Vec<Frame>, Vec<Warning>), PluginFault> {
        let Working { mut store, guest, filter } = self.take()?;
        let work = async {
            begin_frame_call(&mut store);
            let answer = guest.filter().call_flush(&mut store, filter).await?;
            let host = store.data_mut();
            match answer {
                Ok(frames) => Ok(Ok((host.take_frames(frames)?, host.take_warnings()))),
                Err(fault) => Ok(Err(host.take(fault)?)),
            }
        };
        match self.watch.run(self.wall_ms, work).await? {
            Ok((frames, warnings)) => {
                let frames = self.tally.count(frames).and_then(|frames| {
                    self.tally.check_end()?;
                    Ok(frames)
                });
                Ok((frames.map_err(|rule| self.watch.broken(rule))?, warnings))
            }
            Err(fault) => Err(fault.of(self.watch.plugin())),
        }
    }

    fn take(&mut self) -> Result<Working, PluginFault> {
        self.working.take().ok_or_else(|| PluginFault::Host {
            message: format!("the filter of plugin {} has ended", self.watch.plugin()),
        })
    }
}

impl Tally {
    /// Gives frames that were returned their places.
    fn count(&mut self, mut frames: Vec<Frame>) -> Result<Vec<Frame>, String> {
        for frame in &mut frames {
            frame.index = self.first + self.returned;
            self.returned += 1;
        }
        if self.returned > self.came {
            return Err(format!(
                "its frame-filter returned {} frames when {} had come",
                self.returned, self.came
            ));
        }
        Ok(frames)
    }

    fn check_held(&self) -> Result<(), String> {
        let held = self.came - self.returned;
        if held <= self.look_ahead {
            return Ok(());
        }
        Err(format!(
            "its frame-filter held back {held} frames, the look-ahead of its plan is {}",
            self.look_ahead
        ))
    }

    fn check_end(&self) -> Result<(), String> {
        if self.returned == self.came {
            return Ok(());
        }
        Err(format!(
            "its frame-filter has returned {} of {} frames when it was flushed",
            self.returned, self.came
        ))
    }
}
