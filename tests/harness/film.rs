//! What a finished file holds, read by demuxers in pure Rust that share nothing with ffmpeg or
//! with the plugins that wrote it.

pub mod mp4;
pub mod webm;

use std::path::Path;

/// A finished file.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// The document type or major brand.
    pub kind: String,
    /// In seconds, as the file's head says.
    pub duration: Option<f64>,
    /// Whether a reader finds the index before the first packet.
    pub index_first: bool,
    /// In the order of the file.
    pub tracks: Vec<Track>,
}

/// A track of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// What the container calls the codec (`V_VP9`, `avc1`).
    pub codec: String,
    /// Width and height in pixels; none for sound.
    pub size: Option<(u64, u64)>,
    /// What the container says of the colour.
    pub colour: Option<Colour>,
    /// Samples a second and channels; none for pictures.
    pub sound: Option<(f64, u64)>,
    /// Length of what the codec needs to be told.
    pub codec_config_bytes: usize,
    /// Seconds that the first presented moment lies after the film's beginning.
    pub starts: f64,
    /// Seconds at the beginning of the track that are decoded and not presented.
    pub codec_delay: f64,
    /// Seconds that must be decoded before a point to seek to, if the container says so.
    pub seek_pre_roll: Option<f64>,
    /// Seconds of a packet, if the container says so once for all.
    pub default_duration: Option<f64>,
    /// Every packet, in the order of the file.
    pub packets: Vec<Packet>,
}

/// A packet of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Packet {
    /// When it is presented, in seconds after the track's first packet.
    pub time: f64,
    /// Whether decoding can begin here.
    pub key: bool,
    /// Its length.
    pub bytes: usize,
}

/// Colour in the numbers of H.273.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// The primaries.
    pub primaries: u8,
    /// The transfer characteristics.
    pub transfer: u8,
    /// The matrix.
    pub matrix: u8,
    /// Whether samples use the full range.
    pub full_range: bool,
}

impl Colour {
    /// HD television: BT.709, limited range.
    pub const HD: Self = Self { primaries: 1, transfer: 1, matrix: 1, full_range: false };
}

/// Reads a file by what its name says that it is.
#[track_caller]
pub fn read(file: &Path) -> Film {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("webm") => webm::read(file),
        Some("mp4" | "mov") => mp4::read(file),
        _ => panic!("{} is of no kind that is known here", file.display()),
    }
}

impl Film {
    /// The only track with pictures.
    #[track_caller]
    pub fn video(&self) -> &Track {
        self.only(|track| track.size.is_some()).expect("there is a picture")
    }

    /// The only track with sound, if there is one.
    #[track_caller]
    pub fn audio(&self) -> Option<&Track> {
        self.only(|track| track.sound.is_some())
    }

    #[track_caller]
    fn only(&self, of: impl Fn(&Track) -> bool) -> Option<&Track> {
        let found: Vec<&Track> = self.tracks.iter().filter(|track| of(track)).collect();
        assert!(found.len() <= 1, "more than one: {found:?}");
        found.first().copied()
    }
}

impl Track {
    /// When packets are presented, in their order on the screen.
    pub fn times(&self) -> Vec<f64> {
        let mut times: Vec<f64> = self.packets.iter().map(|packet| packet.time).collect();
        times.sort_by(f64::total_cmp);
        times
    }

    /// Demands a picture at every 1/`rate` of a second, as near as the container's clock can say
    /// it (`tick` seconds).
    #[track_caller]
    pub fn is_steady(&self, rate: f64, tick: f64) {
        let times = self.times();
        for (number, time) in times.iter().enumerate() {
            let expected = number as f64 / rate;
            assert!(
                (time - times[0] - expected).abs() <= tick / 2.0 + 1e-9,
                "frame {number} is at {time} s, not {expected} s"
            );
        }
    }

    /// The most seconds between two places where decoding can begin, the end included.
    pub fn longest_group(&self, end: f64) -> f64 {
        let keys = self.packets.iter().filter(|packet| packet.key).map(|packet| packet.time);
        let mut longest = 0.0_f64;
        let mut last = 0.0;
        for key in keys.chain([end]) {
            longest = longest.max(key - last);
            last = key;
        }
        longest
    }
}
