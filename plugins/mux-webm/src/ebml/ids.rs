//! The identifiers of RFC 8794, section 11.2, and RFC 9559, section 5.1, as far as they are
//! written here, by the names that they have there.

use super::Id;

pub(crate) const EBML: Id = Id(&[0x1a, 0x45, 0xdf, 0xa3]);
pub(crate) const EBML_VERSION: Id = Id(&[0x42, 0x86]);
pub(crate) const EBML_READ_VERSION: Id = Id(&[0x42, 0xf7]);
pub(crate) const EBML_MAX_ID_LENGTH: Id = Id(&[0x42, 0xf2]);
pub(crate) const EBML_MAX_SIZE_LENGTH: Id = Id(&[0x42, 0xf3]);
pub(crate) const DOC_TYPE: Id = Id(&[0x42, 0x82]);
pub(crate) const DOC_TYPE_VERSION: Id = Id(&[0x42, 0x87]);
pub(crate) const DOC_TYPE_READ_VERSION: Id = Id(&[0x42, 0x85]);

pub(crate) const SEGMENT: Id = Id(&[0x18, 0x53, 0x80, 0x67]);

pub(crate) const SEEK_HEAD: Id = Id(&[0x11, 0x4d, 0x9b, 0x74]);
pub(crate) const SEEK: Id = Id(&[0x4d, 0xbb]);
pub(crate) const SEEK_ID: Id = Id(&[0x53, 0xab]);
pub(crate) const SEEK_POSITION: Id = Id(&[0x53, 0xac]);

pub(crate) const INFO: Id = Id(&[0x15, 0x49, 0xa9, 0x66]);
pub(crate) const TIMESTAMP_SCALE: Id = Id(&[0x2a, 0xd7, 0xb1]);
pub(crate) const DURATION: Id = Id(&[0x44, 0x89]);
pub(crate) const TITLE: Id = Id(&[0x7b, 0xa9]);
pub(crate) const MUXING_APP: Id = Id(&[0x4d, 0x80]);
pub(crate) const WRITING_APP: Id = Id(&[0x57, 0x41]);

pub(crate) const TRACKS: Id = Id(&[0x16, 0x54, 0xae, 0x6b]);
pub(crate) const TRACK_ENTRY: Id = Id(&[0xae]);
pub(crate) const TRACK_NUMBER: Id = Id(&[0xd7]);
pub(crate) const TRACK_UID: Id = Id(&[0x73, 0xc5]);
pub(crate) const TRACK_TYPE: Id = Id(&[0x83]);
pub(crate) const FLAG_DEFAULT: Id = Id(&[0x88]);
pub(crate) const FLAG_LACING: Id = Id(&[0x9c]);
pub(crate) const DEFAULT_DURATION: Id = Id(&[0x23, 0xe3, 0x83]);
pub(crate) const LANGUAGE: Id = Id(&[0x22, 0xb5, 0x9c]);
pub(crate) const CODEC_ID: Id = Id(&[0x86]);
pub(crate) const CODEC_PRIVATE: Id = Id(&[0x63, 0xa2]);
pub(crate) const CODEC_DELAY: Id = Id(&[0x56, 0xaa]);
pub(crate) const SEEK_PRE_ROLL: Id = Id(&[0x56, 0xbb]);

pub(crate) const VIDEO: Id = Id(&[0xe0]);
pub(crate) const FLAG_INTERLACED: Id = Id(&[0x9a]);
pub(crate) const PIXEL_WIDTH: Id = Id(&[0xb0]);
pub(crate) const PIXEL_HEIGHT: Id = Id(&[0xba]);
pub(crate) const COLOUR: Id = Id(&[0x55, 0xb0]);
pub(crate) const MATRIX_COEFFICIENTS: Id = Id(&[0x55, 0xb1]);
pub(crate) const RANGE: Id = Id(&[0x55, 0xb9]);
pub(crate) const TRANSFER_CHARACTERISTICS: Id = Id(&[0x55, 0xba]);
pub(crate) const PRIMARIES: Id = Id(&[0x55, 0xbb]);

pub(crate) const AUDIO: Id = Id(&[0xe1]);
pub(crate) const SAMPLING_FREQUENCY: Id = Id(&[0xb5]);
pub(crate) const CHANNELS: Id = Id(&[0x9f]);

pub(crate) const TAGS: Id = Id(&[0x12, 0x54, 0xc3, 0x67]);
pub(crate) const TAG: Id = Id(&[0x73, 0x73]);
pub(crate) const TARGETS: Id = Id(&[0x63, 0xc0]);
pub(crate) const SIMPLE_TAG: Id = Id(&[0x67, 0xc8]);
pub(crate) const TAG_NAME: Id = Id(&[0x45, 0xa3]);
pub(crate) const TAG_STRING: Id = Id(&[0x44, 0x87]);

pub(crate) const CUES: Id = Id(&[0x1c, 0x53, 0xbb, 0x6b]);
pub(crate) const CUE_POINT: Id = Id(&[0xbb]);
pub(crate) const CUE_TIME: Id = Id(&[0xb3]);
pub(crate) const CUE_TRACK_POSITIONS: Id = Id(&[0xb7]);
pub(crate) const CUE_TRACK: Id = Id(&[0xf7]);
pub(crate) const CUE_CLUSTER_POSITION: Id = Id(&[0xf1]);
pub(crate) const CUE_RELATIVE_POSITION: Id = Id(&[0xf0]);

pub(crate) const CLUSTER: Id = Id(&[0x1f, 0x43, 0xb6, 0x75]);
pub(crate) const TIMESTAMP: Id = Id(&[0xe7]);
pub(crate) const SIMPLE_BLOCK: Id = Id(&[0xa3]);
pub(crate) const BLOCK_GROUP: Id = Id(&[0xa0]);
pub(crate) const BLOCK: Id = Id(&[0xa1]);
pub(crate) const DISCARD_PADDING: Id = Id(&[0x75, 0xa2]);
