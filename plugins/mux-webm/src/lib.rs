//! Writes webm files: the guest writes the headers, the host appends the packets.
//!
//! Packets pass one by one into a spool of the host, each behind a header of a few bytes. What
//! comes before them, the index included, is known when the last has passed: it is written then,
//! and the spool appended. A file so plays while it is still being fetched, and one can seek in it
//! before its end has arrived.
//!
//! The elements are those of RFC 8794 (EBML) and RFC 9559 (Matroska) within what the WebM
//! container guidelines allow, and for Opus those of RFC 7845 and of its mapping to Matroska.

mod clusters;
mod codec;
mod cues;
mod ebml;
mod file;
mod head;
mod track;

use mux_common::Credits;
use stage_sdk::{
    Fault, Job, Manifest, MuxPlan, MuxPlugin, Muxer, NoParameters, Output, Packet, Verdict,
};

use crate::file::File;
use crate::track::Track;

/// The one container that this crate writes, by its usual name.
const CONTAINER: &str = "webm";

/// The plugin: a mux stage for webm.
#[derive(Debug)]
pub struct MuxWebm;

impl MuxPlugin for MuxWebm {
    type Parameters = NoParameters;
    type Muxer<O: Output> = FileMuxer<O>;

    fn manifest() -> Manifest {
        stage_sdk::manifest!().container(CONTAINER)
    }

    fn start(job: &Job<NoParameters>) -> Result<Verdict<MuxPlan>, Fault> {
        refuse_other_container(&job.request.container)?;
        Ok(Verdict::Ready(MuxPlan { media_type: "video/webm".to_owned() }))
    }

    fn begin<O: Output>(
        job: &Job<NoParameters>,
        tracks: Vec<stage_sdk::Track>,
        mut output: O,
    ) -> Result<FileMuxer<O>, Fault> {
        refuse_other_container(&job.request.container)?;
        let tracks = tracks.into_iter().enumerate();
        let tracks =
            tracks.map(|(place, track)| Track::new(place, track)).collect::<Result<_, _>>()?;
        let file = File::new(tracks, Credits::gather(|tag| job.source.tag(tag)))?;
        let spool = output.create_spool();
        Ok(FileMuxer { file, spool, output })
    }
}

fn refuse_other_container(name: &str) -> Result<(), Fault> {
    if name == CONTAINER {
        return Ok(());
    }
    let message = format!("`{name}` is not a container that mux-webm writes; webm is.");
    Err(Fault::invalid_field("output_format", message))
}

/// One file being written.
pub struct FileMuxer<O: Output> {
    file: File,
    spool: O::Spool,
    output: O,
}

impl<O: Output> Muxer<O> for FileMuxer<O> {
    fn write(&mut self, packet: &Packet, data: &O::Data) -> Result<(), Fault> {
        let step = self.file.push(packet)?;
        let Self { spool, output, .. } = self;
        if let Some(length) = step.length {
            output.patch_spool(spool, length.position, &length.bytes);
        }
        output.write_spool(spool, step.before);
        output.append_packet(spool, data);
        if !step.after.is_empty() {
            output.write_spool(spool, step.after);
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Fault> {
        let Self { file, mut spool, mut output } = self;
        let (length, head) = file.finish()?;
        if let Some(length) = length {
            output.patch_spool(&mut spool, length.position, &length.bytes);
        }
        output.write(&head);
        output.append_spool(spool);
        Ok(())
    }
}

stage_sdk::export_mux!(MuxWebm);

#[cfg(test)]
mod tests;
