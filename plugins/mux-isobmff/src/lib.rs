//! Writes mp4 and mov files: the guest writes the headers, the host appends the packets.
//!
//! Packets pass one by one and are collected in a spool of the host; this crate sees their times
//! and sizes only and keeps them in run-length tables. At the end it writes the headers
//! first and has the spool appended, so that the index comes before the media and a file plays
//! while it is still being fetched.
//!
//! The boxes are written by a small writer of our own. The box types of `shiguredo_mp4` were
//! weighed: they have no QuickTime form of the sound description, the handlers and the metadata,
//! and none of `colr`, `btrt`, `sgpd` and `sbgp`, so that half of each sample entry would pass as
//! opaque bytes; and every table would first be spread out to a vector of records several times
//! its size, in a guest whose memory is limited. What is left, plain structs of integers, is
//! about as long here as the code that would fill theirs. Its reader serves the tests instead.

mod boxes;
mod chunks;
mod container;
mod edits;
mod file;
mod runs;
mod samples;
mod track;

use mux_common::Credits;
use stage_sdk::{
    Fault, Job, Manifest, MuxPlan, MuxPlugin, Muxer, NoParameters, Output, Packet, Verdict,
};

use crate::container::Container;
use crate::file::File;
use crate::track::Track;

/// The plugin: a mux stage for mp4 and mov.
#[derive(Debug)]
pub struct MuxIsobmff;

impl MuxPlugin for MuxIsobmff {
    type Parameters = NoParameters;
    type Muxer<O: Output> = FileMuxer<O>;

    fn manifest() -> Manifest {
        let manifest = stage_sdk::manifest!();
        Container::ALL
            .iter()
            .fold(manifest, |manifest, container| manifest.container(container.name()))
    }

    fn start(job: &Job<NoParameters>) -> Result<Verdict<MuxPlan>, Fault> {
        let media_type = container(job)?.media_type().to_owned();
        Ok(Verdict::Ready(MuxPlan { media_type }))
    }

    fn begin<O: Output>(
        job: &Job<NoParameters>,
        tracks: Vec<stage_sdk::Track>,
        mut output: O,
    ) -> Result<FileMuxer<O>, Fault> {
        let container = container(job)?;
        let tracks = tracks.into_iter().enumerate();
        let tracks = tracks
            .map(|(place, track)| Track::new(place, track, container))
            .collect::<Result<_, _>>()?;
        let credits = Credits::gather(|tag| job.source.tag(tag));
        let file = File::new(container, tracks, credits)?;
        let spool = output.create_spool();
        Ok(FileMuxer { file, spool, output })
    }
}

fn container(job: &Job<NoParameters>) -> Result<Container, Fault> {
    let name = &job.request.container;
    Container::from_name(name).ok_or_else(|| {
        Fault::invalid_field(
            "output_format",
            format!("`{name}` is not a container that mux-isobmff writes; mp4 and mov are."),
        )
    })
}

/// One file being written.
pub struct FileMuxer<O: Output> {
    file: File,
    spool: O::Spool,
    output: O,
}

impl<O: Output> Muxer<O> for FileMuxer<O> {
    fn write(&mut self, packet: &Packet, data: &O::Data) -> Result<(), Fault> {
        self.file.push(packet)?;
        self.output.append_packet(&mut self.spool, data);
        Ok(())
    }

    fn finish(mut self) -> Result<(), Fault> {
        let headers = self.file.finish()?;
        self.output.write(&headers);
        self.output.append_spool(self.spool);
        Ok(())
    }
}

stage_sdk::export_mux!(MuxIsobmff);

#[cfg(test)]
mod tests;
