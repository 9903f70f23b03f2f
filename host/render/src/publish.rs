//! From a written file to a published one: checked, durable, renamed.

use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use media::{Ffmpeg, Input, InspectedFormat, InspectedTrack, Inspection, MediaError, Source};
use stage::model::{EncodePlan, PlannedTrack, Raster};
use tempfile::NamedTempFile;

use crate::admission::check_output;
use crate::catalogue::Code;
use crate::failure::Failure;
use crate::faults::media_error;
use crate::place::{folder_of, unwritable};
use crate::request::{Container, Request};

/// The samples that one AAC frame holds, by which sound may be off
/// (ISO/IEC 14496-3, 4.5.2.1.1).
const AAC_FRAME_SAMPLES: f64 = 1024.0;

/// The output while it is being made, beside its final place. Dropping it
/// removes it.
pub(crate) struct Draft {
    file: NamedTempFile,
    folder: PathBuf,
}

/// A draft that the muxer has finished.
pub(crate) struct Finished {
    draft: Draft,
    frames: u64,
    bytes: u64,
}

/// What the check found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Checked {
    pub(crate) duration_seconds: f64,
    pub(crate) frames: u64,
}

impl Draft {
    /// An empty file beside the output.
    pub(crate) fn create(output: &Path) -> Result<Self, Failure> {
        let folder = folder_of(output);
        let file = tempfile::Builder::new()
            .prefix(".render-")
            .suffix(".part")
            // As readable as any other file that the user makes (the umask applies).
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)
            .map_err(|error| unwritable(output, folder, &error))?;
        Ok(Self { file, folder: folder.to_owned() })
    }

    /// A second handle to the file.
    pub(crate) fn file(&self) -> Result<File, Failure> {
        self.file
            .as_file()
            .try_clone()
            .map_err(|error| Failure::storage("opening the output", &error))
    }

    /// Where spools may lie: on the same file system, so that what fits there
    /// can be appended here.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn finished(self, frames: u64, bytes: u64) -> Finished {
        Finished { draft: self, frames, bytes }
    }
}

impl Finished {
    /// Reads the file back and compares it with what was planned.
    ///
    /// # Errors
    ///
    /// `render_failed` naming the first thing that is not as planned;
    /// `plugin_failed` where it is the container, which the mux plugin wrote.
    pub(crate) async fn check(
        &self,
        ffmpeg: &Ffmpeg,
        container: Container,
        muxer: &str,
        plan: &EncodePlan,
        source: &Source,
    ) -> Result<Checked, Failure> {
        let unreadable = |_| malformed(muxer, format!("cannot be read as {container}"));
        let input = Input::open(self.draft.file.path()).map_err(unreadable)?;
        let found = match ffmpeg.inspect(&input).await {
            Err(error @ (MediaError::Unreadable { .. } | MediaError::UnsupportedSource { .. })) => {
                return Err(unreadable(error));
            }
            found => found.map_err(media_error)?,
        };
        compare(&found, container, muxer, plan, source, self.frames)?;
        Ok(Checked { duration_seconds: found.duration_seconds, frames: self.frames })
    }

    /// Makes the file durable and gives it its final name in one step; returns
    /// its size in bytes.
    ///
    /// # Errors
    ///
    /// `storage_full`, `output_exists` if the name was taken meanwhile, or
    /// `internal`.
    pub(crate) fn publish(self, request: &Request) -> Result<u64, Failure> {
        // What is there may have changed while the render ran.
        check_output(request)?;
        let Draft { file, folder } = self.draft;
        let output = &request.output;
        let sync = |error| Failure::storage("making the output durable", &error);
        file.as_file().sync_all().map_err(sync)?;
        let persisted =
            if request.overwrite { file.persist(output) } else { file.persist_noclobber(output) };
        persisted.map_err(|error| match error.error.kind() {
            std::io::ErrorKind::AlreadyExists => Failure::new(
                Code::OutputExists,
                format!("The output {} exists already.", output.display()),
            ),
            _ => unwritable(output, &folder, &error.error),
        })?;
        File::open(&folder).and_then(|folder| folder.sync_all()).map_err(sync)?;
        Ok(self.bytes)
    }
}

fn malformed(muxer: &str, what: impl std::fmt::Display) -> Failure {
    let message = format!("The file that the mux plugin `{muxer}` wrote {what}.");
    Failure::new(Code::PluginFailed, message).with("plugin", muxer)
}

fn wrong(what: impl std::fmt::Display) -> Failure {
    Failure::new(Code::RenderFailed, format!("The finished file is not as planned: {what}."))
}

fn compare(
    found: &Inspection,
    container: Container,
    muxer: &str,
    plan: &EncodePlan,
    source: &Source,
    frames: u64,
) -> Result<(), Failure> {
    if matches!(container, Container::Mp4 | Container::Mov) && found.fast_start != Some(true) {
        return Err(malformed(muxer, "does not have its index at the front"));
    }
    if found.tracks.len() != plan.tracks.len() {
        let (got, wanted) = (found.tracks.len(), plan.tracks.len());
        return Err(malformed(muxer, format!("has {got} tracks instead of {wanted}")));
    }
    for (track, planned) in found.tracks.iter().zip(&plan.tracks) {
        match planned {
            PlannedTrack::Video { .. } => compare_video(track, &plan.raster, frames)?,
            PlannedTrack::Audio { encoding, .. } => {
                compare_audio(track, encoding.sample_rate, encoding.channels)?;
            }
        }
    }
    compare_offsets(found, plan, source)
}

fn compare_video(track: &InspectedTrack, raster: &Raster, frames: u64) -> Result<(), Failure> {
    let InspectedFormat::Video { size, sample_aspect, colour, .. } = track.format else {
        return Err(wrong("a video track is missing"));
    };
    if (size.width, size.height) != (raster.size.width, raster.size.height) {
        return Err(wrong(format!("its picture is {}×{}", size.width, size.height)));
    }
    if sample_aspect != media::Rational::ONE {
        return Err(wrong("its pixels are not square"));
    }
    let wanted = raster.colour;
    if (colour.primaries, colour.transfer, colour.matrix, colour.full_range)
        != (wanted.primaries, wanted.transfer, wanted.matrix, wanted.full_range)
    {
        return Err(wrong(format!(
            "its colour is tagged {}/{}/{}",
            colour.primaries, colour.transfer, colour.matrix
        )));
    }
    if track.packets != frames {
        return Err(wrong(format!("it has {} frames instead of {frames}", track.packets)));
    }
    let frame = f64::from(raster.frame_rate.denominator) / f64::from(raster.frame_rate.numerator);
    #[expect(clippy::cast_precision_loss, reason = "a film has far fewer than 2^52 frames")]
    let promised = frames as f64 * frame;
    match track.duration_seconds {
        Some(duration) if (duration - promised).abs() <= frame => Ok(()),
        duration => {
            Err(wrong(format!("its picture lasts {duration:?} s instead of {promised:.3} s")))
        }
    }
}

fn compare_audio(track: &InspectedTrack, sample_rate: u32, channels: u32) -> Result<(), Failure> {
    match track.format {
        InspectedFormat::Audio { sample_rate: rate, channels: count }
            if rate == sample_rate && count == channels =>
        {
            Ok(())
        }
        _ => Err(wrong("an audio track is missing or has another format")),
    }
}

/// Sound must be as far from the picture as in the source, within one AAC
/// frame.
fn compare_offsets(found: &Inspection, plan: &EncodePlan, source: &Source) -> Result<(), Failure> {
    let begins: Vec<(f64, f64, f64)> = found
        .tracks
        .iter()
        .zip(&plan.tracks)
        .filter_map(|(track, planned)| {
            let (begin, tolerance) = match planned {
                PlannedTrack::Video { source: stream, .. } => {
                    (source.video_stream(*stream)?.begin, 0.0)
                }
                PlannedTrack::Audio { source: stream, encoding } => (
                    source.audio_stream(*stream)?.begin,
                    AAC_FRAME_SAMPLES / f64::from(encoding.sample_rate),
                ),
            };
            Some((track.begin_seconds?, begin.seconds(), tolerance))
        })
        .collect();
    let Some(&(first, first_in_source, _)) = begins.first() else { return Ok(()) };
    for (begin, in_source, tolerance) in begins {
        let shift = (begin - first) - (in_source - first_in_source);
        // A microsecond for the rounding of printed times.
        if shift.abs() > tolerance + 1e-6 {
            return Err(wrong(format!(
                "sound and picture are {shift:.3} s further apart than in the source"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
