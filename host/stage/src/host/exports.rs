//! What a plugin exports.

use std::collections::BTreeSet;

use wasmtime::Result;
use wasmtime::Store;
use wasmtime::component::{Instance, InstancePre, Resource};

use super::bindings::exports::video_render::stage::{
    encode, frame_encoder, frame_filter, mux, muxing, plugin, watermark,
};
use super::{Host, JobHandle, VerdictHandle};
use crate::model::{Resumption, Stage};

/// Where the exported interfaces of a plugin are; each stage is looked up by itself, so a plugin
/// needs to have one.
pub(crate) struct Exports {
    plugin: plugin::GuestIndices,
    encode: Option<encode::GuestIndices>,
    watermark: Option<watermark::GuestIndices>,
    mux: Option<mux::GuestIndices>,
    muxing: Option<muxing::GuestIndices>,
    filter: Option<frame_filter::GuestIndices>,
    encoder: Option<frame_encoder::GuestIndices>,
}

impl Exports {
    /// Finds the exports of a component.
    ///
    /// # Errors
    /// If it does not describe itself.
    pub(crate) fn find(pre: &InstancePre<Host>) -> Result<Self> {
        Ok(Self {
            plugin: plugin::GuestIndices::new(pre)?,
            encode: encode::GuestIndices::new(pre).ok(),
            watermark: watermark::GuestIndices::new(pre).ok(),
            mux: mux::GuestIndices::new(pre).ok(),
            muxing: muxing::GuestIndices::new(pre).ok(),
            filter: frame_filter::GuestIndices::new(pre).ok(),
            encoder: frame_encoder::GuestIndices::new(pre).ok(),
        })
    }

    /// The stages that are there.
    pub(crate) fn stages(&self) -> BTreeSet<Stage> {
        let found = [
            self.encode.as_ref().map(|_| Stage::Encode),
            self.watermark.as_ref().map(|_| Stage::Watermark),
            self.mux.as_ref().map(|_| Stage::Mux),
        ];
        found.into_iter().flatten().collect()
    }

    /// The interface that is missing beside another which needs it.
    pub(crate) fn missing(&self) -> Option<&'static str> {
        if self.muxing.is_some() != self.mux.is_some() {
            return Some(match self.mux {
                Some(_) => "it exports mux without muxing, which writes the file",
                None => "it exports muxing without mux, which decides",
            });
        }
        if self.filter.is_some() && self.watermark.is_none() {
            return Some("it exports frame-filter without watermark, which decides");
        }
        if self.encoder.is_some() && self.encode.is_none() {
            return Some("it exports frame-encoder without encode, which decides");
        }
        None
    }

    /// Whether frames can pass through the plugin.
    pub(crate) fn filters_frames(&self) -> bool {
        self.filter.is_some()
    }

    /// Whether the plugin can encode frames.
    pub(crate) fn encodes_frames(&self) -> bool {
        self.encoder.is_some()
    }

    /// The interface that describes the plugin.
    pub(crate) fn plugin(
        &self,
        store: &mut Store<Host>,
        instance: &Instance,
    ) -> Result<plugin::Guest> {
        self.plugin.load(store, instance)
    }

    /// The interface by which a stage decides.
    pub(crate) fn decider(
        &self,
        stage: Stage,
        store: &mut Store<Host>,
        instance: &Instance,
    ) -> Result<Decider> {
        Ok(match stage {
            Stage::Encode => Decider::Encode(there(&self.encode)?.load(store, instance)?),
            Stage::Watermark => Decider::Watermark(there(&self.watermark)?.load(store, instance)?),
            Stage::Mux => Decider::Mux(there(&self.mux)?.load(store, instance)?),
        })
    }

    /// The interface by which a file is written.
    pub(crate) fn muxing(
        &self,
        store: &mut Store<Host>,
        instance: &Instance,
    ) -> Result<muxing::Guest> {
        there(&self.muxing)?.load(store, instance)
    }

    /// The interface by which frames pass through the plugin.
    pub(crate) fn filter(
        &self,
        store: &mut Store<Host>,
        instance: &Instance,
    ) -> Result<frame_filter::Guest> {
        there(&self.filter)?.load(store, instance)
    }

    /// The interface by which the plugin encodes frames.
    pub(crate) fn encoder(
        &self,
        store: &mut Store<Host>,
        instance: &Instance,
    ) -> Result<frame_encoder::Guest> {
        there(&self.encoder)?.load(store, instance)
    }
}

fn there<T>(indices: &Option<T>) -> Result<&T> {
    indices.as_ref().ok_or_else(|| wasmtime::Error::msg("the interface is not there"))
}

/// One of the interfaces by which stages decide; they are alike.
pub(crate) enum Decider {
    Encode(encode::Guest),
    Watermark(watermark::Guest),
    Mux(mux::Guest),
}

impl Decider {
    pub(crate) async fn start(
        &self,
        store: &mut Store<Host>,
        job: Resource<JobHandle>,
    ) -> Result<Resource<VerdictHandle>> {
        match self {
            Self::Encode(stage) => stage.call_start(store, job).await,
            Self::Watermark(stage) => stage.call_start(store, job).await,
            Self::Mux(stage) => stage.call_start(store, job).await,
        }
    }

    pub(crate) async fn resume(
        &self,
        store: &mut Store<Host>,
        job: Resource<JobHandle>,
        resumption: Resource<Resumption>,
    ) -> Result<Resource<VerdictHandle>> {
        match self {
            Self::Encode(stage) => stage.call_resume(store, job, resumption).await,
            Self::Watermark(stage) => stage.call_resume(store, job, resumption).await,
            Self::Mux(stage) => stage.call_resume(store, job, resumption).await,
        }
    }
}
