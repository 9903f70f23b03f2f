//! Opus.

use mux_common::TrackProblem;

/// The rate at which Opus is decoded and its delays are counted.
pub(super) const SAMPLE_RATE: u32 = 48_000;

/// The identification header (RFC 7845, section 5.1) that corresponds to the payload of a `dOps`
/// box. Both tell the same, the header in little-endian order.
///
/// `priming` is the delay that the track was announced with. It takes the place of that in the
/// box: a decoder that counts samples and one that follows times then agree.
pub(super) fn head(config: &[u8], channels: u32, priming: u64) -> Result<Vec<u8>, TrackProblem> {
    let (fixed, mapping) = config.split_first_chunk::<11>().ok_or(TrackProblem::Config)?;
    let [version, count, _, _, rate @ .., gain_high, gain_low, family] = *fixed;
    if version != 0 || count == 0 {
        return Err(TrackProblem::Config);
    }
    if u32::from(count) != channels {
        return Err(TrackProblem::Format);
    }
    let mapping = channel_mapping(family, count, mapping)?;
    let delay = u16::try_from(priming).map_err(|_| TrackProblem::Config)?;
    let rate = u32::from_be_bytes(rate);
    let mut head = b"OpusHead\x01".to_vec();
    head.push(count);
    head.extend(delay.to_le_bytes());
    head.extend(rate.to_le_bytes());
    head.extend([gain_low, gain_high, family]);
    head.extend_from_slice(mapping);
    Ok(head)
}

/// How coded streams become channels (RFC 7845, section 5.1.1): family 0 is mono or stereo and
/// has no table, the others have two counts and a byte for each channel.
fn channel_mapping(family: u8, channels: u8, table: &[u8]) -> Result<&[u8], TrackProblem> {
    if family == 0 {
        return if channels <= 2 { Ok(&[]) } else { Err(TrackProblem::Config) };
    }
    let table = table.get(..usize::from(channels).saturating_add(2));
    table.ok_or(TrackProblem::Config)
}
