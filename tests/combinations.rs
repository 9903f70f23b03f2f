//! Every container with every way to mark a film: the watermark that is
//! declared, the one that is written into every frame, and none; a text and a
//! picture.

use std::path::{Path, PathBuf};

use product_tests::film::{self, Film};
use product_tests::sources::make;
use product_tests::{Product, judge};

/// There are many renders here, and how small the files are is not the question.
const FAST: &str = "[plugins.encode-standard.parameters]\npreset = \"ultrafast\"\n";

const CONTAINERS: [&str; 3] = ["mp4", "mov", "webm"];

/// A source and what is known of it.
struct Source {
    name: &'static str,
    file: PathBuf,
    /// At 720p.
    size: (u64, u64),
    rate: f64,
    frames: usize,
    /// How much later the sound begins than the picture; none without sound.
    sound: Option<f64>,
}

fn sources(dir: &Path) -> Vec<Source> {
    let picture = "testsrc2=size=320x180:rate=25:duration=1";
    let tone = "-f lavfi -i sine=frequency=440:duration=1:sample_rate=48000";
    let x264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p";
    let plain = format!("-f lavfi -i {picture} {tone} {x264} -c:a aac -ac 2");
    let late = format!("-f lavfi -i {picture} -itsoffset 0.4 {tone} {x264} -c:a aac -ac 1");
    let upright = make(
        dir.join("upright.mp4"),
        &format!("-f lavfi -i testsrc2=size=320x180:rate=30000/1001:duration=1 {x264}"),
    );
    let portrait = format!("-i {} -c copy -metadata:s:v rotate=90", upright.display());
    vec![
        Source {
            name: "plain",
            file: make(dir.join("plain.mp4"), &plain),
            size: (1280, 720),
            rate: 25.0,
            frames: 25,
            sound: Some(0.0),
        },
        Source {
            name: "late sound",
            file: make(dir.join("late.mkv"), &late),
            size: (1280, 720),
            rate: 25.0,
            frames: 25,
            sound: Some(0.4),
        },
        Source {
            name: "portrait",
            file: make(dir.join("portrait.mp4"), &portrait),
            size: (720, 1280),
            rate: 30_000.0 / 1001.0,
            frames: 30,
            sound: None,
        },
    ]
}

/// How a film is marked.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mark {
    None,
    Overlay,
    Tile,
}

#[track_caller]
fn render(
    product: &Product,
    source: &Source,
    container: &str,
    mark: Mark,
    what: &[&str],
) -> PathBuf {
    let out = format!("out.{container}");
    let input = source.file.to_str().unwrap();
    let chain = if mark == Mark::Tile { "tile.toml" } else { "overlay.toml" };
    let mut args = vec!["render", input, "-o", &out, "--overwrite", "--resolution", "720p"];
    args.extend(["--chain", chain]);
    if mark != Mark::None {
        args.extend(["--approve", "yes"]);
        args.extend(what);
    }
    let report = product.run(&args).ok();
    let case = format!("{} {container} {mark:?} {what:?}", source.name);
    assert_eq!(report["watermark_applied"], mark != Mark::None, "{case}");
    let file = product.path(&out);
    judge_film(&file, source, container, &case);
    file
}

#[track_caller]
fn judge_film(file: &Path, source: &Source, container: &str, case: &str) {
    let film: Film = film::read(file);
    let (video, audio) = (film.video(), film.audio());
    let webm = container == "webm";
    assert!(film.index_first, "{case}");
    assert_eq!(video.codec, if webm { "V_VP9" } else { "avc1" }, "{case}");
    assert_eq!(video.size, Some(source.size), "{case}");
    assert_eq!(video.packets.len(), source.frames, "{case}");
    video.is_steady(source.rate, if webm { 0.001 } else { 1e-4 });
    let duration = source.frames as f64 / source.rate;
    let presented = film.duration.unwrap();
    let expected = source.sound.map_or(duration, |late| duration.max(late + 1.0));
    assert!((presented - expected).abs() < 0.05, "{case}: {presented} s, not {expected} s");
    match (source.sound, audio) {
        (Some(late), Some(audio)) => {
            assert_eq!(audio.codec, if webm { "A_OPUS" } else { "mp4a" }, "{case}");
            let shift = audio.starts - video.starts - late;
            assert!(shift.abs() < 0.025, "{case}: sound is {shift} s off");
        }
        (None, None) => {}
        (expected, found) => panic!("{case}: {expected:?}, {found:?}"),
    }
    let probed = judge::probe(file);
    let stream = judge::stream(&probed, "video");
    assert_eq!(stream["pix_fmt"], "yuv420p", "{case}");
    assert_eq!(stream["color_space"], "bt709", "{case}");
}

/// The mean difference of luma in one of the nine fields of a 3×3 grid.
fn changed(one: &[u8], other: &[u8], size: (u64, u64), field: (usize, usize)) -> f64 {
    let (width, height) = (size.0 as usize, size.1 as usize);
    let (w, h) = (width / 3, height / 3);
    let (mut sum, mut count) = (0_u64, 0_u64);
    for y in field.1 * h..(field.1 + 1) * h {
        for x in field.0 * w..(field.0 + 1) * w {
            sum += u64::from(one[y * width + x].abs_diff(other[y * width + x]));
            count += 1;
        }
    }
    sum as f64 / count as f64
}

/// A frame in the middle.
fn middle(file: &Path, source: &Source) -> Vec<u8> {
    let (width, height) = source.size;
    judge::yuv_frames(file, width as usize, height as usize).swap_remove(source.frames / 2)
}

#[test]
fn every_container_takes_every_mark_on_every_kind_of_source() {
    let product = Product::new();
    product.write("overlay.toml", FAST);
    product.write("tile.toml", format!("[chain]\nwatermark = \"watermark-tile\"\n{FAST}"));
    // Black and white, so that it differs in brightness from whatever is below.
    let picture = make(
        product.path("logo.png"),
        "-f lavfi -i color=white:size=200x100,format=rgba,drawbox=w=100:color=black:t=fill,colorchannelmixer=aa=0.9 -frames:v 1",
    );
    let picture = picture.to_str().unwrap();
    let kinds = [["--text", "CONFIDENTIAL"], ["--image", picture]];
    for source in sources(product.dir()) {
        for container in CONTAINERS {
            let plain = render(&product, &source, container, Mark::None, &[]);
            let plain = middle(&plain, &source);
            for what in kinds {
                let case = format!("{} {container} {what:?}", source.name);
                let file = render(&product, &source, container, Mark::Overlay, &what);
                let frame = middle(&file, &source);
                // Two encodings of one picture differ a little everywhere.
                let corner = changed(&plain, &frame, source.size, (2, 2));
                let away = changed(&plain, &frame, source.size, (0, 0));
                assert!(corner > 2.0 * away && corner > 1.0, "{case}: {corner} and {away}");

                let file = render(&product, &source, container, Mark::Tile, &what);
                let frame = middle(&file, &source);
                for field in [(0, 0), (1, 1), (2, 2), (2, 0), (0, 2)] {
                    let there = changed(&plain, &frame, source.size, field);
                    assert!(there > away, "{case}: no tile in {field:?}: {there} and {away}");
                }
            }
        }
    }
}
