//! Telling how a render goes, to whoever wants to know.

use stage::model::Stage;

/// What a render is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Reading and checking the source.
    Admit,
    /// A stage decides.
    Plan(Stage),
    /// Rendering the picture that a question is about.
    Preview,
    /// Decoding, drawing, encoding and muxing.
    Encode,
    /// Checking the output and giving it its final name.
    Commit,
}

/// How far the encoding is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encoding {
    /// Frames encoded.
    pub frame: u64,
    /// Frames that there will be.
    pub frames: u64,
    /// Frames a second at present.
    pub fps: f32,
}

/// Is told. Calls must return at once.
pub trait Watcher: Send + Sync {
    /// A step has begun.
    fn step(&self, step: Step);
    /// The encoding has got further.
    fn encoding(&self, progress: Encoding);
}

/// Does not want to know.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watcher for Unwatched {
    fn step(&self, _step: Step) {}
    fn encoding(&self, _progress: Encoding) {}
}
