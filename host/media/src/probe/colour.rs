//! ffmpeg's names of colour tags, as code points of ITU-T H.273.

use super::report::Stream;
use crate::units::Colour;

/// The code point for "unspecified" in all three tables.
const UNSPECIFIED: u8 = 2;

/// Colour primaries, H.273 table 2; names of libavutil's pixdesc.
const PRIMARIES: [(&str, u8); 11] = [
    ("bt709", 1),
    ("bt470m", 4),
    ("bt470bg", 5),
    ("smpte170m", 6),
    ("smpte240m", 7),
    ("film", 8),
    ("bt2020", 9),
    ("smpte428", 10),
    ("smpte431", 11),
    ("smpte432", 12),
    ("ebu3213", 22),
];

/// Transfer characteristics, H.273 table 3.
const TRANSFER: [(&str, u8); 17] = [
    ("bt709", 1),
    ("bt470m", 4),
    ("bt470bg", 5),
    ("smpte170m", 6),
    ("smpte240m", 7),
    ("linear", 8),
    ("log100", 9),
    ("log316", 10),
    ("iec61966-2-4", 11),
    ("bt1361e", 12),
    ("iec61966-2-1", 13),
    ("bt2020-10", 14),
    ("bt2020-12", 15),
    ("smpte2084", 16),
    ("smpte428", 17),
    ("arib-std-b67", 18),
    ("gamma22", 4),
];

/// Matrix coefficients, H.273 table 4.
const MATRIX: [(&str, u8); 14] = [
    ("gbr", 0),
    ("bt709", 1),
    ("fcc", 4),
    ("bt470bg", 5),
    ("smpte170m", 6),
    ("smpte240m", 7),
    ("ycgco", 8),
    ("bt2020nc", 9),
    ("bt2020c", 10),
    ("smpte2085", 11),
    ("chroma-derived-nc", 12),
    ("chroma-derived-c", 13),
    ("ictcp", 14),
    ("bt2020_ncl", 9),
];

/// The colour that a stream is tagged with.
pub(crate) fn of(stream: &Stream) -> Colour {
    Colour {
        primaries: look_up(&PRIMARIES, &stream.color_primaries),
        transfer: look_up(&TRANSFER, &stream.color_transfer),
        matrix: look_up(&MATRIX, &stream.color_space),
        // The old JPEG layouts say it by their name.
        full_range: stream.color_range == "pc" || stream.pix_fmt.starts_with("yuvj"),
    }
}

fn look_up(table: &[(&str, u8)], name: &str) -> u8 {
    table.iter().find(|(known, _)| *known == name).map_or(UNSPECIFIED, |(_, code)| *code)
}
