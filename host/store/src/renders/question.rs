//! Questions of a render, and their answers.

use serde_json::Value;

use crate::clock::Millis;
use crate::renders::Render;

/// A question to be asked.
#[derive(Clone, Debug)]
pub struct NewQuestion {
    /// The question, one sentence.
    pub text: String,
    /// From when on an answer comes too late.
    pub deadline: Millis,
    /// Whatever else is shown with it.
    pub detail: Value,
    /// What the stage left behind.
    pub state: Vec<u8>,
    /// What is pinned until the answer, and whatever else going on needs.
    pub pins: Value,
    /// Digests of the plugins that going on needs.
    pub plugins: Vec<String>,
}

/// A question that was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its id, opaque.
    pub id: String,
    /// Which question of the render it is, from 1.
    pub number: u32,
    /// The question, one sentence.
    pub text: String,
    /// Whatever else is shown with it.
    pub detail: Value,
    /// When it was asked.
    pub asked: Millis,
    /// From when on an answer comes too late.
    pub deadline: Millis,
    /// The answer, if there is one.
    pub decision: Option<Decision>,
}

/// An answer that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Yes or no.
    pub approved: bool,
    /// The way that it took.
    pub channel: String,
    /// Who gave it.
    pub subject: String,
    /// What else they said.
    pub feedback: Option<String>,
    /// When.
    pub at: Millis,
}

/// What a question left behind for going on.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspended {
    /// The question and its answer.
    pub question: Question,
    /// What the stage left behind.
    pub state: Vec<u8>,
    /// What was pinned.
    pub pins: Value,
}

/// An answer as it comes in.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The question that is meant. Without it the render's only question is.
    pub question: Option<String>,
    /// Yes or no.
    pub approved: bool,
    /// The way that it took.
    pub channel: String,
    /// Who gave it.
    pub subject: String,
    /// What else they said.
    pub feedback: Option<String>,
}

/// What became of an answer. Everything but `First` leaves all as it was.
#[derive(Clone, Debug, PartialEq)]
pub enum Decided {
    /// It is the one that counts.
    First(Box<Render>),
    /// The question was answered in the same way before.
    Same(Box<Render>),
    /// The question was answered in another way before.
    Different(Decision),
    /// The render has asked more than once, and the answer does not say which
    /// question it means.
    QuestionNeeded,
    /// The render has not asked (this), or ended before anybody answered.
    NotWaiting(Box<Render>),
    /// The deadline has passed.
    TooLate,
}
