//! What the host keeps for one instance, and the functions that it gives to it.

mod assets;
pub(crate) mod bindings;
mod drawing;
mod encoding;
pub(crate) mod exports;
mod frames;
pub(crate) mod handles;
mod job;
pub(crate) mod linker;
pub(crate) mod log;
mod manifest;
mod marks;
mod memory;
mod outcome;
mod output;
mod packets;
mod plans;
mod source;
mod text;
#[allow(unreachable_pub, reason = "the generated bindings re-export it")]
pub mod types;

use std::sync::Arc;
use std::time::Duration;

use wasmtime::ResourceLimiter;
use wasmtime::component::{Resource, ResourceTable};
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use crate::clock::Clock;
use crate::engine::{Alive, TICK_MS};
use crate::fault::{LimitKind, Stop, within};
use crate::model::{Job, Warning};
use crate::{Limits, Output, Terms};
use log::Log;
use marks::Marks;
use memory::Memory;

pub(crate) use handles::{JobHandle, ManifestHandle, SinkHandle, VerdictHandle};

/// The step in which plugin time is counted.
const TICK: Duration = Duration::from_millis(TICK_MS);

/// The longest answer of the random number generator, in bytes.
const MAX_RANDOM_BYTES: u64 = 64 << 10;

/// The data of one store, and so of one instance.
pub(crate) struct Host {
    pub(crate) table: ResourceTable,
    wasi: WasiCtx,
    limits: Limits,
    memory: Memory,
    ticks: u64,
    ticks_allowed: u64,
    forgiven: Duration,
    image_bytes: u64,
    frame_bytes: u64,
    state_bytes: u64,
    marks: Marks,
    encoded_track: Option<u32>,
    warnings: Vec<Warning>,
    output: Option<Output>,
    clock: Clock,
    _alive: Alive,
}

/// What an instance is given.
pub(crate) struct Means<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) plugin_time_ms: u64,
    pub(crate) output: Option<Output>,
    pub(crate) log: &'a Arc<Log>,
    pub(crate) clock: Clock,
    pub(crate) alive: Alive,
}

impl Host {
    pub(crate) fn new(means: Means<'_>) -> Result<Self, Stop> {
        let Means { terms, plugin_time_ms, output, log, clock, alive } = means;
        let mut table = ResourceTable::new();
        table.set_max_capacity(terms.limits.handles as usize);
        let mut wasi = WasiCtxBuilder::new();
        wasi.stdout(log.stdout()).stderr(log.stderr()).max_random_size(MAX_RANDOM_BYTES);
        for grant in &terms.grants.read_only {
            wasi.preopened_dir(&grant.host, &grant.guest, FsPerms::ReadOnly).map_err(|error| {
                Stop::Host(format!(
                    "the granted {} cannot be opened: {error}",
                    grant.host.display()
                ))
            })?;
        }
        Ok(Self {
            table,
            wasi: wasi.build(),
            limits: terms.limits.clone(),
            memory: Memory::new(terms.limits.memory_bytes),
            ticks: 0,
            ticks_allowed: plugin_time_ms.div_ceil(TICK_MS),
            forgiven: Duration::ZERO,
            image_bytes: 0,
            frame_bytes: 0,
            state_bytes: 0,
            marks: Marks::new(terms.limits.image_bytes),
            encoded_track: None,
            warnings: Vec::new(),
            output,
            clock,
            _alive: alive,
        })
    }

    /// The limiter of the store's memories and tables.
    pub(crate) fn limiter(&mut self) -> &mut dyn ResourceLimiter {
        &mut self.memory
    }

    /// Counts a tick in which the plugin was found running.
    pub(crate) fn tick(&mut self) -> Result<(), Stop> {
        // The host's own time may have been most of it.
        match self.forgiven.checked_sub(TICK) {
            Some(rest) => self.forgiven = rest,
            None => self.ticks += 1,
        }
        let used = self.ticks.saturating_mul(TICK_MS);
        let allowed = self.ticks_allowed.saturating_mul(TICK_MS);
        within(LimitKind::Time, used, allowed)
    }

    /// Takes time that the host used for itself from the plugin's. However long it was, no more
    /// than a tick of it is counted as the plugin's.
    fn forgive(&mut self, hosts_own: Duration) {
        self.forgiven += hosts_own.min(TICK);
    }

    /// Starts the count of plugin time anew: what is limited is each call.
    pub(crate) fn begin_count(&mut self) {
        (self.ticks, self.forgiven) = (0, Duration::ZERO);
    }

    /// Lets the instance draw pictures on the frames of a job's raster.
    pub(crate) fn draws_on(&mut self, job: &Job) {
        self.marks.colour_of(job);
    }

    /// Lets the instance make packets, which are of this track.
    pub(crate) fn encodes(&mut self, track: u32) {
        self.encoded_track = Some(track);
    }

    pub(crate) fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    pub(crate) fn take_output(&mut self) -> Result<Output, Stop> {
        self.output.take().ok_or_else(no_output)
    }

    fn output(&mut self) -> Result<&mut Output, Stop> {
        self.output.as_mut().ok_or_else(no_output)
    }

    pub(crate) fn push<T: Send + 'static>(&mut self, value: T) -> wasmtime::Result<Resource<T>> {
        Ok(self.table.push(value)?)
    }

    fn get<T: Send + 'static>(&self, handle: &Resource<T>) -> wasmtime::Result<&T> {
        Ok(self.table.get(handle)?)
    }

    fn get_mut<T: Send + 'static>(&mut self, handle: &Resource<T>) -> wasmtime::Result<&mut T> {
        Ok(self.table.get_mut(handle)?)
    }

    pub(crate) fn take<T: Send + 'static>(&mut self, handle: Resource<T>) -> wasmtime::Result<T> {
        Ok(self.table.delete(handle)?)
    }
}

fn no_output() -> Stop {
    Stop::Host("the instance has no output".to_owned())
}

impl WasiView for Host {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}
