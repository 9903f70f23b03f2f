//! The job as a plugin sees it.

use std::sync::Arc;

use wasmtime::Result;
use wasmtime::component::Resource;

use super::Host;
use super::bindings::video_render::stage::job;
use super::handles::{JobHandle, RequestHandle, SourceHandle};
use super::text::{is_words, sentence, short};
use super::types::{Anchor, Size};
use crate::fault::ensure;
use crate::model::{Answer, Blob, EncodePlan, Plan, Resumption, Warning};

/// The most warnings of an instance.
const MAX_WARNINGS: usize = 32;

impl job::Host for Host {}

impl job::HostJob for Host {
    fn source(&mut self, job: Resource<JobHandle>) -> Result<Resource<SourceHandle>> {
        let source = Arc::clone(&self.get(&job)?.0.source);
        self.push(SourceHandle(source))
    }

    fn request(&mut self, job: Resource<JobHandle>) -> Result<Resource<RequestHandle>> {
        let request = Arc::clone(&self.get(&job)?.0.request);
        self.push(RequestHandle(request))
    }

    fn parameters(&mut self, job: Resource<JobHandle>) -> Result<String> {
        Ok(self.get(&job)?.0.parameters.to_string())
    }

    fn encode_plan(&mut self, job: Resource<JobHandle>) -> Result<Option<Resource<EncodePlan>>> {
        let plan = self.get(&job)?.0.encode_plan.clone();
        plan.map(|plan| self.push(plan)).transpose()
    }

    fn warn(&mut self, _job: Resource<JobHandle>, code: String, message: String) -> Result<()> {
        let code = short("a warning's code", code)?;
        ensure(is_words(&code, '_'), || {
            format!("the warning code {code:?} is not lower-case words joined by underscores")
        })?;
        let message = sentence("a warning", &message)?;
        ensure(self.warnings.len() < MAX_WARNINGS, || {
            format!("more than {MAX_WARNINGS} warnings")
        })?;
        self.warnings.push(Warning { code, message });
        Ok(())
    }

    fn drop(&mut self, job: Resource<JobHandle>) -> Result<()> {
        self.take(job).map(drop)
    }
}

impl job::HostRequest for Host {
    fn container(&mut self, request: Resource<RequestHandle>) -> Result<String> {
        Ok(self.get(&request)?.0.container.clone())
    }

    fn bounds(&mut self, request: Resource<RequestHandle>) -> Result<Size> {
        Ok(self.get(&request)?.0.bounds)
    }

    fn watermark_text(&mut self, request: Resource<RequestHandle>) -> Result<Option<String>> {
        Ok(self.get(&request)?.0.watermark_text.clone())
    }

    fn watermark_image(
        &mut self,
        request: Resource<RequestHandle>,
    ) -> Result<Option<Resource<Blob>>> {
        let image = self.get(&request)?.0.watermark_image.clone();
        image.map(|image| self.push(image)).transpose()
    }

    fn watermark_anchor(&mut self, request: Resource<RequestHandle>) -> Result<Anchor> {
        Ok(self.get(&request)?.0.watermark_anchor)
    }

    fn approval_required(&mut self, request: Resource<RequestHandle>) -> Result<bool> {
        Ok(self.get(&request)?.0.approval_required)
    }

    fn drop(&mut self, request: Resource<RequestHandle>) -> Result<()> {
        self.take(request).map(drop)
    }
}

impl job::HostResumption for Host {
    fn answer(&mut self, resumption: Resource<Resumption>) -> Result<job::Answer> {
        Ok(match self.get(&resumption)?.answer {
            Answer::Yes => job::Answer::Yes,
            Answer::No => job::Answer::No,
            Answer::Expired => job::Answer::Expired,
        })
    }

    fn state(&mut self, resumption: Resource<Resumption>) -> Result<Vec<u8>> {
        Ok(self.get(&resumption)?.state.clone())
    }

    fn state_version(&mut self, resumption: Resource<Resumption>) -> Result<u32> {
        Ok(self.get(&resumption)?.state_version)
    }

    fn shown_plan(&mut self, resumption: Resource<Resumption>) -> Result<Resource<Plan>> {
        let plan = self.get(&resumption)?.shown_plan.clone();
        self.push(plan)
    }

    fn drop(&mut self, resumption: Resource<Resumption>) -> Result<()> {
        self.take(resumption).map(drop)
    }
}
