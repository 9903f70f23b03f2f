//! Plugins that work on the frames themselves: what goes through one is as it
//! would be without, and what a plugin makes of the frames is what comes out.

use std::path::{Path, PathBuf};

use product_tests::film::{self, Film};
use product_tests::sources::{ffmpeg, make};
use product_tests::{Product, Ran, judge, product};
use serde_json::Value;

/// Nothing is lost, and nothing of the source is passed on as it is.
const LOSSLESS: &str = "[plugins.encode-standard.parameters]\nlossless = true\npreset = \"ultrafast\"\ncopy = \"never\"\n";

/// A configuration whose watermark plugin is the fixture.
fn fixture(mode: &str, stage: &str, look_ahead: u32) -> String {
    format!(
        "[chain]\nwatermark = \"{}\"\n[plugins.hostile.parameters]\nmode = \"{mode}\"\nstage = \"{stage}\"\nlook_ahead = {look_ahead}\n{LOSSLESS}",
        product::fixture("hostile").display()
    )
}

fn start(product: &Product, source: &Path, chain: &str, more: &[&str]) -> Ran {
    product.write("chain.toml", chain);
    let mut args = vec!["render", source.to_str().unwrap(), "--resolution", "720p"];
    args.extend(["--chain", "chain.toml", "--overwrite"]);
    args.extend(more);
    product.run(&args)
}

/// Renders and returns the report.
#[track_caller]
fn render(product: &Product, source: &Path, chain: &str, more: &[&str]) -> Value {
    start(product, source, chain, more).ok()
}

/// The decoded frames of a file, each by a digest with the time at which it is
/// presented.
#[track_caller]
fn frames(file: &Path) -> String {
    digests(file, "v")
}

/// The same of the decoded sound.
#[track_caller]
fn sound(file: &Path) -> String {
    digests(file, "a")
}

#[track_caller]
fn digests(file: &Path, kind: &str) -> String {
    let map = format!("0:{kind}?");
    let said = ffmpeg(&[
        "-copyts",
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
    said.lines().filter(|line| !line.starts_with("#software")).collect::<Vec<_>>().join("\n")
}

/// A kind of source on which frames could go astray.
fn sources(dir: &Path) -> Vec<(&'static str, PathBuf)> {
    let x264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p";
    let picture = |rate: &str| format!("-f lavfi -i testsrc2=size=320x180:rate={rate}:duration=1");
    let tone = "-f lavfi -i sine=frequency=440:duration=1:sample_rate=44100";
    let file = |name: &str, words: String| make(dir.join(name), &words);
    let plain = picture("25");
    let brief = plain.replace("duration=1", "duration=0.6");
    vec![
        ("late sound", file("late.mp4", format!("{plain} -itsoffset 0.4 {tone} {x264} -c:a aac"))),
        (
            "variable rate",
            file(
                "variable.mp4",
                format!(
                    "{plain} {tone} -vf select='lt(n,10)+gt(mod(n,3),0)' -vsync vfr {x264} -c:a aac"
                ),
            ),
        ),
        (
            "interlaced",
            file(
                "interlaced.mp4",
                format!("{} -vf interlace,setfield=tff {x264} -flags +ilme+ildct", picture("50")),
            ),
        ),
        ("odd rate", file("odd.mp4", format!("{} {tone} {x264} -c:a aac", picture("30000/1001")))),
        (
            "late picture",
            file("behind.mp4", format!("-itsoffset 0.2 {brief} {tone} {x264} -vsync vfr -c:a aac")),
        ),
    ]
}

#[test]
fn a_picture_is_the_same_declared_or_drawn_on_every_frame() {
    let product = Product::new();
    let text = ["--text", "X", "--approve", "yes", "-o"];
    for (kind, source) in sources(product.dir()) {
        let plain = render(&product, &source, LOSSLESS, &["-o", "plain.mp4"]);
        let with = |out| [&text[..], &[out]].concat();
        let declared = fixture("overlay_blit", "watermark", 0);
        render(&product, &source, &declared, &with("declared.mp4"));
        // One frame of look-ahead: the end of the film comes with the flush.
        let drawn =
            render(&product, &source, &fixture("frames_blit", "filter", 1), &with("drawn.mp4"));
        let through = fixture("frames_identity", "filter", 0);
        render(&product, &source, &through, &with("through.mp4"));

        let [plain_film, declared, drawn_film, through] =
            ["plain.mp4", "declared.mp4", "drawn.mp4", "through.mp4"]
                .map(|name| product.path(name));
        assert_eq!(drawn["frames"], plain["frames"], "{kind}");
        assert_eq!(drawn["watermark_applied"], true, "{kind}");
        assert!(frames(&plain_film) != frames(&declared), "{kind}: nothing was drawn");
        assert_eq!(
            frames(&declared),
            frames(&drawn_film),
            "{kind}: pictures or their times differ"
        );
        assert_eq!(sound(&declared), sound(&drawn_film), "{kind}: sound differs");
        assert_eq!(frames(&plain_film), frames(&through), "{kind}: frames changed on their way");
        assert_eq!(sound(&plain_film), sound(&through), "{kind}: sound changed");
        // The same by a reader that has nothing to do with ffmpeg.
        assert_eq!(times(&film::read(&declared)), times(&film::read(&drawn_film)), "{kind}");
    }
}

/// When packets of every track are presented, on the film's clock.
fn times(film: &Film) -> Vec<(f64, Vec<f64>)> {
    film.tracks.iter().map(|track| (track.starts, track.times())).collect()
}

/// A short film that moves.
fn moving(product: &Product) -> PathBuf {
    make(
        product.path("in.mp4"),
        "-f lavfi -i testsrc2=size=320x180:rate=25:duration=1 -f lavfi -i sine=duration=1:sample_rate=48000 -c:v libx264 -preset ultrafast -g 4 -pix_fmt yuv420p -c:a aac",
    )
}

/// The question is asked in one process and answered in another.
#[track_caller]
fn asked(product: &Product, source: &Path, chain: &str) -> (Ran, Vec<u8>, u64) {
    let ran = start(
        product,
        source,
        chain,
        &["-o", "out.mp4", "--text", "CONFIDENTIAL", "--approve", "later"],
    );
    assert_eq!(ran.code, 7, "{ran:?}");
    let frame = ran.json["suspended"]["preview_frame"].as_u64().unwrap();
    let preview = std::fs::read(product.path("out.mp4.preview.png")).unwrap();
    let stored = product.path("out.mp4.suspended.json");
    let resumed = product.run(&[
        "resume",
        stored.to_str().unwrap(),
        "--approve",
        "yes",
        "--chain",
        "chain.toml",
    ]);
    (resumed, preview, frame)
}

#[test]
fn what_was_shown_of_the_tile_is_that_frame_of_the_film() {
    let product = Product::new();
    let source = moving(&product);
    let chain = format!(
        "[chain]\nwatermark = \"watermark-tile\"\n[plugins.watermark-tile.parameters]\nopacity = 0.6\nspeed_percent = 20\n{LOSSLESS}"
    );
    let (resumed, preview, frame) = asked(&product, &source, &chain);
    let report = resumed.ok();
    assert_eq!(report["watermark_applied"], true);
    assert_eq!(product.names(), ["chain.toml", "in.mp4", "out.mp4"], "nothing else is left");
    let shown = rgb(&product.write("preview.png", preview), None);
    let film = product.path("out.mp4");
    assert_eq!(shown.len(), 1280 * 720 * 3);
    assert!(shown == rgb(&film, Some(frame)), "the preview is frame {frame} of the film");
    // The marks move, so that the test above says something.
    assert!(shown != rgb(&film, Some(frame + 1)) && shown != rgb(&film, Some(frame - 1)));
}

/// One picture of a file as RGB, converted by the output's own matrix.
fn rgb(file: &Path, frame: Option<u64>) -> Vec<u8> {
    let convert = "scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd+full_chroma_int+bicubic,format=rgb24";
    let filter = frame
        .map_or("format=rgb24".to_owned(), |frame| format!("select='eq(n,{frame})',{convert}"));
    ffmpeg(&["-i", file.to_str().unwrap(), "-vf", &filter, "-frames:v", "1", "-f", "rawvideo", "-"])
}

#[test]
fn a_film_that_does_not_show_what_was_approved_is_not_made() {
    let product = Product::new();
    let source = moving(&product);
    let chain = fixture("frames_fickle", "filter", 0);
    let (resumed, _preview, frame) = asked(&product, &source, &chain);
    let message = resumed.failed(4, "plugin_failed");
    assert!(message.contains("approved") && message.contains(&frame.to_string()), "{message}");
    assert_eq!(resumed.json["error"]["details"]["plugin"], "hostile");
    assert!(!product.path("out.mp4").exists(), "no file");
    let drafts: Vec<String> =
        product.names().into_iter().filter(|name| name.contains(".part")).collect();
    assert!(drafts.is_empty(), "{drafts:?}");
}

#[test]
fn a_look_ahead_longer_than_the_film_is_harmless() {
    let product = Product::new();
    let source = make(
        product.path("in.mp4"),
        "-f lavfi -i testsrc2=size=320x180:rate=25 -frames:v 3 -c:v libx264 -pix_fmt yuv420p",
    );
    render(&product, &source, LOSSLESS, &["-o", "plain.mp4"]);
    let more = ["-o", "out.mp4", "--text", "X", "--approve", "yes"];
    let report = render(&product, &source, &fixture("frames_identity", "filter", 64), &more);
    assert_eq!(report["frames"], 3);
    assert_eq!(frames(&product.path("plain.mp4")), frames(&product.path("out.mp4")));
}

/// Flat patches: what an RGB colour must come back as.
const PATCHES: [(&str, [u8; 3]); 6] = [
    ("0xff0000", [255, 0, 0]),
    ("0x00c000", [0, 192, 0]),
    ("0x2020e0", [32, 32, 224]),
    ("0xffffff", [255, 255, 255]),
    ("0x101010", [16, 16, 16]),
    ("0xc08040", [192, 128, 64]),
];

const WIDTH: usize = 1280;
const HEIGHT: usize = 720;

/// Six flat patches side by side with a tone that begins late, lossless in BT.709.
fn patches(file: PathBuf) -> PathBuf {
    let boxes: Vec<String> = PATCHES
        .iter()
        .enumerate()
        .map(|(place, (colour, _))| {
            format!("drawbox=x={}:w=214:color={colour}:t=fill:replace=1", place * 213)
        })
        .collect();
    let words = format!(
        "-f lavfi -i color=black:size={WIDTH}x{HEIGHT}:rate=25:duration=0.8,format=gbrp,{},scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd,format=yuv420p -itsoffset 0.3 -f lavfi -i sine=frequency=440:duration=0.5:sample_rate=48000 -c:v libx264 -qp 0 -preset ultrafast -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv -c:a aac",
        boxes.join(",")
    );
    make(file, &words)
}

#[test]
fn pictures_that_a_plugin_encodes_have_their_colours_and_their_times() {
    let product = Product::new();
    let source = patches(product.path("in.mp4"));
    let chain = "[chain]\nencode = \"encode-mjpeg\"\n[plugins.encode-mjpeg.parameters]\nquality = 95\ncopy = \"never\"\n";
    for (out, container_name) in [("out.mov", "jpeg"), ("out.mp4", "mp4v.6C")] {
        let report = render(&product, &source, chain, &["-o", out]);
        assert_eq!(report["tracks"][0]["made"], "encoded_by_plugin", "{report}");
        assert_eq!(report["tracks"][0]["codec"], container_name, "{report}");
        assert_eq!(report["tracks"][1]["made"], "encoded", "{report}");
        assert_eq!(report["plugins"]["encode"]["name"], "encode-mjpeg", "{report}");
        let file = product.path(out);
        let found = judge::probe(&file);
        let video = judge::stream(&found, "video");
        assert_eq!(video["codec_name"], "mjpeg", "{out}");
        assert_eq!(judge::number(&video["nb_read_packets"]), 20.0, "{out}");
        assert_eq!(judge::ratio(&video["r_frame_rate"]), 25.0, "{out}");
        let (video_starts, audio_starts) =
            (start_time(&found, "video"), start_time(&found, "audio"));
        let shift = audio_starts - video_starts - 0.3;
        assert!(shift.abs() < 0.025, "{out}: the sound is {shift} s off");

        let film = film::read(&file);
        assert!(film.index_first, "{out}");
        assert!(film.video().packets.iter().all(|packet| packet.key), "{out}: cut anywhere");
        film.video().is_steady(25.0, 1e-4);
        assert_patches(&file, out);
    }
}

fn start_time(probed: &Value, kind: &str) -> f64 {
    judge::number(&judge::stream(probed, kind)["start_time"])
}

/// Decoded by ffmpeg as its tags say, every patch has its colour.
#[track_caller]
fn assert_patches(file: &Path, case: &str) {
    let raw = ffmpeg(&[
        "-i",
        file.to_str().unwrap(),
        "-vf",
        "scale=flags=accurate_rnd+full_chroma_int,format=rgb24",
        "-f",
        "rawvideo",
        "-",
    ]);
    let frame = raw.chunks(WIDTH * HEIGHT * 3).last().unwrap();
    for (place, (name, colour)) in PATCHES.iter().enumerate() {
        let at = (HEIGHT / 2 * WIDTH + place * 213 + 106) * 3;
        let found = &frame[at..at + 3];
        let apart = found.iter().zip(colour).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        assert!(apart <= 3, "{case}: {name} came out as {found:?}");
    }
}

#[test]
fn a_plugin_that_draws_and_one_that_encodes_work_together() {
    let product = Product::new();
    let source = patches(product.path("in.mp4"));
    let chain = |watermark: &str| {
        format!("[chain]\nencode = \"encode-mjpeg\"\nwatermark = \"{watermark}\"\n")
    };
    render(&product, &source, &chain("watermark-tile"), &["-o", "plain.mov"]);
    for watermark in ["watermark-tile", "watermark-overlay"] {
        let more = ["-o", "out.mov", "--text", "CONFIDENTIAL", "--approve", "yes"];
        let report = render(&product, &source, &chain(watermark), &more);
        assert_eq!(report["tracks"][0]["made"], "encoded_by_plugin", "{report}");
        // Sound is passed on where only the picture is worked on.
        assert_eq!(report["tracks"][1]["made"], "copied", "{report}");
        assert_eq!(report["frames"], 20);
        let [plain, marked] = ["plain.mov", "out.mov"].map(|name| frames(&product.path(name)));
        let differ = plain.lines().zip(marked.lines()).filter(|(one, other)| one != other).count();
        assert!(differ >= 20, "{watermark}: only {differ} frames are marked");
    }
}
