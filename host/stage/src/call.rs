//! Calls into instances, under limits.

use std::sync::Arc;
use std::time::Duration;

use wasmtime::{Store, UpdateDeadline};

use crate::clock::Clock;
use crate::engine::Shared;
use crate::fault::{CALL_BYTES, Circumstances, LimitKind, within};
use crate::host::log::Log;
use crate::host::{Host, Means};
use crate::{Output, PluginFault, Terms};

/// What is known of an instance from outside, so that it is known when the instance is gone.
pub(crate) struct Watch {
    plugin: String,
    terms: Terms,
    log: Arc<Log>,
    clock: Clock,
}

impl Watch {
    pub(crate) fn new(plugin: &str, terms: &Terms) -> Self {
        Self {
            plugin: plugin.to_owned(),
            terms: terms.clone(),
            log: Log::new(plugin, terms.limits.log_bytes),
            clock: Clock::default(),
        }
    }

    /// The plugin's name.
    pub(crate) fn plugin(&self) -> &str {
        &self.plugin
    }

    /// A store for one instance that may run for so long.
    pub(crate) fn store(
        &self,
        shared: &Shared,
        plugin_time_ms: u64,
        output: Option<Output>,
    ) -> wasmtime::Result<Store<Host>> {
        let (terms, limits) = (&self.terms, &self.terms.limits);
        let (log, clock, alive) = (&self.log, self.clock.clone(), shared.alive());
        let host = Host::new(Means { terms, plugin_time_ms, output, log, clock, alive })?;
        let mut store = Store::new(&shared.wasmtime, host);
        store.limiter(Host::limiter);
        store.set_hostcall_fuel(CALL_BYTES);
        store.set_max_component_handles(limits.handles as usize);
        store.epoch_deadline_callback(|mut store| {
            store.data_mut().tick()?;
            Ok(UpdateDeadline::Yield(1))
        });
        begin_call(&mut store);
        Ok(store)
    }

    /// Does the work of a call within the wall time; what fails becomes a fault.
    pub(crate) async fn run<T>(
        &self,
        wall_ms: u64,
        work: impl Future<Output = wasmtime::Result<T>>,
    ) -> Result<T, PluginFault> {
        match self.clock.limit(Duration::from_millis(wall_ms), work).await {
            Some(Ok(value)) => Ok(value),
            Some(Err(error)) => Err(self.circumstances().classify(error)),
            None => Err(self.circumstances().late(wall_ms)),
        }
    }

    /// The fault of a plugin that broke a rule which is checked after the call.
    pub(crate) fn broken(&self, rule: String) -> PluginFault {
        self.circumstances().broken(rule)
    }

    /// Fails if a limit is passed by what was answered.
    pub(crate) fn within(
        &self,
        limit: LimitKind,
        used: u64,
        allowed: u64,
    ) -> Result<(), PluginFault> {
        within(limit, used, allowed).map_err(|stop| self.circumstances().classify(stop.into()))
    }

    fn circumstances(&self) -> Circumstances<'_> {
        Circumstances {
            plugin: &self.plugin,
            limits: &self.terms.limits,
            last_words: self.log.last_words(),
        }
    }
}

/// Starts a call whose plugin time is counted by itself.
pub(crate) fn begin_frame_call(store: &mut Store<Host>) {
    store.data_mut().begin_count();
    begin_call(store);
}

/// Starts a tick anew: the time between calls is not the plugin's.
pub(crate) fn begin_call(store: &mut Store<Host>) {
    store.set_epoch_deadline(1);
}
