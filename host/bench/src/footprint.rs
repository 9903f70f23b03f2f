//! What a process has of the machine, as the system tells it.

use std::fs;

use crate::Outcome;

/// What a process has at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Footprint {
    /// Its memory that is there, in KiB.
    pub(crate) resident: f64,
    /// The same with what is shared counted by its share only, in KiB.
    pub(crate) own: f64,
    pub(crate) threads: f64,
    /// Open files and connections.
    pub(crate) files: f64,
}

impl Footprint {
    pub(crate) fn of(process: u32) -> Outcome<Self> {
        let folder = format!("/proc/{process}");
        let status = fs::read_to_string(format!("{folder}/status"))?;
        let maps = fs::read_to_string(format!("{folder}/smaps_rollup"))?;
        Ok(Self {
            resident: number(&status, "VmRSS:")?,
            own: number(&maps, "Pss:")?,
            threads: number(&status, "Threads:")?,
            files: fs::read_dir(format!("{folder}/fd"))?.count() as f64,
        })
    }
}

/// The number after a name at the beginning of a line.
fn number(text: &str, name: &str) -> Outcome<f64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name));
    let word = rest.and_then(|rest| rest.split_whitespace().next());
    Ok(word.ok_or_else(|| format!("the system tells no {name}"))?.parse()?)
}
