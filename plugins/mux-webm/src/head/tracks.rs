//! What each track is.

use mux_common::Language;
use stage_sdk::Colour;

use super::Entry;
use crate::codec::Media;
use crate::ebml::{Writer, ids};

/// The value of H.273 for a colour that nobody specified.
const UNSPECIFIED: u8 = 2;
/// How long before a place Opus must be decoded to be right there, in nanoseconds (RFC 7845,
/// section 4.6).
const OPUS_PRE_ROLL: u64 = 80_000_000;

/// The number in the file of the track at this place.
pub(super) fn number(place: usize) -> u64 {
    u64::try_from(place).unwrap_or(u64::MAX).saturating_add(1)
}

/// All tracks.
pub(super) fn write(w: &mut Writer, entries: &[Entry]) {
    w.master(ids::TRACKS, |w| {
        for (place, entry) in entries.iter().enumerate() {
            let is_video = entry.track.is_video();
            let first = entries.iter().position(|other| other.track.is_video() == is_video);
            w.master(ids::TRACK_ENTRY, |w| track(w, entry, number(place), first == Some(place)));
        }
    });
}

fn track(w: &mut Writer, entry: &Entry, number: u64, is_default: bool) {
    let track = &entry.track;
    w.number(ids::TRACK_NUMBER, number);
    // It need be unique in the file only, and should be the same for the same input.
    w.number(ids::TRACK_UID, number);
    w.number(ids::TRACK_TYPE, if track.is_video() { 1 } else { 2 });
    w.number(ids::FLAG_DEFAULT, is_default.into());
    w.number(ids::FLAG_LACING, 0);
    if let Some(nanos) = entry.frame_nanos {
        w.number(ids::DEFAULT_DURATION, nanos);
    }
    w.binary(ids::LANGUAGE, &bibliographic(track.language));
    w.text(ids::CODEC_ID, track.codec.id);
    if !track.codec.private.is_empty() {
        w.binary(ids::CODEC_PRIVATE, &track.codec.private);
    }
    match track.codec.media {
        Media::Video { width, height, colour: tags } => w.master(ids::VIDEO, |w| {
            w.number(ids::FLAG_INTERLACED, 2); // progressive
            w.number(ids::PIXEL_WIDTH, width.into());
            w.number(ids::PIXEL_HEIGHT, height.into());
            colour(w, tags);
        }),
        Media::Audio { sample_rate, channels } => {
            w.number(ids::CODEC_DELAY, track.clock.delay());
            w.number(ids::SEEK_PRE_ROLL, OPUS_PRE_ROLL);
            w.master(ids::AUDIO, |w| {
                w.float(ids::SAMPLING_FREQUENCY, sample_rate.into());
                w.number(ids::CHANNELS, channels.into());
            });
        }
    }
}

/// The colour; nothing where it is not specified. The numbers are those of H.273.
fn colour(w: &mut Writer, tags: Colour) {
    let points = [tags.matrix, tags.transfer, tags.primaries];
    if points == [UNSPECIFIED; 3] && !tags.full_range {
        return;
    }
    let [matrix, transfer, primaries] = points;
    w.master(ids::COLOUR, |w| {
        w.number(ids::MATRIX_COEFFICIENTS, matrix.into());
        w.number(ids::RANGE, if tags.full_range { 2 } else { 1 });
        w.number(ids::TRANSFER_CHARACTERISTICS, transfer.into());
        w.number(ids::PRIMARIES, primaries.into());
    });
}

/// Languages that have two codes in ISO 639-2: the one by their own name, and the bibliographic
/// one, which Matroska wants (RFC 9559, section 12).
const RENAMED: [(&[u8; 3], &[u8; 3]); 20] = [
    (b"bod", b"tib"),
    (b"ces", b"cze"),
    (b"cym", b"wel"),
    (b"deu", b"ger"),
    (b"ell", b"gre"),
    (b"eus", b"baq"),
    (b"fas", b"per"),
    (b"fra", b"fre"),
    (b"hye", b"arm"),
    (b"isl", b"ice"),
    (b"kat", b"geo"),
    (b"mkd", b"mac"),
    (b"mri", b"mao"),
    (b"msa", b"may"),
    (b"mya", b"bur"),
    (b"nld", b"dut"),
    (b"ron", b"rum"),
    (b"slk", b"slo"),
    (b"sqi", b"alb"),
    (b"zho", b"chi"),
];

fn bibliographic(language: Language) -> [u8; 3] {
    let letters = language.letters();
    let renamed = RENAMED.iter().find(|(own, _)| **own == letters);
    renamed.map_or(letters, |(_, bibliographic)| **bibliographic)
}
