//! How a stored picture is to be shown.

use super::report::Stream;
use crate::MediaError;
use crate::units::{Rational, Size};

/// The geometry of a video stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub(crate) coded_size: Size,
    pub(crate) sample_aspect: Rational,
    pub(crate) rotation: u16,
    pub(crate) display_size: Size,
    pub(crate) display_aspect: Rational,
}

impl Geometry {
    /// The geometry of `stream`; fails for a picture that is to be turned by an odd angle.
    pub(crate) fn of(stream: &Stream) -> Result<Self, MediaError> {
        let coded_size = Size { width: stream.width, height: stream.height };
        let sample_aspect = stream.sample_aspect_ratio.unwrap_or(Rational::ONE);
        let rotation = rotation(stream)?;
        let too_odd = || MediaError::UnsupportedSource {
            message: format!(
                "its pixels have the aspect {}:{}",
                sample_aspect.numerator, sample_aspect.denominator
            ),
        };
        let wide = u64::from(coded_size.width) * u64::from(sample_aspect.numerator);
        let high = u64::from(coded_size.height) * u64::from(sample_aspect.denominator);
        // Pixels are made square by stretching rows, as players do.
        let below = u64::from(sample_aspect.denominator);
        let width = u32::try_from(((wide + below / 2) / below).max(1)).map_err(|_| too_odd())?;
        let (above, below, display_size) = if rotation % 180 == 0 {
            (wide, high, Size { width, height: coded_size.height })
        } else {
            (high, wide, Size { width: coded_size.height, height: width })
        };
        let display_aspect = Rational::new(above, below).ok_or_else(too_odd)?;
        Ok(Self { coded_size, sample_aspect, rotation, display_size, display_aspect })
    }
}

/// Clockwise degrees to stand upright. The display matrix wins over the tag of old files, as in
/// ffmpeg.
fn rotation(stream: &Stream) -> Result<u16, MediaError> {
    let matrix = stream.side_data_list.iter().find_map(|data| data.rotation).map(|ccw| -ccw);
    let tag = || stream.tags.get("rotate").and_then(|text| text.parse::<f64>().ok());
    let degrees = matrix.or_else(tag).filter(|degrees| degrees.is_finite()).unwrap_or(0.0);
    let degrees = degrees.rem_euclid(360.0);
    let quarter = (degrees / 90.0).round();
    if (degrees - quarter * 90.0).abs() > 1.0 {
        return Err(MediaError::UnsupportedSource {
            message: format!("its picture is to be turned by {degrees:.0} degrees"),
        });
    }
    // 0, 1, 2, 3 or 4 quarters.
    Ok(quarter as u16 % 4 * 90)
}
