//! What the tests share: an engine, sources made on the spot, and ways to look at what came out.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use media::{
    AudioCodec, Colour, Composition, Ffmpeg, FrameEncoder, Framed, Input, Launcher, Limits,
    MediaError, Overlay, Packet, Point, RateControl, Rational, Run, Size, Source, Summary, Tools,
    Track, TrackPlan, VideoCodec, VideoEncoder,
};
use picture::Frame;
use tempfile::TempDir;

/// An engine whose jail is this crate's test launcher.
pub(crate) async fn engine() -> Ffmpeg {
    engine_with(Limits::default()).await
}

pub(crate) async fn engine_with(limits: Limits) -> Ffmpeg {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_media-test-launcher"));
    let launcher = Launcher { program, args: vec!["jail".into()] };
    let tools = Tools::find(None, None).expect("ffmpeg is installed");
    Ffmpeg::new(tools, launcher, limits).expect("the jail works")
}

/// A sample file, or none with a notice where the samples are not there.
pub(crate) fn sample(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let root = std::env::var_os("VIDEO_RENDER_SAMPLES").map_or(root, PathBuf::from);
    let path = root.join("media").join(name);
    if !path.exists() {
        println!("skipped: no sample {name} (set VIDEO_RENDER_SAMPLES)");
        return None;
    }
    Some(path)
}

/// Runs the system's ffmpeg outside of the jail, to make a source or to look at a result.
pub(crate) fn ffmpeg(args: &[&str]) -> Vec<u8> {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-nostdin", "-y"])
        .args(args)
        .output()
        .expect("ffmpeg starts");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// A source made by ffmpeg from the arguments before its name.
pub(crate) struct Made {
    directory: TempDir,
    pub(crate) path: PathBuf,
}

impl Made {
    pub(crate) fn new(name: &str, args: &[&str]) -> Self {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join(name);
        let mut all = args.to_vec();
        all.push(path.to_str().unwrap());
        ffmpeg(&all);
        Self { directory, path }
    }

    /// A path beside it.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }
}

/// Puts zeros in the place of a share of the packets of a kind, from the second on.
pub(crate) fn overwrite_packets(path: &Path, kind: &str, share: f64) {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-select_streams", kind, "-show_entries", "packet=size,pos"])
        .args(["-of", "csv=p=0", path.to_str().unwrap()])
        .output()
        .expect("ffprobe starts");
    let text = String::from_utf8(output.stdout).unwrap();
    let mut bytes = std::fs::read(path).unwrap();
    // Lines of other things have no two numbers.
    let packets = text.lines().filter_map(|line| {
        let mut numbers = line.split(',').map(|number| number.parse::<usize>().ok());
        Some((numbers.next()??, numbers.next()??))
    });
    let packets: Vec<_> = packets.collect();
    let count = (packets.len() as f64 * share) as usize;
    for (size, at) in packets.into_iter().skip(1).take(count) {
        bytes[at..at + size].fill(0);
    }
    std::fs::write(path, bytes).unwrap();
}

/// A composition at the source's own size (sides made even) and rate with all its sound.
pub(crate) fn as_it_is(source: &Source, rate: RateControl) -> Composition {
    let video = &source.video[0];
    let even = |side: u32| (side + side % 2).max(2);
    let size =
        Size { width: even(video.display_size.width), height: even(video.display_size.height) };
    let mut tracks = vec![TrackPlan::Video {
        stream: video.stream,
        codec: VideoCodec::H264,
        rate,
        effort: 0,
        keyframe_interval: 250,
        copy: false,
        encoder: VideoEncoder::Host,
    }];
    tracks.extend(source.audio.iter().map(|audio| TrackPlan::Audio {
        stream: audio.stream,
        codec: AudioCodec::Aac,
        sample_rate: audio.sample_rate,
        channels: audio.channels,
        bit_rate: None,
        copy: false,
    }));
    let frame_rate = video.frame_rate;
    Composition { size, frame_rate, colour: Colour::BT709, overlays: Vec::new(), tracks }
}

/// A picture of one colour.
pub(crate) fn patch(rgba: [u8; 4], size: Size, at: Point) -> Overlay {
    let pixels = rgba.repeat(usize::try_from(size.pixels()).unwrap());
    Overlay { rgba: Arc::new(pixels), size, at }
}

/// All that a run delivers.
pub(crate) async fn collect(
    run: Result<Run, MediaError>,
) -> Result<(Vec<Track>, Vec<Packet>, Summary), MediaError> {
    let mut run = run?;
    let tracks = run.tracks().to_vec();
    let mut packets = Vec::new();
    while let Some(packet) = run.next_packet().await? {
        packets.push(packet);
    }
    Ok((tracks, packets, run.finish().await?))
}

/// A render and what it delivered.
pub(crate) struct Rendered {
    pub(crate) source: Source,
    pub(crate) tracks: Vec<Track>,
    pub(crate) packets: Vec<Packet>,
    pub(crate) summary: Summary,
}

impl Rendered {
    /// Probes and renders `path` by what `plan` makes of the source; checks what must hold of
    /// every render.
    pub(crate) async fn of(path: &Path, plan: impl FnOnce(&Source) -> Composition) -> Self {
        let engine = engine().await;
        let input = Input::open(path).unwrap();
        let source = engine.probe(&input).await.unwrap();
        let composition = plan(&source);
        let spool = TempDir::new().unwrap();
        let run = engine.run(&input, &source, &composition, spool.path()).await;
        let (tracks, packets, summary) = collect(run).await.unwrap();
        let rendered = Self { source, tracks, packets, summary };
        rendered.check(&composition);
        rendered
    }

    /// The same with the frames handed out, and through `work` on their way.
    pub(crate) async fn framed(
        path: &Path,
        plan: impl FnOnce(&Source) -> Composition,
        mut work: impl FnMut(Frame) -> Frame,
    ) -> Self {
        let engine = engine().await;
        let input = Input::open(path).unwrap();
        let source = engine.probe(&input).await.unwrap();
        let composition = plan(&source);
        let spool = TempDir::new().unwrap();
        let run = engine.run_framed(&input, &source, &composition, spool.path()).await;
        let Framed { mut decoded, encoder, starting } = run.unwrap();
        let FrameEncoder::Ffmpeg(mut sink) = encoder else { panic!("no encoder") };
        let frames = async {
            while let Some(frame) = decoded.next().await? {
                sink.push(work(frame)).await?;
            }
            sink.finish().await
        };
        let packets = async { collect(starting.run().await).await };
        let ((), (tracks, packets, summary)) = tokio::try_join!(frames, packets).unwrap();
        let rendered = Self { source, tracks, packets, summary };
        rendered.check(&composition);
        rendered
    }

    /// The packets of a track.
    pub(crate) fn of_track(&self, track: u32) -> impl Iterator<Item = &Packet> {
        self.packets.iter().filter(move |packet| packet.track == track)
    }

    fn check(&self, composition: &Composition) {
        assert_eq!(self.tracks.len(), composition.tracks.len());
        assert!(self.tracks.iter().any(|track| track.start == 0), "no track starts the film");
        let clock = |packet: &Packet| {
            let track = &self.tracks[packet.track as usize];
            // Where a container puts it, priming and all.
            i128::from(packet.dts) + i128::from(track.start) + i128::from(track.priming)
        };
        for pair in self.packets.windows(2) {
            let scale = |at: usize| i128::from(self.tracks[pair[at].track as usize].timescale);
            assert!(clock(&pair[0]) * scale(1) <= clock(&pair[1]) * scale(0), "out of order");
        }
        for (number, track) in (0..).zip(&self.tracks) {
            let packets: Vec<_> = self.of_track(number).collect();
            assert!(packets.windows(2).all(|pair| pair[0].dts < pair[1].dts), "dts must rise");
            assert!(packets[0].is_sync);
            let first = packets.iter().map(|packet| packet.pts).min().unwrap();
            assert_eq!(first, -i64::try_from(track.priming).unwrap());
        }
        // Every place of the raster's grid has one frame.
        let Rational { numerator, denominator } = composition.frame_rate;
        let frame = u64::from(self.tracks[0].timescale / numerator) * u64::from(denominator);
        let mut times: Vec<_> = self.of_track(0).map(|packet| packet.pts).collect();
        times.sort_unstable();
        let grid = (0..).step_by(usize::try_from(frame).unwrap()).take(times.len());
        assert!(times.into_iter().eq(grid), "frames are not on the grid");
        let promised = self.tracks[0].duration / frame;
        assert!(promised.abs_diff(self.summary.frames) <= 1, "{promised} frames were promised");
    }

    /// The decoded pictures of the video track: planar 4:2:0, one after the other.
    pub(crate) fn pictures(&self, pixel_format: &str, filter: &str) -> Vec<u8> {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("track.h264");
        std::fs::write(&path, self.annex_b()).unwrap();
        let path = path.to_str().unwrap();
        ffmpeg(&[
            "-f",
            "h264",
            "-i",
            path,
            "-vf",
            filter,
            "-fps_mode",
            "passthrough",
            "-pix_fmt",
            pixel_format,
            "-f",
            "rawvideo",
            "-",
        ])
    }

    /// The decoded samples of an AAC track of one channel and 48 kHz, with its priming.
    pub(crate) fn samples(&self, track: u32) -> Vec<i16> {
        let mut stream = Vec::new();
        for packet in self.of_track(track) {
            // An ADTS head (ISO/IEC 13818-7): AAC-LC, rate index 3, one channel.
            let length = u16::try_from(packet.data.len() + 7).unwrap();
            let [high, low] = (length << 5).to_be_bytes();
            stream.extend([0xff, 0xf1, 0x4c, 0x40 | (length >> 11) as u8, high, low | 0x1f, 0xfc]);
            stream.extend(&packet.data[..]);
        }
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("track.aac");
        std::fs::write(&path, stream).unwrap();
        let pcm = ffmpeg(&["-f", "aac", "-i", path.to_str().unwrap(), "-f", "s16le", "-"]);
        pcm.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
    }

    /// The video track as a byte stream (ISO/IEC 14496-10, annex B).
    fn annex_b(&self) -> Vec<u8> {
        let mut stream = Vec::new();
        let mut unit = |bytes: &[u8]| {
            stream.extend([0, 0, 0, 1]);
            stream.extend(bytes);
        };
        for set in parameter_sets(&self.tracks[0].codec_config) {
            unit(set);
        }
        for packet in self.of_track(0) {
            let mut rest = &packet.data[..];
            while let Some((length, after)) = rest.split_first_chunk() {
                let (nal, after) = after.split_at(u32::from_be_bytes(*length) as usize);
                unit(nal);
                rest = after;
            }
        }
        stream
    }
}

/// The SPS and PPS units of an `avcC` payload.
fn parameter_sets(avcc: &[u8]) -> Vec<&[u8]> {
    let mut sets = Vec::new();
    let mut rest = &avcc[5..];
    for mask in [0x1f, 0xff] {
        let count = rest[0] & mask;
        rest = &rest[1..];
        for _ in 0..count {
            let (length, after) = rest.split_first_chunk().unwrap();
            let (set, after) = after.split_at(usize::from(u16::from_be_bytes(*length)));
            sets.push(set);
            rest = after;
        }
    }
    sets
}
