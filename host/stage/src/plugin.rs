//! A loaded plugin and how it is asked.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;
use wasmtime::component::InstancePre;

use crate::call::Watch;
use crate::engine::Shared;
use crate::fault::LimitKind;
use crate::host::exports::Exports;
use crate::host::{Host, JobHandle, VerdictHandle};
use crate::model::{Decision, Job, Resumption, Stage, Track};
use crate::parameters::{Schema, check_none};
use crate::rules::Able;
use crate::{
    Digest, Encoder, EncodingTask, Filter, Muxer, Output, ParameterError, Pass, PluginFault, Terms,
    rules,
};

/// What a plugin says about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// Its name: lower-case words joined by hyphens.
    pub name: String,
    /// Its version: semantic versioning.
    pub version: String,
    /// The JSON Schema of its parameters; none if it has no parameters.
    pub parameters: Option<Value>,
    /// The containers that it serves; empty if it serves every one.
    pub containers: Vec<String>,
    /// The kinds of mark that it can draw; empty if it draws text and nothing else.
    pub marks: Vec<String>,
}

/// A plugin that was checked and compiled. Cheap to clone.
#[derive(Clone)]
pub struct Plugin(pub(crate) Arc<Loaded>);

/// What is kept of a plugin while anybody has it.
pub(crate) struct Loaded {
    pub(crate) shared: Arc<Shared>,
    pub(crate) pre: InstancePre<Host>,
    pub(crate) exports: Exports,
    pub(crate) digest: Digest,
    pub(crate) manifest: Manifest,
    pub(crate) schema: Option<Schema>,
    pub(crate) stages: BTreeSet<Stage>,
    pub(crate) imports: Vec<String>,
}

impl Plugin {
    /// The digest of the bytes that it was loaded from.
    pub fn digest(&self) -> &Digest {
        &self.0.digest
    }

    /// What it says about itself.
    pub fn manifest(&self) -> &Manifest {
        &self.0.manifest
    }

    /// The stages that it fills, never empty.
    pub fn stages(&self) -> &BTreeSet<Stage> {
        &self.0.stages
    }

    /// Whether frames can pass through it.
    pub fn filters_frames(&self) -> bool {
        self.0.exports.filters_frames()
    }

    /// Whether it can encode frames itself.
    pub fn encodes_frames(&self) -> bool {
        self.0.exports.encodes_frames()
    }

    /// Whether it can draw a mark of this kind, such as `text`.
    pub fn draws(&self, mark: &str) -> bool {
        match &self.0.manifest.marks[..] {
            [] => mark == "text",
            marks => marks.iter().any(|kind| kind == mark),
        }
    }

    /// The names of everything that it imports, sorted.
    pub fn imports(&self) -> &[String] {
        &self.0.imports
    }

    /// Checks parameters against the plugin's schema and fills in its defaults. `null` stands for
    /// no parameters given.
    ///
    /// # Errors
    /// If they do not fit; the first reason is named.
    pub fn check_parameters(&self, given: &Value) -> Result<Value, ParameterError> {
        match &self.0.schema {
            Some(schema) => schema.check(given),
            None => check_none(given),
        }
    }

    /// Asks for a decision.
    ///
    /// # Errors
    /// See [`PluginFault`]. A plugin that does not fill the stage is a [`PluginFault::Host`].
    pub async fn start(
        &self,
        stage: Stage,
        job: &Job,
        terms: &Terms,
    ) -> Result<Decision, PluginFault> {
        self.decide(stage, job, None, terms).await
    }

    /// Goes on after a question, in a new instance.
    ///
    /// # Errors
    /// See [`PluginFault`]. A plugin that does not fill the stage is a [`PluginFault::Host`].
    pub async fn resume(
        &self,
        stage: Stage,
        job: &Job,
        resumption: &Resumption,
        terms: &Terms,
    ) -> Result<Decision, PluginFault> {
        self.decide(stage, job, Some(resumption), terms).await
    }

    /// Begins to write a file with these tracks, which are in the encode plan's order.
    ///
    /// # Errors
    /// See [`PluginFault`]. A plugin that does not fill the mux stage is a [`PluginFault::Host`].
    pub async fn begin_mux(
        &self,
        job: &Job,
        tracks: Vec<Track>,
        output: Output,
        terms: &Terms,
    ) -> Result<Muxer, PluginFault> {
        self.require(Stage::Mux)?;
        Muxer::begin(&self.0, job, tracks, output, terms).await
    }

    /// Begins a pass of frames through the plugin, which may hold back `look_ahead` of them: as
    /// many as its plan says.
    ///
    /// # Errors
    /// See [`PluginFault`]. A plugin that does not filter frames is a [`PluginFault::Host`].
    pub async fn begin_filter(
        &self,
        job: &Job,
        pass: Pass,
        look_ahead: u32,
        terms: &Terms,
    ) -> Result<Filter, PluginFault> {
        self.require_export(self.filters_frames(), "frame-filter")?;
        Filter::begin(&self.0, job, pass, look_ahead, terms).await
    }

    /// Begins to encode a track with the plugin.
    ///
    /// # Errors
    /// See [`PluginFault`]. A plugin that does not encode frames is a [`PluginFault::Host`].
    pub async fn begin_encoder(
        &self,
        job: &Job,
        task: EncodingTask,
        terms: &Terms,
    ) -> Result<Encoder, PluginFault> {
        self.require_export(self.encodes_frames(), "frame-encoder")?;
        Encoder::begin(&self.0, job, task, terms).await
    }

    async fn decide(
        &self,
        stage: Stage,
        job: &Job,
        resumption: Option<&Resumption>,
        terms: &Terms,
    ) -> Result<Decision, PluginFault> {
        self.require(stage)?;
        let Loaded { shared, pre, exports, manifest, .. } = &*self.0;
        let watch = Watch::new(&manifest.name, terms);
        let work = async {
            let mut store = watch.store(shared, terms.limits.plugin_time_ms, None)?;
            let instance = pre.instantiate_async(&mut store).await?;
            let decider = exports.decider(stage, &mut store, &instance)?;
            let job = store.data_mut().push(JobHandle(job.clone()))?;
            let verdict = match resumption {
                None => decider.start(&mut store, job).await?,
                Some(resumption) => {
                    let resumption = store.data_mut().push(resumption.clone())?;
                    decider.resume(&mut store, job, resumption).await?
                }
            };
            let host = store.data_mut();
            Ok((host.take(verdict)?, host.take_warnings()))
        };
        let (verdict, warnings) = watch.run(terms.limits.wall_time_ms, work).await?;
        let verdict = match verdict {
            VerdictHandle::Decided(verdict) => verdict,
            VerdictHandle::Fault(fault) => return Err(fault.of(&manifest.name)),
        };
        let able = Able {
            filters_frames: exports.filters_frames(),
            encodes_frames: exports.encodes_frames(),
        };
        rules::check(stage, job, resumption, able, &verdict).map_err(|rule| watch.broken(rule))?;
        watch.within(
            LimitKind::Frames,
            rules::frame_bytes(job, &verdict),
            terms.limits.frame_bytes,
        )?;
        Ok(Decision { verdict, warnings })
    }

    fn require_export(&self, is_there: bool, name: &str) -> Result<(), PluginFault> {
        if is_there {
            return Ok(());
        }
        let message = format!("plugin {} does not export {name}", self.0.manifest.name);
        Err(PluginFault::Host { message })
    }

    fn require(&self, stage: Stage) -> Result<(), PluginFault> {
        if self.0.stages.contains(&stage) {
            return Ok(());
        }
        let message = format!("plugin {} does not fill the {stage} stage", self.0.manifest.name);
        Err(PluginFault::Host { message })
    }
}
