//! The version that a tool reports.

use crate::process::Tool;

/// What a tool says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Version {
    /// What it calls itself: a release (`5.1.9-0+deb12u1`, `n7.1`), a commit
    /// (`N-109542-g1bf1aa2`), a date, whatever the one who built it chose.
    pub name: String,
    /// Major and minor version of the libavcodec that it runs with. Every build reports this
    /// in the same form, and every release has its own.
    pub libavcodec: (u32, u32),
}

impl Version {
    /// Reads what `tool -version` prints.
    pub(super) fn parse(tool: Tool, answer: &str) -> Option<Self> {
        let mut lines = answer.lines();
        let first = lines.next()?.strip_prefix(tool.name())?.strip_prefix(" version ")?;
        let name = first.split_whitespace().next()?.to_owned();
        // libavcodec     59. 37.100 / 59. 37.100: the version built with, and the one found.
        let libavcodec = lines.find_map(|line| line.strip_prefix("libavcodec "))?;
        let (_, found) = libavcodec.split_once('/')?;
        let mut numbers = found.split('.').map(|number| number.trim().parse().ok());
        Some(Self { name, libavcodec: (numbers.next()??, numbers.next()??) })
    }
}
