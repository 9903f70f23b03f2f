//! What the `moov` says about the one track.

use shiguredo_mp4::boxes::{MdhdBox, SampleEntry, TrexBox};
use shiguredo_mp4::{Decode, Encode, codec_string};

use super::boxes::{child, children, only, payload};
use super::{BoxHead, Malformed};

/// What comes before the boxes within `stsd`: version, flags and their number.
const STSD_FIELDS: usize = 8;

/// What comes before the boxes within an audio sample entry (ISO/IEC 14496-12, 12.2.3).
const AUDIO_FIELDS: usize = 28;

/// Opus in RFC 6381 names, as the web and WebM write it; the sample entry has a capital.
const OPUS: &str = "opus";

/// A track as its encoder described it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// The codec by RFC 6381 with its profile.
    pub(crate) codec: String,
    /// Ticks a second.
    pub(crate) timescale: u32,
    /// The payload of `avcC`, `vpcC`, `av1C` or `dOps`, or the AudioSpecificConfig.
    pub(crate) codec_config: Vec<u8>,
    /// How many samples a decoder throws away first, if the codec's configuration says.
    pub(crate) priming: Option<u32>,
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
        let moov = payload(moov)?;
        let media = payload(child(payload(only(moov, b"trak")?)?, b"mdia")?)?;
        let (clock, _) = MdhdBox::decode(child(media, b"mdhd")?).map_err(broken)?;
        let table = payload(child(payload(child(media, b"minf")?)?, b"stbl")?)?;
        let entries = payload(child(table, b"stsd")?)?.get(STSD_FIELDS..).unwrap_or_default();
        let mut entries = children(entries);
        let (Some(entry), None) = (entries.next().transpose()?, entries.next()) else {
            return Err(Malformed::new("not one sample entry but several or none"));
        };
        let Description { codec, codec_config, priming } = Description::parse(entry)?;
        let defaults = child(moov, b"mvex").and_then(|mvex| child(payload(mvex)?, b"trex"));
        let defaults = match defaults {
            Ok(trex) => Some(TrexBox::decode(trex).map_err(broken)?.0),
            Err(_) => None,
        };
        let defaults = defaults.as_ref();
        Ok(Self {
            codec,
            timescale: clock.timescale.get(),
            codec_config,
            priming,
            default_duration: defaults.map_or(0, |trex| trex.default_sample_duration),
            default_size: defaults.map_or(0, |trex| trex.default_sample_size),
            default_sync: defaults
                .is_none_or(|trex| !trex.default_sample_flags.sample_is_non_sync_sample()),
        })
    }
}

/// What a sample entry says.
struct Description {
    codec: String,
    codec_config: Vec<u8>,
    priming: Option<u32>,
}

impl Description {
    fn parse(entry: &[u8]) -> Result<Self, Malformed> {
        // Read here: the library takes Opus of one and two channels alone.
        if BoxHead::read(entry)?.is_some_and(|head| &head.kind == b"Opus") {
            return Self::opus(payload(entry)?);
        }
        let (entry, _) = SampleEntry::decode(entry).map_err(broken)?;
        let codec_config = match &entry {
            SampleEntry::Avc1(avc1) => payload_of(&avc1.avcc_box)?,
            SampleEntry::Vp09(vp09) => payload_of(&vp09.vpcc_box)?,
            SampleEntry::Av01(av01) => payload_of(&av01.av1c_box)?,
            SampleEntry::Mp4a(mp4a) => {
                let config = mp4a.esds_box.es.dec_config_descr.dec_specific_info.as_ref();
                let config = config.ok_or_else(|| Malformed::new("AAC without configuration"))?;
                config.payload.clone()
            }
            _ => return Err(Malformed::new("a codec that was not asked for")),
        };
        let codec = codec_string::from_sample_entry(&entry).map_err(broken)?;
        Ok(Self { codec, codec_config, priming: None })
    }

    fn opus(entry: &[u8]) -> Result<Self, Malformed> {
        let config = payload(child(entry.get(AUDIO_FIELDS..).unwrap_or_default(), b"dOps")?)?;
        // Version, number of channels, PreSkip.
        let [_, _, high, low] =
            config.first_chunk().ok_or_else(|| Malformed::new("a short dOps"))?;
        let priming = u32::from(u16::from_be_bytes([*high, *low]));
        Ok(Self { codec: OPUS.into(), codec_config: config.to_vec(), priming: Some(priming) })
    }
}

/// The bytes of a box without its head.
fn payload_of(of: &impl Encode) -> Result<Vec<u8>, Malformed> {
    let bytes = of.encode_to_vec().map_err(broken)?;
    Ok(payload(&bytes)?.to_vec())
}

pub(super) fn broken(error: shiguredo_mp4::Error) -> Malformed {
    Malformed(error.to_string())
}
