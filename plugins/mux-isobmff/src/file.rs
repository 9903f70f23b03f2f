//! One file being written: what is told of the packets while they pass, and the headers at the end.

use mux_common::{Credits, MuxError, TrackProblem};
use stage_sdk::Packet;

use crate::boxes::tables::OffsetWidth;
use crate::boxes::track::{Layout, track};
use crate::boxes::{Writer, metadata, movie};
use crate::chunks::Chunks;
use crate::container::Container;
use crate::edits::{Presentation, Timeline};
use crate::samples::{SampleTable, Samples};
use crate::track::Track;

/// A file whose packets are collected elsewhere, in the order of [`File::push`];
/// [`File::finish`] makes what comes before them.
#[derive(Debug)]
pub(crate) struct File {
    container: Container,
    credits: Credits,
    tracks: Vec<Growing>,
    /// The track of the last packet.
    last: Option<usize>,
    payload: u64,
}

#[derive(Debug)]
struct Growing {
    track: Track,
    samples: Samples,
    chunks: Chunks,
}

struct Finished {
    track: Track,
    samples: SampleTable,
    chunks: Chunks,
    presentation: Presentation,
}

impl File {
    /// Begins a file.
    ///
    /// # Errors
    /// If there are no tracks.
    pub(crate) fn new(
        container: Container,
        tracks: Vec<Track>,
        credits: Credits,
    ) -> Result<Self, MuxError> {
        if tracks.is_empty() {
            return Err(MuxError::NoTracks);
        }
        let growing =
            |track| Growing { track, samples: Samples::default(), chunks: Chunks::default() };
        let tracks = tracks.into_iter().map(growing).collect();
        Ok(Self { container, credits, tracks, last: None, payload: 0 })
    }

    /// Takes note of the next packet.
    ///
    /// # Errors
    /// If its track was not announced, or the track's tables cannot hold its times.
    pub(crate) fn push(&mut self, packet: &Packet) -> Result<(), MuxError> {
        let track = packet.track;
        let growing = self.tracks.get_mut(track).ok_or(MuxError::UnannouncedTrack { track })?;
        let timescale = growing.track.timescale;
        growing.samples.push(packet, timescale).map_err(MuxError::of_track(track))?;
        growing.chunks.push(packet, self.payload, self.last == Some(track), timescale);
        self.last = Some(track);
        self.payload = self.payload.checked_add(packet.size.into()).ok_or(MuxError::TooLarge)?;
        Ok(())
    }

    /// Ends the file: all that precedes the packets.
    ///
    /// # Errors
    /// If a track has had no packet or begins only after its end, or if a table is too large.
    pub(crate) fn finish(self) -> Result<Vec<u8>, MuxError> {
        let Self { container, credits, tracks, payload, .. } = self;
        let tracks = tracks.into_iter().enumerate();
        let tracks = tracks
            .map(|(place, growing)| growing.finish().map_err(MuxError::of_track(place)))
            .collect::<Result<Vec<_>, _>>()?;
        let presentations: Vec<_> = tracks.iter().map(|track| track.presentation).collect();
        let timeline = Timeline::new(&presentations)?;
        Head { container, credits, tracks, timeline, payload }.write()
    }
}

impl Growing {
    fn finish(mut self) -> Result<Finished, TrackProblem> {
        self.chunks.close();
        let samples = self.samples.finish()?;
        let Track { timescale, start, duration, .. } = self.track;
        let SampleTable { entry, lead, .. } = samples;
        let start = start.checked_add(lead).ok_or(TrackProblem::Time)?;
        let duration = duration.checked_sub(lead).filter(|duration| *duration > 0);
        let duration = duration.ok_or(TrackProblem::Duration)?;
        let presentation = Presentation { timescale, start, duration, entry };
        Ok(Finished { track: self.track, samples, chunks: self.chunks, presentation })
    }
}

/// Everything that the headers say.
struct Head {
    container: Container,
    credits: Credits,
    tracks: Vec<Finished>,
    timeline: Timeline,
    payload: u64,
}

impl Head {
    /// The headers tell where the packets lie, and the packets lie behind the headers. Only the
    /// width of the offsets changes the headers' length, so it is measured first.
    fn write(&self) -> Result<Vec<u8>, MuxError> {
        let last = self.last_chunk();
        let fits = |offset: u64| offset <= u64::from(u32::MAX);
        let mut bytes = Vec::new();
        if fits(last) {
            bytes = self.layout(bytes, 0, OffsetWidth::Narrow)?;
            let start = length(&bytes)?;
            if start.checked_add(last).is_some_and(fits) {
                return self.layout(bytes, start, OffsetWidth::Narrow);
            }
        }
        bytes = self.layout(bytes, 0, OffsetWidth::Wide)?;
        let start = length(&bytes)?;
        self.layout(bytes, start, OffsetWidth::Wide)
    }

    fn last_chunk(&self) -> u64 {
        let last = |track: &Finished| track.chunks.offsets().last().copied();
        self.tracks.iter().filter_map(last).max().unwrap_or(0)
    }

    fn layout(
        &self,
        reused: Vec<u8>,
        payload_start: u64,
        width: OffsetWidth,
    ) -> Result<Vec<u8>, MuxError> {
        let mut w = Writer::reusing(reused);
        movie::file_type(&mut w, self.container);
        w.nest(*b"moov", |w| {
            let Timeline { timescale, duration, tracks: edits } = &self.timeline;
            movie::movie_header(w, *timescale, *duration, self.tracks.len());
            for (place, (finished, edits)) in self.tracks.iter().zip(edits).enumerate() {
                let is_audio = finished.track.media.is_audio();
                let first = self.tracks.iter().position(|t| t.track.media.is_audio() == is_audio);
                let layout = Layout {
                    container: self.container,
                    number: place.saturating_add(1),
                    enabled: first == Some(place),
                    track: &finished.track,
                    presentation: finished.presentation,
                    edits,
                    samples: &finished.samples,
                    chunks: &finished.chunks,
                };
                track(w, &layout, payload_start, width);
            }
            metadata::user_data(w, self.container, &self.credits);
        });
        movie::media_data_header(&mut w, self.payload);
        w.finish()
    }
}

fn length(bytes: &[u8]) -> Result<u64, MuxError> {
    u64::try_from(bytes.len()).map_err(|_| MuxError::TooLarge)
}

#[cfg(test)]
mod tests;
