//! A generated file taken apart: tracks and packets as a host would hand them over.

use std::path::{Path, PathBuf};
use std::process::Command;

use mux_webm::MuxWebm;
use serde_json::Value;
use stage_sdk::{Colour, MemoryOutput, MuxPlugin, Muxer, Packet, Size, Track, TrackFormat};

use super::probe::probe;
use super::{boxes, job};

/// A file and what it is made of.
pub(crate) struct Clip {
    pub(crate) path: PathBuf,
    pub(crate) probe: Value,
    pub(crate) tracks: Vec<Track>,
    /// By decode time across all tracks, as a host delivers them, each with its bytes.
    pub(crate) packets: Vec<(Packet, Vec<u8>)>,
}

/// Generates an mp4, whose times are exact, and takes it apart. Its tracks all begin at 0.
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
    let packets = probe["packets"].as_array().unwrap();
    let mut packets: Vec<_> = packets.iter().map(|packet| taken(&bytes, packet)).collect();
    in_order(&tracks, &mut packets);
    Clip { path, probe, tracks, packets }
}

fn taken(bytes: &[u8], packet: &Value) -> (Packet, Vec<u8>) {
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
    let number = |name: &str| -> u32 { stream[name].as_u64().unwrap().try_into().unwrap() };
    let (codec, entry, config, format) = if stream["codec_type"] == "video" {
        let size = Size::new(number("width"), number("height"));
        let format = TrackFormat::Video { size, colour: Colour::BT709 };
        match stream["codec_name"].as_str() {
            Some("vp9") => ("vp09.00.10.08", b"vp09", b"vpcC", format),
            _ => ("av01.0.00M.08", b"av01", b"av1C", format),
        }
    } else {
        let sample_rate = stream["sample_rate"].as_str().unwrap().parse().unwrap();
        let format = TrackFormat::Audio { sample_rate, channels: number("channels") };
        ("opus", b"Opus", b"dOps", format)
    };
    let path: [&[u8; 4]; 6] = [b"mdia", b"minf", b"stbl", b"stsd", entry, config];
    Track {
        codec: codec.to_owned(),
        timescale,
        codec_config: boxes::find(trak, &path).unwrap().to_vec(),
        start: 0,
        priming: if stream["codec_type"] == "video" { 0 } else { 312 },
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

    /// Has the plugin write it again, keeping what it keeps of the source's tags.
    pub(crate) fn write(&self, tags: &[(&str, &str)]) -> Written {
        let bytes = self.write_bytes(tags);
        let path = self.path.with_file_name("written.webm");
        std::fs::write(&path, &bytes).unwrap();
        Written { probe: probe(&path), path, bytes }
    }

    fn write_bytes(&self, tags: &[(&str, &str)]) -> Vec<u8> {
        let output = MemoryOutput::default();
        let bytes = output.bytes();
        let mut muxer = MuxWebm::begin(&job(tags), self.tracks.clone(), output).unwrap();
        for (packet, data) in &self.packets {
            muxer.write(packet, data).unwrap();
        }
        muxer.finish().unwrap();
        bytes.take()
    }
}

/// A file that the plugin wrote.
pub(crate) struct Written {
    pub(crate) path: PathBuf,
    pub(crate) probe: Value,
    pub(crate) bytes: Vec<u8>,
}
