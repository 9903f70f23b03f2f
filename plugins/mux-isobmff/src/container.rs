//! The two flavours of the format.

/// Which flavour of the format to write: they share their structure and differ in brand, sound
/// description, colour and metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    /// MP4 (ISO/IEC 14496-12 and -14).
    Mp4,
    /// QuickTime (Apple's QuickTime File Format Specification).
    Mov,
}

impl Container {
    /// Both.
    pub(crate) const ALL: [Self; 2] = [Self::Mp4, Self::Mov];

    /// The container by its usual name; none if this crate does not write it.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|container| container.name() == name)
    }

    /// The container's usual name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Mp4 => "mp4",
            Self::Mov => "mov",
        }
    }

    /// What can be written to it, in words.
    pub(crate) fn codecs(self) -> &'static str {
        match self {
            Self::Mp4 => "H.264 (avc1), AAC (mp4a.40) and JPEG pictures (mp4v.6C)",
            Self::Mov => "H.264 (avc1), AAC (mp4a.40) and JPEG pictures (jpeg)",
        }
    }

    /// The media type of a file with video.
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Mp4 => "video/mp4",
            Self::Mov => "video/quicktime",
        }
    }
}
