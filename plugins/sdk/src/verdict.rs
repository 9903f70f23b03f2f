//! How a stage answers.

/// What a stage with plans of type `P` has come to.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict<P> {
    /// It has decided.
    Ready(P),
    /// It wants to ask a person first.
    Suspend(Suspension<P>),
}

/// What a stage comes to after a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Resumed<P> {
    /// The plan that was shown stands. Only after a yes.
    Confirmed,
    /// It asks again.
    Suspend(Suspension<P>),
}

/// A question to a person, who sees it beside a picture that the host renders
/// by `plan`.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspension<P> {
    /// One plain sentence of 1 to 1024 bytes.
    pub question: String,
    /// What a yes confirms.
    pub plan: P,
    /// What the stage wants to find again, at most 256 KiB. Nothing else of
    /// the instance survives.
    pub state: Vec<u8>,
    /// The version of the state's form.
    pub state_version: u32,
}

/// What a stage finds when it is entered again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resumption {
    /// What was said.
    pub answer: Answer,
    /// The state that the stage left behind.
    pub state: Vec<u8>,
    /// The version that it gave its state.
    pub state_version: u32,
}

/// What a person said to a question, or that nobody did in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Go on with the plan that was shown.
    Yes,
    /// Do not go on with it.
    No,
    /// The deadline passed. The render ends whatever the stage returns.
    Expired,
}

/// Why a stage cannot do what was asked. Messages are one sentence that a
/// person can act on, at most 1024 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The source is readable but this plugin cannot render it.
    UnsupportedSource {
        /// What about it, and what to do.
        message: String,
    },
    /// A field of the request cannot be honoured.
    InvalidField {
        /// Its name in the tool's arguments, such as `watermark.text`.
        field: String,
        /// What is wrong with it.
        message: String,
    },
    /// The person's answer ends the render.
    Declined,
    /// The plugin failed in a way that is its own fault.
    Failed {
        /// What happened.
        message: String,
    },
}

impl Fault {
    /// [`Fault::UnsupportedSource`] with this message.
    pub fn unsupported_source(message: impl Into<String>) -> Self {
        Self::UnsupportedSource { message: message.into() }
    }

    /// [`Fault::InvalidField`] of this field with this message.
    pub fn invalid_field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::InvalidField { field: field.into(), message: message.into() }
    }

    /// [`Fault::Failed`] with this message.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed { message: message.into() }
    }
}
