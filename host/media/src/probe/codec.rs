//! Codec names.

/// ffmpeg's names and the sample entries (RFC 6381, the MP4 registration authority).
const ENTRIES: [(&str, &str); 13] = [
    ("h264", "avc1"),
    ("hevc", "hvc1"),
    ("vp8", "vp08"),
    ("vp9", "vp09"),
    ("av1", "av01"),
    ("mpeg4", "mp4v"),
    ("aac", "mp4a"),
    ("mp3", "mp4a"),
    ("opus", "Opus"),
    ("flac", "fLaC"),
    ("ac3", "ac-3"),
    ("eac3", "ec-3"),
    ("alac", "alac"),
];

/// The RFC 6381 name of the sample entry of ffmpeg's codec `name`, or `name` where there is none.
/// `tag` is what the container calls it: HEVC and H.264 have a second entry for parameter sets
/// that are in band.
pub(crate) fn sample_entry<'a>(name: &'a str, tag: &'a str) -> &'a str {
    if matches!((name, tag), ("hevc", "hev1") | ("h264", "avc3")) {
        return tag;
    }
    ENTRIES.iter().find(|(known, _)| *known == name).map_or(name, |(_, entry)| entry)
}
