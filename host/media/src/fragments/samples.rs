//! What a `moof` says about the samples in the `mdat` after it.

use std::collections::VecDeque;

use shiguredo_mp4::Decode;
use shiguredo_mp4::boxes::{MoofBox, TfhdBox, TrunSample};

use super::header::{Header, broken};
use super::{BoxHead, Malformed, SAMPLE_BYTES};

/// The most samples of one fragment: ten minutes' worth of a half-second one.
const SAMPLES: u64 = 1 << 16;

/// A sample whose data is still to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pending {
    pub(super) pts: i64,
    pub(super) dts: i64,
    pub(super) duration: u32,
    pub(super) is_sync: bool,
    pub(super) size: u32,
}

/// Reads a whole `moof` box.
pub(super) fn parse(moof: &[u8], header: &Header) -> Result<VecDeque<Pending>, Malformed> {
    if claimed_samples(moof, 0)? > SAMPLES {
        return Err(Malformed::new("a fragment of too many samples"));
    }
    let (decoded, _) = MoofBox::decode(moof).map_err(broken)?;
    let [track] = decoded.traf_boxes.as_slice() else {
        return Err(Malformed::new("a fragment of several tracks or none"));
    };
    let time = track.tfdt_box.as_ref().map(|tfdt| tfdt.base_media_decode_time);
    let time = time.and_then(|time| i64::try_from(time).ok());
    let mut dts = time.ok_or_else(|| Malformed::new("a fragment without its time"))?;
    let mut pending = VecDeque::new();
    for run in &track.trun_boxes {
        for (number, sample) in run.samples.iter().enumerate() {
            let first = run.first_sample_flags.filter(|_| number == 0);
            let flags = first.or(sample.flags).or(track.tfhd_box.default_sample_flags);
            let is_sync =
                flags.map_or(header.default_sync, |flags| !flags.sample_is_non_sync_sample());
            let next = one(sample, &track.tfhd_box, header, dts, is_sync)?;
            dts = dts.checked_add(i64::from(next.duration)).ok_or_else(too_late)?;
            pending.push_back(next);
        }
    }
    Ok(pending)
}

fn one(
    sample: &TrunSample,
    fragment: &TfhdBox,
    header: &Header,
    dts: i64,
    is_sync: bool,
) -> Result<Pending, Malformed> {
    let duration = sample.duration.or(fragment.default_sample_duration);
    let size = sample.size.or(fragment.default_sample_size).unwrap_or(header.default_size);
    if size > SAMPLE_BYTES {
        return Err(Malformed::new("a sample is too long"));
    }
    let shift = sample.composition_time_offset.unwrap_or(0);
    Ok(Pending {
        pts: dts.checked_add(shift).ok_or_else(too_late)?,
        dts,
        duration: duration.unwrap_or(header.default_duration),
        is_sync,
        size,
    })
}

/// How many samples the runs within `boxes` say they have. A run may claim millions without a
/// byte for each; this is known before anything is made of them.
fn claimed_samples(mut boxes: &[u8], depth: u8) -> Result<u64, Malformed> {
    let mut claimed = 0_u64;
    while let Some(head) = BoxHead::read(boxes)? {
        let size = usize::try_from(head.size).unwrap_or(usize::MAX);
        let inner =
            boxes.get(head.length..size).ok_or_else(|| Malformed::new("a box is cut off"))?;
        claimed = claimed.saturating_add(match &head.kind {
            b"moof" | b"traf" if depth < 2 => claimed_samples(inner, depth + 1)?,
            // Version and flags come before the count.
            b"trun" => inner
                .get(4..)
                .and_then(<[u8]>::first_chunk)
                .map_or(0, |count| u64::from(u32::from_be_bytes(*count))),
            _ => 0,
        });
        boxes = boxes.get(size..).unwrap_or_default();
    }
    Ok(claimed)
}

fn too_late() -> Malformed {
    Malformed::new("a time that cannot be written")
}
