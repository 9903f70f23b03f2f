//! What the `moov` says about the one track.

use shiguredo_mp4::boxes::{MoovBox, SampleEntry};
use shiguredo_mp4::{Decode, Encode, codec_string};

use super::Malformed;

/// Length of a box head without a payload.
const HEAD: usize = 8;

/// A track as its encoder described it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// The codec by RFC 6381 with its profile.
    pub(crate) codec: String,
    /// Ticks a second.
    pub(crate) timescale: u32,
    /// The payload of `avcC`, or the AudioSpecificConfig.
    pub(crate) codec_config: Vec<u8>,
    /// What a sample lasts where its fragment does not say.
    pub(super) default_duration: u32,
    /// How long a sample is where its fragment does not say, in bytes.
    pub(super) default_size: u32,
    /// Whether a sample is a sync sample where its fragment does not say.
    pub(super) default_sync: bool,
}

impl Header {
    /// Reads a whole `moov` box.
    pub(super) fn parse(moov: &[u8]) -> Result<Self, Malformed> {
        let (moov, _) = MoovBox::decode(moov).map_err(broken)?;
        let [track] = moov.trak_boxes.as_slice() else {
            return Err(Malformed::new("not one track but several or none"));
        };
        let [entry] = track.mdia_box.minf_box.stbl_box.stsd_box.entries.as_slice() else {
            return Err(Malformed::new("not one sample entry but several or none"));
        };
        let defaults = moov.mvex_box.as_ref().and_then(|mvex| mvex.trex_boxes.first());
        Ok(Self {
            codec: codec_string::from_sample_entry(entry).map_err(broken)?,
            timescale: track.mdia_box.mdhd_box.timescale.get(),
            codec_config: codec_config(entry)?,
            default_duration: defaults.map_or(0, |trex| trex.default_sample_duration),
            default_size: defaults.map_or(0, |trex| trex.default_sample_size),
            default_sync: defaults
                .is_none_or(|trex| !trex.default_sample_flags.sample_is_non_sync_sample()),
        })
    }
}

fn codec_config(entry: &SampleEntry) -> Result<Vec<u8>, Malformed> {
    match entry {
        SampleEntry::Avc1(avc1) => {
            let avcc = avc1.avcc_box.encode_to_vec().map_err(broken)?;
            Ok(avcc.get(HEAD..).unwrap_or_default().to_vec())
        }
        SampleEntry::Mp4a(mp4a) => {
            let config = mp4a.esds_box.es.dec_config_descr.dec_specific_info.as_ref();
            let config = config.ok_or_else(|| Malformed::new("AAC without its configuration"))?;
            Ok(config.payload.clone())
        }
        _ => Err(Malformed::new("a codec that was not asked for")),
    }
}

pub(super) fn broken(error: shiguredo_mp4::Error) -> Malformed {
    Malformed(error.to_string())
}
