//! How a plugin answers.

use wasmtime::Result;
use wasmtime::component::Resource;

use super::Host;
use super::bindings::video_render::stage::outcome;
use super::handles::{FaultHandle, QuestionHandle, VerdictHandle};
use super::text::{cut_name, cut_sentence, sentence};
use crate::fault::{LimitKind, ensure, within};
use crate::model::{Plan, Suspension, Verdict};

impl outcome::Host for Host {}

impl outcome::HostQuestion for Host {
    fn new(&mut self, text: String) -> Result<Resource<QuestionHandle>> {
        let text = sentence("a question", &text)?;
        ensure(!text.trim().is_empty(), || "a question is empty".to_owned())?;
        self.push(QuestionHandle(text))
    }

    fn drop(&mut self, question: Resource<QuestionHandle>) -> Result<()> {
        self.take(question).map(drop)
    }
}

impl outcome::HostFault for Host {
    fn unsupported_source(&mut self, message: String) -> Result<Resource<FaultHandle>> {
        self.push(FaultHandle::UnsupportedSource(cut_sentence(&message)))
    }

    fn invalid_field(&mut self, field: String, message: String) -> Result<Resource<FaultHandle>> {
        let (field, message) = (cut_name(&field), cut_sentence(&message));
        self.push(FaultHandle::InvalidField { field, message })
    }

    fn declined(&mut self) -> Result<Resource<FaultHandle>> {
        self.push(FaultHandle::Declined)
    }

    fn failed(&mut self, message: String) -> Result<Resource<FaultHandle>> {
        self.push(FaultHandle::Failed(cut_sentence(&message)))
    }

    fn drop(&mut self, fault: Resource<FaultHandle>) -> Result<()> {
        self.take(fault).map(drop)
    }
}

impl outcome::HostVerdict for Host {
    fn ready(&mut self, plan: Resource<Plan>) -> Result<Resource<VerdictHandle>> {
        let plan = self.take(plan)?;
        self.push(VerdictHandle::Decided(Verdict::Ready(plan)))
    }

    fn suspend(
        &mut self,
        question: Resource<QuestionHandle>,
        confirms: Resource<Plan>,
        state: Vec<u8>,
        state_version: u32,
    ) -> Result<Resource<VerdictHandle>> {
        let QuestionHandle(question) = self.take(question)?;
        let confirms = self.take(confirms)?;
        let held = self.state_bytes.saturating_add(state.len() as u64);
        within(LimitKind::State, held, self.limits.state_bytes)?;
        self.state_bytes = held;
        let suspension = Suspension { question, confirms, state, state_version };
        self.push(VerdictHandle::Decided(Verdict::Suspend(suspension)))
    }

    fn fault(&mut self, fault: Resource<FaultHandle>) -> Result<Resource<VerdictHandle>> {
        let fault = self.take(fault)?;
        self.push(VerdictHandle::Fault(fault))
    }

    fn drop(&mut self, verdict: Resource<VerdictHandle>) -> Result<()> {
        if let VerdictHandle::Decided(Verdict::Suspend(suspension)) = self.take(verdict)? {
            self.state_bytes = self.state_bytes.saturating_sub(suspension.state.len() as u64);
        }
        Ok(())
    }
}
