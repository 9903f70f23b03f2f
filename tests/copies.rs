//! What needs no change is not changed: the source's own packets are passed on,
//! at once and exact. What needs one is encoded.

use std::path::{Path, PathBuf};

use product_tests::film;
use product_tests::sources::{ffmpeg, make};
use product_tests::{Product, judge};
use serde_json::Value;

const PICTURE: &str = "-f lavfi -i testsrc2=size=1280x720:rate=25:duration=1";
const TONE: &str = "-f lavfi -i sine=frequency=440:duration=1:sample_rate=48000";
const BT709: &str =
    "-pix_fmt yuv420p -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv";

/// H.264 with frames in another order than they are shown, and AAC.
fn avc(file: PathBuf) -> PathBuf {
    make(
        file,
        &format!(
            "{PICTURE} {TONE} -c:v libx264 -preset veryfast -bf 2 -g 12 {BT709} -c:a aac -ac 2"
        ),
    )
}

fn vp9(file: PathBuf) -> PathBuf {
    make(
        file,
        &format!(
            "{PICTURE} {TONE} -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 12 {BT709} -c:a libopus -ac 2"
        ),
    )
}

#[track_caller]
fn render(product: &Product, source: &Path, out: &str, more: &[&str]) -> Value {
    let mut args = vec!["render", source.to_str().unwrap(), "-o", out, "--resolution", "720p"];
    args.push("--overwrite");
    args.extend(more);
    product.run(&args).ok()
}

/// How the picture and the sound were made.
fn made(report: &Value) -> Vec<&str> {
    let tracks = report["tracks"].as_array().unwrap();
    tracks.iter().map(|track| track["made"].as_str().unwrap()).collect()
}

/// The digests of all decoded frames, of pictures or of sound.
fn decoded(file: &Path, kind: &str) -> Vec<String> {
    let map = format!("0:{kind}");
    let said = ffmpeg(&[
        "-i",
        file.to_str().unwrap(),
        "-map",
        &map,
        "-vsync",
        "passthrough",
        "-f",
        "framemd5",
        "-",
    ]);
    let said = String::from_utf8(said).unwrap();
    let rows = said.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| row.rsplit(',').next().unwrap().trim().to_owned()).collect()
}

/// When the packets of a stream are shown and for how long, in seconds after
/// the first of the picture, and how long each of them is in bytes.
fn packets(file: &Path, kind: &str) -> Vec<(f64, u64)> {
    let output = std::process::Command::new("ffprobe")
        .args(["-v", "error", "-of", "json", "-show_packets"])
        .arg(file)
        .output()
        .unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let all = found["packets"].as_array().unwrap();
    let of = |kind: &str| -> Vec<(f64, u64)> {
        let own = all.iter().filter(|packet| packet["codec_type"] == kind);
        own.map(|packet| {
            let size = packet["size"].as_str().unwrap().parse().unwrap();
            (judge::number(&packet["pts_time"]), size)
        })
        .collect()
    };
    let begin = of("video").iter().map(|packet| packet.0).fold(f64::INFINITY, f64::min);
    of(kind).into_iter().map(|(time, size)| (time - begin, size)).collect()
}

/// Demands that the output holds the source's own packets, all of them, at their times.
#[track_caller]
fn is_the_same(source: &Path, output: &Path, case: &str) {
    for kind in ["video", "audio"] {
        let (before, after) = (packets(source, kind), packets(output, kind));
        let sizes =
            |packets: &[(f64, u64)]| packets.iter().map(|packet| packet.1).collect::<Vec<_>>();
        assert_eq!(sizes(&before), sizes(&after), "{case}: other {kind} packets");
        for (before, after) in before.iter().zip(&after) {
            // Containers with rough clocks say times to the millisecond.
            let apart = (before.0 - after.0).abs();
            assert!(apart < 0.0015, "{case}: {kind} at {} s, not {} s", after.0, before.0);
        }
        let (mut before, mut after) = (decoded(source, &kind[..1]), decoded(output, &kind[..1]));
        if kind == "audio" && output.extension().is_some_and(|extension| extension == "webm") {
            // How much of the last 20 ms a webm source throws away does not come with its packet;
            // what is heard of them is silence that its encoder has added.
            before.pop();
            after.pop();
        }
        assert_eq!(before, after, "{case}: {kind}");
    }
    let film = film::read(output);
    assert!(film.index_first, "{case}");
    let tick = if film.kind == "webm" { 0.001 } else { 1e-4 };
    film.video().is_steady(25.0, tick);
}

#[test]
fn a_source_that_is_what_is_asked_for_is_passed_on() {
    let product = Product::new();
    let mp4 = avc(product.path("in.mp4"));
    let mkv = make(product.path("in.mkv"), &format!("-i {} -c copy", mp4.display()));
    let webm = vp9(product.path("in.webm"));
    for (source, out) in
        [(&mp4, "out.mp4"), (&mp4, "out.mov"), (&mkv, "out.mp4"), (&webm, "out.webm")]
    {
        let case = format!("{} → {out}", source.display());
        let report = render(&product, source, out, &[]);
        assert_eq!(made(&report), ["copied", "copied"], "{case}: {report}");
        assert_eq!(report["frames"], 25, "{case}");
        is_the_same(source, &product.path(out), &case);
    }
}

#[test]
fn a_late_sound_stays_late() {
    let product = Product::new();
    let late = make(
        product.path("late.mp4"),
        &format!("{PICTURE} -itsoffset 0.4 {TONE} -c:v libx264 -bf 0 {BT709} -c:a aac -ac 2"),
    );
    let report = render(&product, &late, "out.mp4", &[]);
    assert_eq!(made(&report), ["copied", "copied"], "{report}");
    is_the_same(&late, &product.path("out.mp4"), "late sound");
}

#[test]
fn what_one_container_cannot_hold_is_encoded() {
    let product = Product::new();
    let mp4 = avc(product.path("in.mp4"));
    let report = render(&product, &mp4, "out.webm", &[]);
    assert_eq!(made(&report), ["encoded", "encoded"], "{report}");
    let webm = vp9(product.path("in.webm"));
    let report = render(&product, &webm, "out.mp4", &[]);
    assert_eq!(made(&report), ["encoded", "encoded"], "{report}");
}

#[test]
fn only_what_is_to_be_changed_is_encoded() {
    let product = Product::new();
    let source = avc(product.path("in.mp4"));
    let marked = ["--text", "X", "--approve", "yes"];
    let report = render(&product, &source, "out.mp4", &marked);
    assert_eq!(made(&report), ["encoded", "copied"], "{report}");
    let output = product.path("out.mp4");
    assert!(decoded(&source, "v") != decoded(&output, "v"), "the mark is drawn");
    assert_eq!(decoded(&source, "a"), decoded(&output, "a"), "the sound is the source's own");

    product.write("tile.toml", "[chain]\nwatermark = \"watermark-tile\"\n");
    let tiled = [&marked[..], &["--chain", "tile.toml"]].concat();
    let report = render(&product, &source, "out.mp4", &tiled);
    assert_eq!(made(&report), ["encoded", "copied"], "{report}");
    assert_eq!(decoded(&source, "a"), decoded(&output, "a"), "the sound is the source's own");

    // Other sound beside a picture that is right already.
    let mp3 = format!("-i {} -c:v copy -c:a libmp3lame", source.display());
    let other = make(product.path("other.mkv"), &mp3);
    let report = render(&product, &other, "out.mp4", &[]);
    assert_eq!(made(&report), ["copied", "encoded"], "{report}");
    assert_eq!(decoded(&source, "v"), decoded(&output, "v"), "the picture is the source's own");
}

#[test]
fn an_operator_can_have_everything_encoded() {
    let product = Product::new();
    let source = avc(product.path("in.mp4"));
    for setting in ["copy = \"never\"", "lossless = true\npreset = \"ultrafast\""] {
        let config = format!("[plugins.encode-standard.parameters]\n{setting}\n");
        product.write("host.toml", config);
        let report = render(&product, &source, "out.mp4", &["--chain", "host.toml"]);
        assert_eq!(made(&report)[0], "encoded", "{setting}: {report}");
    }
}

#[test]
fn a_source_that_is_not_quite_what_is_asked_for_is_encoded() {
    let product = Product::new();
    let x264 = format!("-c:v libx264 -preset ultrafast {BT709}");
    let right = avc(product.path("right.mp4"));
    let cases = [
        (
            "variable rate",
            format!("{PICTURE} -vf select='lt(n,10)+gt(mod(n,3),0)' -vsync vfr {x264}"),
        ),
        ("turned", format!("-i {} -c copy -an -metadata:s:v rotate=90", right.display())),
        ("another size", format!("{} {x264}", PICTURE.replace("1280x720", "640x360"))),
        (
            "10 bits",
            format!(
                "{PICTURE} -c:v libx264 -preset ultrafast {}",
                BT709.replace("420p", "420p10le")
            ),
        ),
        (
            "4:4:4",
            format!("{PICTURE} -c:v libx264 -preset ultrafast {}", BT709.replace("420p", "444p")),
        ),
        (
            "full range",
            format!(
                "{PICTURE} -c:v libx264 -preset ultrafast {}",
                BT709.replace("range tv", "range pc")
            ),
        ),
        (
            "another matrix",
            format!(
                "{PICTURE} -c:v libx264 -preset ultrafast {}",
                BT709.replace("space bt709", "space smpte170m")
            ),
        ),
        ("long pixels", format!("{PICTURE} -vf setsar=4/3 {x264}")),
        ("interlaced", format!("{PICTURE} -vf setfield=tff {x264} -flags +ilme+ildct")),
        ("another codec", format!("{PICTURE} -c:v mpeg4 {BT709}")),
        // What leads up to the first picture is decoded and thrown away.
        ("cut", format!("-ss 0.3 -i {} -c copy -an", right.display())),
    ];
    for (kind, words) in cases {
        let source = make(product.path("in.mp4"), &words);
        let report = render(&product, &source, "out.mp4", &[]);
        assert_eq!(made(&report), ["encoded"], "{kind}: {report}");
        let found = judge::stream(&judge::probe(&product.path("out.mp4")), "video");
        assert_eq!(found["pix_fmt"], "yuv420p", "{kind}");
        assert_eq!(found["color_space"], "bt709", "{kind}");
    }
}

#[test]
fn a_source_without_colour_tags_becomes_an_output_with_them() {
    let product = Product::new();
    let x264 = "-pix_fmt yuv420p -c:v libx264 -preset ultrafast -bf 0";
    let vpx = "-pix_fmt yuv420p -c:v libvpx-vp9 -deadline realtime -cpu-used 8";
    // The frames of VP9 themselves say that nothing is known, so that no container can.
    for (name, codec, out, how) in
        [("in.mp4", x264, "out.mp4", "copied"), ("in.webm", vpx, "out.webm", "encoded")]
    {
        let source = make(product.path(name), &format!("{PICTURE} {codec}"));
        let report = render(&product, &source, out, &[]);
        assert_eq!(made(&report), [how], "{name}: {report}");
        let found = judge::stream(&judge::probe(&product.path(out)), "video");
        assert_eq!(found["color_space"], "bt709", "{name}");
    }
}
