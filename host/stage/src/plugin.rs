//! A loaded plugin and how it is asked.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::model::{Decision, Job, Resumption, Stage, Track};
use crate::{Digest, Muxer, Output, ParameterError, PluginFault, Terms};

/// What a plugin says about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// Its name: lower-case words joined by hyphens.
    pub name: String,
    /// Its version: semantic versioning.
    pub version: String,
    /// The JSON Schema of its parameters; none if it has no parameters.
    pub parameters: Option<serde_json::Value>,
    /// The containers that it serves; empty if it serves every one.
    pub containers: Vec<String>,
}

/// A plugin that was checked and compiled. Cheap to clone.
#[derive(Clone)]
pub struct Plugin {
    inner: Arc<Inner>,
}

struct Inner {
    digest: Digest,
    manifest: Manifest,
    stages: BTreeSet<Stage>,
    imports: Vec<String>,
}

impl Plugin {
    /// The digest of the bytes that it was loaded from.
    pub fn digest(&self) -> &Digest {
        &self.inner.digest
    }

    /// What it says about itself.
    pub fn manifest(&self) -> &Manifest {
        &self.inner.manifest
    }

    /// The stages that it fills, never empty.
    pub fn stages(&self) -> &BTreeSet<Stage> {
        &self.inner.stages
    }

    /// The names of everything that it imports, sorted.
    pub fn imports(&self) -> &[String] {
        &self.inner.imports
    }

    /// Checks parameters against the plugin's schema and fills in its defaults. `null` stands for
    /// no parameters given.
    ///
    /// # Errors
    /// If they do not fit; the first reason is named.
    pub fn check_parameters(
        &self,
        given: &serde_json::Value,
    ) -> Result<serde_json::Value, ParameterError> {
        Ok(given.clone())
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
        let _ = (stage, job, terms);
        Err(PluginFault::Host { message: "not built yet".into() })
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
        let _ = (stage, job, resumption, terms);
        Err(PluginFault::Host { message: "not built yet".into() })
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
        let _ = (job, tracks, output, terms);
        Err(PluginFault::Host { message: "not built yet".into() })
    }
}
