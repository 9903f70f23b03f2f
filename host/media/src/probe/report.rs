//! ffprobe's description of a file, as far as it is of use. Everything is optional: it is told by
//! a program that read a file of unknown origin.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use crate::MediaError;
use crate::units::{Rational, Time};

/// The answer to `-show_format -show_streams`.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Report {
    #[serde(default)]
    pub(crate) streams: Vec<Stream>,
    #[serde(default)]
    pub(crate) format: Format,
}

impl Report {
    /// Reads ffprobe's JSON.
    pub(crate) fn parse(json: &[u8]) -> Result<Self, MediaError> {
        serde_json::from_str(&String::from_utf8_lossy(json)).map_err(|error| {
            MediaError::Unreadable { message: format!("its description makes no sense ({error})") }
        })
    }
}

/// The file as a whole.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Format {
    #[serde(default)]
    pub(crate) format_name: String,
    #[serde(default, deserialize_with = "number")]
    pub(crate) start_time: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub(crate) duration: Option<f64>,
    #[serde(default)]
    pub(crate) tags: BTreeMap<String, String>,
}

/// One stream.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Stream {
    pub(crate) index: u32,
    #[serde(default)]
    pub(crate) codec_type: String,
    #[serde(default)]
    pub(crate) codec_name: String,
    #[serde(default)]
    pub(crate) codec_tag_string: String,
    #[serde(default)]
    pub(crate) profile: String,
    #[serde(default)]
    pub(crate) has_b_frames: u32,
    #[serde(default)]
    pub(crate) width: u32,
    #[serde(default)]
    pub(crate) height: u32,
    #[serde(default, deserialize_with = "ratio")]
    pub(crate) sample_aspect_ratio: Option<Rational>,
    #[serde(default)]
    pub(crate) pix_fmt: String,
    #[serde(default)]
    pub(crate) field_order: String,
    #[serde(default)]
    pub(crate) color_range: String,
    #[serde(default)]
    pub(crate) color_space: String,
    #[serde(default)]
    pub(crate) color_transfer: String,
    #[serde(default)]
    pub(crate) color_primaries: String,
    #[serde(default, deserialize_with = "ratio")]
    pub(crate) r_frame_rate: Option<Rational>,
    #[serde(default, deserialize_with = "ratio")]
    pub(crate) avg_frame_rate: Option<Rational>,
    #[serde(default, deserialize_with = "ratio")]
    pub(crate) time_base: Option<Rational>,
    pub(crate) start_pts: Option<i64>,
    pub(crate) duration_ts: Option<i64>,
    #[serde(default, deserialize_with = "number")]
    pub(crate) nb_frames: Option<u64>,
    #[serde(default, deserialize_with = "number")]
    pub(crate) nb_read_packets: Option<u64>,
    #[serde(default, deserialize_with = "number")]
    pub(crate) sample_rate: Option<u32>,
    #[serde(default)]
    pub(crate) channels: u32,
    #[serde(default)]
    pub(crate) disposition: BTreeMap<String, i64>,
    #[serde(default)]
    pub(crate) tags: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) side_data_list: Vec<SideData>,
}

impl Stream {
    /// Whether ffprobe sets the flag `name` of the stream's disposition.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.disposition.get(name).is_some_and(|flag| *flag != 0)
    }

    /// `ticks` of the stream's time base.
    pub(crate) fn time(&self, ticks: i64) -> Option<Time> {
        Some(Time { ticks, time_base: self.time_base? })
    }
}

/// Something attached to a stream; the only thing looked for is a display matrix.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct SideData {
    /// Degrees counterclockwise.
    pub(crate) rotation: Option<f64>,
}

/// A number that ffprobe may write as a string, or as `N/A`.
fn number<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: std::str::FromStr,
{
    let value = serde_json::Value::deserialize(deserializer)?;
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Ok(text.parse().ok())
}

/// A ratio such as `30000/1001` or `16:15`; none for `0/0`, `0:1` or `N/A`.
fn ratio<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Rational>, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    Ok(value.as_str().and_then(|text| {
        let (above, below) = text.split_once(['/', ':'])?;
        Rational::new(above.parse().ok()?, below.parse().ok()?)
    }))
}
