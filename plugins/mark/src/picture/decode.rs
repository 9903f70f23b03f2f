//! From a file of any kind to samples, or to a sentence about the file.

mod walk;

use image::codecs::{gif::GifDecoder, jpeg::JpegDecoder, png::PngDecoder, webp::WebPDecoder};
use image::metadata::Orientation;
use image::{ColorType, ImageDecoder, ImageError, ImageFormat, ImageResult, Limits};
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use stage_sdk::{Blob, Fault, Size};
use std::io::Cursor;

/// The field of the request that everything here is about.
const FIELD: &str = "watermark.image_asset_id";

/// The longest file in bytes.
const FILE_BYTES: usize = 32 << 20;

const MILLION: u64 = 1_000_000;

/// A kind of file.
struct Format {
    name: &'static str,
    /// The most pixels, of which the file, the decoder's own numbers and the
    /// samples have to fit into the memory of a plugin. So many take about a
    /// third of a second, which leaves a busy machine room within the plugin
    /// time of a decision.
    pixels: u64,
}

const PNG: Format = Format { name: "PNG", pixels: 16 * MILLION };
const JPEG: Format = Format { name: "JPEG", pixels: 16 * MILLION };
const GIF: Format = Format { name: "GIF", pixels: 16 * MILLION };
/// Of its lossy kind a pixel takes three times as long as one of a JPEG file.
const WEBP: Format = Format { name: "WebP", pixels: 4 * MILLION };

/// The most bytes of samples, and what a decoder may take beside them.
const SAMPLE_BYTES: u64 = 96 * MIB;

const MIB: u64 = 1 << 20;

/// The longest colour profile of a PNG file that is looked at. It is packed, so
/// that a small file can unfold to any length.
const PROFILE_BYTES: usize = 1 << 20;

/// A decoded picture as its file has it.
pub(super) struct Decoded {
    /// Before it is turned upright.
    pub(super) size: Size,
    /// How to turn it.
    pub(super) orientation: Orientation,
    /// Bytes of a pixel: 1 is grey, 2 grey and alpha, 3 RGB, 4 RGBA.
    pub(super) channels: usize,
    /// Row by row without padding.
    pub(super) samples: Vec<u8>,
    /// What somebody should know.
    pub(super) notes: Vec<Note>,
}

/// What is drawn otherwise than the file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// It is an animation.
    FirstFrameOnly,
    /// Its colour is not known to be sRGB.
    ForeignColour,
}

/// Reads the file.
///
/// # Errors
/// A fault on the picture if it is none, damaged or too large.
pub(super) fn decode(file: &Blob) -> Result<Decoded, Fault> {
    let mut bytes = file.read_all(FILE_BYTES)?;
    let unknown = || invalid("The picture is not a PNG, JPEG, WebP or GIF file.");
    match image::guess_format(&bytes).map_err(|_| unknown())? {
        ImageFormat::Png => {
            let profile = walk::take_profile(&mut bytes);
            // This decoder wants its limits before it reads the header.
            let decoder = PngDecoder::with_limits(Cursor::new(bytes), limits(SAMPLE_BYTES));
            let moves = decoder.as_ref().is_ok_and(|png| png.is_apng().unwrap_or(false));
            let mut decoded = read(decoder, &PNG, moves)?;
            if profile.is_some_and(|packed| !is_packed_srgb(&packed)) {
                decoded.notes.push(Note::ForeignColour);
            }
            Ok(decoded)
        }
        ImageFormat::Jpeg => {
            let length = walk::jpeg_length(&bytes);
            bytes.truncate(length.ok_or_else(|| damaged("JPEG", "there is no end"))?);
            read(JpegDecoder::new(Cursor::new(bytes)), &JPEG, false)
        }
        ImageFormat::Gif => {
            let moves = walk::gif_moves(&bytes);
            read(GifDecoder::new(Cursor::new(bytes)), &GIF, moves)
        }
        ImageFormat::WebP => {
            let decoder = WebPDecoder::new(Cursor::new(bytes));
            let moves = decoder.as_ref().is_ok_and(WebPDecoder::has_animation);
            read(decoder, &WEBP, moves)
        }
        _ => Err(unknown()),
    }
}

fn limits(bytes: u64) -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(bytes);
    limits
}

fn read<D: ImageDecoder>(
    decoder: ImageResult<D>,
    format: &Format,
    moves: bool,
) -> Result<Decoded, Fault> {
    let fault = |error: ImageError| match error {
        ImageError::Limits(_) => invalid("The picture needs too much memory; make it smaller."),
        error => damaged(format.name, &error.to_string()),
    };
    let mut decoder = decoder.map_err(fault)?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels == 0 {
        return Err(invalid("The picture has no pixels."));
    }
    if pixels > format.pixels {
        return Err(invalid(format!(
            "The picture has {width}×{height} pixels; make it smaller, for of {} files at most {} \
             million are read.",
            format.name,
            format.pixels / MILLION
        )));
    }
    if decoder.total_bytes() > SAMPLE_BYTES {
        return Err(invalid(format!(
            "The picture's {width}×{height} pixels take {} MiB, of which at most {} are read; make \
             it smaller or store it with 8 bits a channel.",
            decoder.total_bytes().div_ceil(MIB),
            SAMPLE_BYTES / MIB
        )));
    }
    decoder.set_limits(limits(SAMPLE_BYTES)).map_err(fault)?;
    let mut notes = Vec::new();
    if moves {
        notes.push(Note::FirstFrameOnly);
    }
    if decoder.icc_profile().ok().flatten().is_some_and(|profile| !is_srgb(&profile)) {
        notes.push(Note::ForeignColour);
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let colour = decoder.color_type();
    let mut samples = vec![0; usize::try_from(decoder.total_bytes()).unwrap_or_default()];
    decoder.read_image(&mut samples).map_err(fault)?;
    let (channels, samples) = match colour {
        ColorType::L8 => (1, samples),
        ColorType::La8 => (2, samples),
        ColorType::Rgb8 => (3, samples),
        ColorType::Rgba8 => (4, samples),
        ColorType::L16 => (1, narrowed(samples)),
        ColorType::La16 => (2, narrowed(samples)),
        ColorType::Rgb16 => (3, narrowed(samples)),
        ColorType::Rgba16 => (4, narrowed(samples)),
        _ => return Err(invalid("The picture's samples are of a kind that is not read.")),
    };
    Ok(Decoded { size: Size::new(width, height), orientation, channels, samples, notes })
}

/// Samples of 16 bits, in the machine's order, rounded to 8 in their place.
fn narrowed(mut samples: Vec<u8>) -> Vec<u8> {
    let narrow = samples.len() / 2;
    for place in 0..narrow {
        let Some(&[first, second]) = samples.get(place * 2..place * 2 + 2) else { break };
        let wide = u32::from(u16::from_ne_bytes([first, second]));
        if let Some(sample) = samples.get_mut(place) {
            *sample = ((wide + 128) / 257) as u8;
        }
    }
    samples.truncate(narrow);
    samples
}

/// Whether the colour profile of a PNG file, behind a name and the number of its
/// packing, is short and calls itself sRGB.
fn is_packed_srgb(chunk: &[u8]) -> bool {
    let mut parts = chunk.splitn(2, |byte| *byte == 0);
    let packed = parts.nth(1).and_then(|rest| rest.get(1..)).unwrap_or_default();
    decompress_to_vec_zlib_with_limit(packed, PROFILE_BYTES).is_ok_and(|profile| is_srgb(&profile))
}

/// Whether a profile calls itself sRGB, in ASCII or in UTF-16.
fn is_srgb(profile: &[u8]) -> bool {
    profile.windows(4).any(|part| part == b"sRGB")
        || profile.windows(7).any(|part| part == b"s\0R\0G\0B")
}

fn damaged(format: &str, why: &str) -> Fault {
    // What a decoder says is for the log, not for the person.
    eprintln!("watermark picture: {why}");
    invalid(format!("The picture's {format} file is damaged or incomplete."))
}

fn invalid(message: impl Into<String>) -> Fault {
    Fault::invalid_field(FIELD, message)
}
