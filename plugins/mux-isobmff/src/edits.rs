//! How the media of each track meets the clock of the movie: edit lists and their clock.

use mux_common::MuxError;

/// How a track is presented, in its own ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Presentation {
    /// Ticks per second.
    pub(crate) timescale: u32,
    /// When on the clock of the movie there is first something to present.
    pub(crate) start: u64,
    /// How long it is presented.
    pub(crate) duration: u64,
    /// The media time at which presentation enters.
    pub(crate) entry: u64,
}

/// One entry of an edit list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    /// How long it lasts, in ticks of the movie.
    pub(crate) duration: u64,
    /// The media time in ticks of the track at which it enters; none to present nothing.
    pub(crate) media_time: Option<u64>,
}

/// The edits of one track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EditList {
    /// The edits, in the order of presentation.
    pub(crate) edits: Vec<Edit>,
    /// How long they last together, in ticks of the movie.
    pub(crate) duration: u64,
}

/// The clock of the movie, and every track's edits on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Timeline {
    /// Ticks per second.
    pub(crate) timescale: u32,
    /// The edits of each track.
    pub(crate) tracks: Vec<EditList>,
    /// How long the movie lasts, in its ticks.
    pub(crate) duration: u64,
}

impl Timeline {
    /// Places the tracks on one clock.
    pub(crate) fn new(presentations: &[Presentation]) -> Result<Self, MuxError> {
        let timescale = timescale(presentations)?;
        let tracks = presentations
            .iter()
            .map(|presentation| EditList::new(*presentation, timescale))
            .collect::<Result<Vec<_>, _>>()?;
        let duration = tracks.iter().map(|track| track.duration).max().unwrap_or(0);
        Ok(Self { timescale, tracks, duration })
    }
}

impl EditList {
    fn new(track: Presentation, timescale: u32) -> Result<Self, MuxError> {
        let rescaled = |ticks| rescale(ticks, track.timescale, timescale);
        let wait = rescaled(track.start)?;
        let duration = rescaled(track.duration)?;
        let mut edits = Vec::with_capacity(2);
        if wait > 0 {
            edits.push(Edit { duration: wait, media_time: None });
        }
        edits.push(Edit { duration, media_time: Some(track.entry) });
        let duration = wait.checked_add(duration).ok_or(MuxError::TooLarge)?;
        Ok(Self { edits, duration })
    }
}

/// The clock of the movie. It must be no coarser than any track's clock: a time of a track that
/// is rounded to it and back is then the same tick again. The least common multiple of all
/// clocks needs no rounding at all; it is taken where it keeps all times within 32 bits, which
/// every reader understands.
fn timescale(presentations: &[Presentation]) -> Result<u32, MuxError> {
    let finest = presentations.iter().map(|track| track.timescale).max();
    let finest = finest.ok_or(MuxError::NoTracks)?;
    let common = presentations.iter().try_fold(1, |common: u32, track| {
        let divisor = greatest_common_divisor(common, track.timescale);
        common.checked_mul(track.timescale.checked_div(divisor)?)
    });
    let fits = |timescale: &u32| {
        presentations.iter().all(|track| {
            let end = track.start.checked_add(track.duration);
            let end = end.and_then(|end| rescale(end, track.timescale, *timescale).ok());
            // One tick less for each of the two edits that are rounded apart.
            end.is_some_and(|end| end <= u64::from(u32::MAX) - 2)
        })
    };
    Ok(common.filter(fits).unwrap_or(finest))
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    let (mut a, mut b) = (a, b);
    while let Some(rest) = a.checked_rem(b) {
        (a, b) = (b, rest);
    }
    a
}

/// A time on another clock, rounded to the nearest tick.
fn rescale(ticks: u64, from: u32, to: u32) -> Result<u64, MuxError> {
    let scaled = u128::from(ticks).checked_mul(to.into());
    scaled
        .and_then(|scaled| scaled.checked_add(u128::from(from / 2)))
        .and_then(|scaled| scaled.checked_div(from.into()))
        .and_then(|scaled| u64::try_from(scaled).ok())
        .ok_or(MuxError::TooLarge)
}

#[cfg(test)]
mod tests;
