//! One file being written by a plugin.

use std::fs::File;

use wasmtime::Store;
use wasmtime::component::ResourceAny;

use crate::call::{Watch, begin_call};
use crate::host::bindings::exports::video_render::stage::muxing;
use crate::host::{Host, JobHandle, SinkHandle};
use crate::model::{Job, Packet, Track, Warning};
use crate::plugin::Loaded;
use crate::{Output, PluginFault, Terms};

/// One file being written by a plugin, which lives in an instance of its own. After an error, or
/// a call that was not awaited to its end, it can only be dropped.
pub struct Muxer {
    watch: Watch,
    wall_ms: u64,
    writing: Option<Writing>,
}

struct Writing {
    store: Store<Host>,
    guest: muxing::Guest,
    muxer: ResourceAny,
}

/// A finished file.
#[derive(Debug)]
pub struct Written {
    /// The file that [`Output::new`](crate::Output::new) was given; not yet synced to the disk.
    pub file: File,
    /// Its length in bytes.
    pub bytes: u64,
    /// How many of them the plugin wrote itself: headers, indexes.
    pub plugin_bytes: u64,
    /// What the plugin wants said about the file; at most 32.
    pub warnings: Vec<Warning>,
}

impl Muxer {
    pub(crate) async fn begin(
        plugin: &Loaded,
        job: &Job,
        tracks: Vec<Track>,
        output: Output,
        terms: &Terms,
    ) -> Result<Self, PluginFault> {
        let watch = Watch::new(&plugin.manifest.name, terms);
        let wall_ms = terms.limits.mux_wall_per_call_ms;
        let output = output.limited(terms.limits.output_bytes);
        let work = async {
            let mut store = watch.store(&plugin.shared, terms.limits.mux_time_ms, Some(output))?;
            let instance = plugin.pre.instantiate_async(&mut store).await?;
            let guest = plugin.exports.muxing(&mut store, &instance)?;
            let host = store.data_mut();
            let job = host.push(JobHandle(job.clone()))?;
            let sink = host.push(SinkHandle)?;
            let tracks = tracks
                .into_iter()
                .map(|track| host.push(track))
                .collect::<wasmtime::Result<Vec<_>>>()?;
            match guest.muxer().call_begin(&mut store, job, &tracks, sink).await? {
                Ok(muxer) => Ok(Ok(Writing { store, guest, muxer })),
                Err(fault) => Ok(Err(store.data_mut().take(fault)?)),
            }
        };
        match watch.run(wall_ms, work).await? {
            Ok(writing) => Ok(Self { watch, wall_ms, writing: Some(writing) }),
            Err(fault) => Err(fault.of(watch.plugin())),
        }
    }

    /// Hands over the next packet. Packets come by decode time across all tracks.
    ///
    /// # Errors
    /// See [`PluginFault`].
    pub async fn write(&mut self, packet: Packet) -> Result<(), PluginFault> {
        // Taken out, so that a call that is dropped half-way takes its instance with it.
        let mut writing = self.take()?;
        let work = async {
            let Writing { store, guest, muxer } = &mut writing;
            begin_call(store);
            let packet = store.data_mut().push(packet)?;
            let lent = wasmtime::component::Resource::new_borrow(packet.rep());
            let answer = guest.muxer().call_write(&mut *store, *muxer, lent).await?;
            let host = store.data_mut();
            host.take(packet)?;
            answer.map_or_else(|fault| host.take(fault).map(Err), |()| Ok(Ok(())))
        };
        match self.watch.run(self.wall_ms, work).await? {
            Ok(()) => {
                self.writing = Some(writing);
                Ok(())
            }
            Err(fault) => Err(fault.of(self.watch.plugin())),
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// See [`PluginFault`].
    pub async fn finish(mut self) -> Result<Written, PluginFault> {
        let Writing { mut store, guest, muxer } = self.take()?;
        let work = async {
            begin_call(&mut store);
            let answer = guest.muxer().call_finish(&mut store, muxer).await?;
            let host = store.data_mut();
            match answer {
                Ok(()) => Ok(Ok((host.take_output()?, host.take_warnings()))),
                Err(fault) => Ok(Err(host.take(fault)?)),
            }
        };
        match self.watch.run(self.wall_ms, work).await? {
            Ok((output, warnings)) => output.finish(warnings).map_err(PluginFault::Storage),
            Err(fault) => Err(fault.of(self.watch.plugin())),
        }
    }

    fn take(&mut self) -> Result<Writing, PluginFault> {
        self.writing.take().ok_or_else(|| PluginFault::Host {
            message: format!("the muxer of plugin {} has ended", self.watch.plugin()),
        })
    }
}
