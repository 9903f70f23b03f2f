//! Pictures, which are stored as PNG.

use std::fmt;
use std::io::Cursor;
use std::sync::Arc;

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Size;

/// The longest side that a picture may have, in pixels.
pub(crate) const MAX_SIDE: u32 = 16384;

/// A picture of a plugin's own making: RGBA, 8 bits a component, sRGB, straight alpha, rows from
/// the top. Serialised as base64 of a PNG file.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    /// The size in pixels.
    pub size: Size,
    /// Exactly 4 bytes for each pixel.
    pub rgba: Arc<Vec<u8>>,
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image({})", self.size)
    }
}

impl Image {
    fn to_png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.size.width, self.size.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header()?.write_image_data(&self.rgba)?;
        Ok(file)
    }

    fn from_png(file: &[u8]) -> Result<Self, String> {
        let mut reader =
            png::Decoder::new(Cursor::new(file)).read_info().map_err(|e| e.to_string())?;
        let info = reader.info();
        let size = Size { width: info.width, height: info.height };
        let is_rgba8 = (info.color_type, info.bit_depth)
            == (png::ColorType::Rgba, png::BitDepth::Eight)
            && info.animation_control.is_none();
        if !is_rgba8 || size.width > MAX_SIDE || size.height > MAX_SIDE {
            return Err("the picture is not one that was stored here".to_owned());
        }
        let mut rgba = vec![0; size.width as usize * size.height as usize * 4];
        reader.next_frame(&mut rgba).map_err(|e| e.to_string())?;
        Ok(Self { size, rgba: Arc::new(rgba) })
    }
}

impl Serialize for Image {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        base64_bytes::serialize(&self.to_png().map_err(S::Error::custom)?, serializer)
    }
}

impl<'de> Deserialize<'de> for Image {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_png(&base64_bytes::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Bytes as base64 text.
pub(super) mod base64_bytes {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(in crate::model) fn serialize<S: Serializer>(
        bytes: &[u8],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub(in crate::model) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD.decode(text).map_err(D::Error::custom)
    }
}
