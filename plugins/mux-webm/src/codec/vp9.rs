//! VP9.

use mux_common::TrackProblem;

/// The identifiers of what can be told of VP9 (WebM container guidelines, "VP9 Codec Feature
/// Metadata"), each followed by a length and a value.
const PROFILE: u8 = 1;
const LEVEL: u8 = 2;
const BIT_DEPTH: u8 = 3;
const CHROMA_SUBSAMPLING: u8 = 4;

/// The feature metadata that corresponds to a `vpcC` box, whose payload is given with or without
/// the version and flags before it. Decoders need none, so that no configuration is none here.
pub(super) fn features(config: &[u8]) -> Result<Vec<u8>, TrackProblem> {
    let record = match config {
        [] => return Ok(Vec::new()),
        // Version 1 of the box and no flags; the record itself is eight bytes.
        [1, 0, 0, 0, record @ ..] if record.len() >= 8 => record,
        record => record,
    };
    let [profile, level, depth, _primaries, _transfer, _matrix, _, _, ..] = *record else {
        return Err(TrackProblem::Config);
    };
    // Four bits of depth, three of subsampling, one of range.
    let (depth, subsampling) = (depth >> 4, (depth >> 1) & 7);
    if profile > 3 || !matches!(depth, 8 | 10 | 12) || subsampling > 3 {
        return Err(TrackProblem::Config);
    }
    let mut features = vec![PROFILE, 1, profile];
    // 0 is a level that nobody determined.
    if level > 0 {
        features.extend([LEVEL, 1, level]);
    }
    features.extend([BIT_DEPTH, 1, depth, CHROMA_SUBSAMPLING, 1, subsampling]);
    Ok(features)
}
