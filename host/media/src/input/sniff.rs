//! Which container a file is, by its first bytes.

/// A container format that the host opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputFormat {
    /// ISO base media: MP4, MOV, 3GP.
    IsoBmff,
    /// Matroska and WebM.
    Matroska,
    /// AVI.
    Avi,
    /// Ogg.
    Ogg,
    /// MPEG-2 transport stream.
    MpegTs,
    /// MPEG program stream.
    MpegPs,
    /// Flash video.
    Flv,
}

impl InputFormat {
    /// The name of ffmpeg's demuxer. Give it with `-f`: ffmpeg probes nothing then, and a file
    /// cannot pass here as one format and be opened as another.
    pub fn demuxer(self) -> &'static str {
        match self {
            Self::IsoBmff => "mov",
            Self::Matroska => "matroska",
            Self::Avi => "avi",
            Self::Ogg => "ogg",
            Self::MpegTs => "mpegts",
            Self::MpegPs => "mpeg",
            Self::Flv => "flv",
        }
    }
}

/// The boxes that an ISO base media file can begin with.
const FIRST_BOXES: [&[u8]; 6] = [b"ftyp", b"moov", b"mdat", b"free", b"wide", b"skip"];

/// Length of a transport packet: plain, and with the time stamp of a disc recording in front.
const TS_PACKETS: [(usize, usize); 2] = [(0, 188), (4, 192)];

/// The container that begins with `head` (not empty), or what it looks like instead.
pub(super) fn sniff(head: &[u8]) -> Result<InputFormat, &'static str> {
    let fourth = |at: usize| head.get(at..at.saturating_add(4)).unwrap_or_default();
    if FIRST_BOXES.contains(&fourth(4)) {
        return Ok(InputFormat::IsoBmff);
    }
    if head.starts_with(b"RIFF") && fourth(8) == b"AVI " {
        return Ok(InputFormat::Avi);
    }
    let begins = [
        (b"\x1a\x45\xdf\xa3", InputFormat::Matroska),
        (b"OggS", InputFormat::Ogg),
        (b"\x00\x00\x01\xba", InputFormat::MpegPs),
        (b"FLV\x01", InputFormat::Flv),
    ];
    if let Some((_, format)) = begins.into_iter().find(|(magic, _)| head.starts_with(*magic)) {
        return Ok(format);
    }
    if TS_PACKETS.iter().any(|(sync, length)| is_transport_stream(head, *sync, *length)) {
        return Ok(InputFormat::MpegTs);
    }
    Err(looks_like(head))
}

/// Whether a sync byte stands where every packet would have one, and there is more than one.
/// The sync byte is a letter, so text is ruled out.
fn is_transport_stream(head: &[u8], sync: usize, length: usize) -> bool {
    let mut syncs = head.iter().skip(sync).step_by(length);
    head.len() > sync + length && syncs.all(|byte| *byte == 0x47) && !is_text(head)
}

/// The beginnings of what people and attackers name like a video.
const KNOWN: [(&[u8], &str); 16] = [
    (b"#EXTM3U", "an HLS playlist"),
    (b"ffconcat", "an ffmpeg playlist"),
    (b"<?xml", "an XML file"),
    (b"<!DOCTYPE", "a web page"),
    (b"<html", "a web page"),
    (b"<svg", "an SVG image"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
    (b"fLaC", "a FLAC audio file"),
    (b"ID3", "an MP3 audio file"),
    (b"RIFF", "a RIFF file that is not AVI"),
];

fn looks_like(head: &[u8]) -> &'static str {
    let known = KNOWN.iter().find(|(magic, _)| head.starts_with(magic));
    if let Some((_, name)) = known {
        return name;
    }
    if head.iter().all(|byte| *byte == 0) {
        return "nothing but zeros";
    }
    if is_text(head) { "text" } else { "data of an unknown kind" }
}

/// Whether all of it is printable UTF-8, of which the last character may be cut off.
fn is_text(head: &[u8]) -> bool {
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            let (valid, _) = head.split_at(error.valid_up_to());
            std::str::from_utf8(valid).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !valid.is_empty() && valid.chars().all(|c| !c.is_control() || c.is_whitespace())
}
