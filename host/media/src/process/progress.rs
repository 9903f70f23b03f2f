//! What ffmpeg reports with `-progress`.

/// The longest line that is looked at, in bytes; what is longer is not ffmpeg's.
const LINE: usize = 256;

/// How far ffmpeg has got. Values that it did not give are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Frames encoded.
    pub frame: u64,
    /// Frames encoded per second.
    pub fps: f32,
    /// Media time per wall-clock time; 1 is real time.
    pub speed: f32,
    /// Media time written, in microseconds; `None` while ffmpeg does not know it.
    pub out_time_us: Option<u64>,
    /// Whether this is the last report.
    pub done: bool,
}

/// Parses the reports as their bytes arrive. It never fails: what it does not understand it
/// passes over, and a value that it cannot read stays as it was.
#[derive(Clone, Debug, Default)]
pub struct ProgressParser {
    line: Vec<u8>,
    too_long: bool,
    building: Progress,
}

impl ProgressParser {
    /// Takes further bytes; gives the latest report that they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Option<Progress> {
        let mut latest = None;
        for &byte in bytes {
            if byte == b'\n' {
                latest = self.end_line().or(latest);
            } else if self.line.len() < LINE {
                self.line.push(byte);
            } else {
                self.too_long = true;
            }
        }
        latest
    }

    fn end_line(&mut self) -> Option<Progress> {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.too_long) {
            return None;
        }
        let (key, value) = std::str::from_utf8(&line).ok()?.split_once('=')?;
        let value = value.trim();
        let report = &mut self.building;
        match key.trim() {
            "frame" => report.frame = value.parse().unwrap_or(report.frame),
            "fps" => report.fps = rate(value).unwrap_or(report.fps),
            "speed" => {
                report.speed = rate(value.trim_end_matches('x')).unwrap_or(report.speed);
            }
            // Its name is right: `out_time_ms` is in microseconds, too.
            "out_time_us" => report.out_time_us = value.parse().ok().or(report.out_time_us),
            "progress" => {
                report.done = value == "end";
                return Some(*report);
            }
            _ => {}
        }
        None
    }
}

/// A rate that can be shown: finite and not negative.
fn rate(text: &str) -> Option<f32> {
    text.trim().parse().ok().filter(|rate: &f32| rate.is_finite() && *rate >= 0.0)
}

#[cfg(test)]
mod tests;
