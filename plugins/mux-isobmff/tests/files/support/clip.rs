//! A generated file taken apart: tracks and packets as a host would hand them over.

use std::path::{Path, PathBuf};
use std::process::Command;

use mux_isobmff::MuxIsobmff;
use serde_json::Value;
use stage_sdk::{
    Colour, Fault, Job, MemoryOutput, MuxPlugin, Muxer, NoParameters, Packet, Size, Track,
    TrackFormat,
};

use super::probe::probe;
use super::{boxes, job};

/// Pictures that each container has its own name for.
const JPEG: &str = "jpeg";

/// A file and what it is made of.
pub(crate) struct Clip {
    pub(crate) path: PathBuf,
    pub(crate) probe: Value,
    pub(crate) tracks: Vec<Track>,
    /// By decode time across all tracks, as a host delivers them, each with its bytes.
    pub(crate) packets: Vec<(Packet, Vec<u8>)>,
}

/// Generates an mp4 with ffmpeg's own muxer and takes it apart. Its tracks all begin at 0.
pub(crate) fn generate(dir: &Path, args: &str) -> Clip {
    let path = dir.join("source.mp4");
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-y"])
        .args(args.split_whitespace())
        .args(["-pix_fmt", "yuv420p"])
        .arg(&path)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    take_apart(path)
}

fn take_apart(path: PathBuf) -> Clip {
    let bytes = std::fs::read(&path).unwrap();
    let probe = probe(&path);
    let streams = probe["streams"].as_array().unwrap();
    let tracks: Vec<_> = streams.iter().map(|stream| track(&bytes, stream)).collect();
    let mut packets: Vec<_> = probe["packets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|packet| {
            let time = |name: &str| packet[name].as_i64().unwrap();
            let text = |name: &str| packet[name].as_str().unwrap();
            let position: usize = text("pos").parse().unwrap();
            let size: usize = text("size").parse().unwrap();
            let packet = Packet {
                track: time("stream_index").try_into().unwrap(),
                dts: time("dts"),
                pts: time("pts"),
                duration: time("duration").try_into().unwrap(),
                size: size.try_into().unwrap(),
                is_sync: text("flags").starts_with('K'),
            };
            (packet, bytes[position..position + size].to_vec())
        })
        .collect();
    in_order(&tracks, &mut packets);
    Clip { path, probe, tracks, packets }
}

fn in_order(tracks: &[Track], packets: &mut [(Packet, Vec<u8>)]) {
    packets.sort_by_key(|(packet, _)| {
        let track = &tracks[packet.track];
        let ticks = i128::from(packet.dts) + i128::from(track.start);
        ticks * 1_000_000_000 / i128::from(track.timescale)
    });
}

fn track(bytes: &[u8], stream: &Value) -> Track {
    let time_base = stream["time_base"].as_str().unwrap();
    let timescale = time_base.strip_prefix("1/").unwrap().parse().unwrap();
    let trak = boxes::all(bytes, &[b"moov", b"trak"])[stream["index"].as_u64().unwrap() as usize];
    let entry = |kind| [b"mdia", b"minf", b"stbl", b"stsd", kind];
    let number = |name: &str| -> u32 { stream[name].as_u64().unwrap().try_into().unwrap() };
    let (codec, config, format) = if stream["codec_type"] == "video" {
        let size = Size::new(number("width"), number("height"));
        match boxes::find(trak, &entry(b"avc1")) {
            Some(entry) => {
                let config = boxes::find(entry, &[b"avcC"]).unwrap().to_vec();
                ("avc1.64001e", config, TrackFormat::Video { size, colour: Colour::BT709 })
            }
            None => {
                let colour = Colour { matrix: 5, full_range: true, ..Colour::BT709 };
                (JPEG, Vec::new(), TrackFormat::Video { size, colour })
            }
        }
    } else {
        let entry = boxes::find(trak, &entry(b"mp4a")).unwrap();
        let esds = boxes::find(entry, &[b"esds"]).unwrap();
        // The decoder's own description: tag 5, four bytes of length.
        let at = esds.windows(4).position(|window| window == b"\x05\x80\x80\x80").unwrap();
        let config = esds[at + 5..at + 5 + usize::from(esds[at + 4])].to_vec();
        let sample_rate = stream["sample_rate"].as_str().unwrap().parse().unwrap();
        ("mp4a.40.2", config, TrackFormat::Audio { sample_rate, channels: number("channels") })
    };
    Track {
        codec: codec.to_owned(),
        timescale,
        codec_config: config,
        start: 0,
        priming: if stream["codec_type"] == "video" { 0 } else { 1024 },
        duration: stream["duration_ts"].as_u64().unwrap(),
        language: stream["tags"]["language"].as_str().map(str::to_owned),
        format,
    }
}

impl Clip {
    /// Has a track begin later.
    pub(crate) fn delay(&mut self, track: usize, ticks: u64) {
        self.tracks[track].start = ticks;
        in_order(&self.tracks, &mut self.packets);
    }

    /// Has the plugin write it again to a container, keeping what it keeps of the source's tags.
    pub(crate) fn write(&self, container: &str, tags: &[(&str, &str)]) -> Written {
        let job = job(container, tags);
        let bytes = self.write_bytes(&job).unwrap();
        let path = self.path.with_file_name("written").with_extension(container);
        std::fs::write(&path, &bytes).unwrap();
        Written { probe: probe(&path), path, bytes }
    }

    fn write_bytes(&self, job: &Job<NoParameters>) -> Result<Vec<u8>, Fault> {
        let output = MemoryOutput::default();
        let bytes = output.bytes();
        let mut tracks = self.tracks.clone();
        for track in &mut tracks {
            if track.codec == JPEG && job.request.container == "mp4" {
                track.codec = "mp4v.6C".to_owned();
            }
        }
        let mut muxer = MuxIsobmff::begin(job, tracks, output)?;
        for (packet, data) in &self.packets {
            muxer.write(packet, data)?;
        }
        muxer.finish()?;
        Ok(bytes.take())
    }
}

/// A file that the plugin wrote.
pub(crate) struct Written {
    pub(crate) path: PathBuf,
    pub(crate) probe: Value,
    pub(crate) bytes: Vec<u8>,
}
