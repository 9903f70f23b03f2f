//! The mark is where it belongs, nothing else changes, and what was shown is
//! what comes out.

use std::path::{Path, PathBuf};

use product_tests::sources::{ffmpeg, plain};
use product_tests::{Product, judge};
use serde_json::Value;

const WIDTH: usize = 1280;
const HEIGHT: usize = 720;

/// A configuration whose renders lose nothing.
fn lossless(product: &Product) -> PathBuf {
    product.write(
        "lossless.toml",
        "[plugins.encode-standard.parameters]\nlossless = true\npreset = \"ultrafast\"\n",
    )
}

fn render(product: &Product, source: &Path, out: &str, more: &[&str]) -> product_tests::Ran {
    let mut args = vec![
        "render",
        source.to_str().unwrap(),
        "-o",
        out,
        "--resolution",
        "720p",
        "--chain",
        "lossless.toml",
    ];
    args.extend(more);
    product.run(&args)
}

/// A rectangle in pixels: left, top, right and bottom (exclusive).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Area {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Area {
    fn contains(self, x: usize, y: usize) -> bool {
        (self.left..self.right).contains(&x) && (self.top..self.bottom).contains(&y)
    }
}

/// Where the stored render says that the mark lies.
fn marked_area(stored: &Path) -> Area {
    let stored: Value = serde_json::from_slice(&std::fs::read(stored).unwrap()).unwrap();
    let overlays = &stored["suspension"]["confirms"]["watermark"]["overlays"];
    assert_eq!(overlays.as_array().unwrap().len(), 1, "{overlays}");
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let at = &overlays[0]["at"];
    let (left, top) = (number(&at["x"]), number(&at["y"]));
    let (width, height) = png_size(overlays[0]["image"].as_str().unwrap());
    Area { left, top, right: left + width, bottom: top + height }
}

/// The size of a PNG from the first 24 of its bytes, which are 32 characters
/// of base64.
fn png_size(base64: &str) -> (usize, usize) {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let value = |digit| DIGITS.find(digit).unwrap() as u32;
    let mut bytes = Vec::new();
    for four in base64.as_bytes()[..32].chunks(4) {
        let bits = four.iter().fold(0, |bits, digit| bits << 6 | value(char::from(*digit)));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
    }
    let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    (side(16), side(20))
}

/// Compares all planes outside an area; says how many luma samples inside differ.
#[track_caller]
fn differences(one: &[u8], other: &[u8], area: Area) -> usize {
    let luma = WIDTH * HEIGHT;
    let mut inside = 0;
    for (at, (a, b)) in one.iter().zip(other).enumerate() {
        if a == b {
            continue;
        }
        let (x, y) = if at < luma {
            (at % WIDTH, at / WIDTH)
        } else {
            let at = (at - luma) % (luma / 4);
            (2 * (at % (WIDTH / 2)), 2 * (at / (WIDTH / 2)))
        };
        assert!(area.contains(x, y), "a sample at {x},{y} changed outside {area:?}");
        inside += usize::from(at < luma);
    }
    inside
}

#[test]
fn pixels_change_inside_the_mark_only_and_the_preview_is_the_frame() {
    let product = Product::new();
    lossless(&product);
    let source = plain(product.path("in.mp4"));
    render(&product, &source, "plain.mp4", &[]).ok();

    let waiting =
        render(&product, &source, "marked.mp4", &["--text", "CONFIDENTIAL", "--approve", "later"]);
    assert_eq!(waiting.code, 7, "{waiting:?}");
    let stored = product.path("marked.mp4.suspended.json");
    let area = marked_area(&stored);
    let preview = std::fs::read(product.path("marked.mp4.preview.png")).unwrap();
    let frame = waiting.json["suspended"]["preview_frame"].as_u64().unwrap();
    let report = product
        .run(&["resume", stored.to_str().unwrap(), "--approve", "yes", "--chain", "lossless.toml"])
        .ok();
    assert_eq!(report["watermark_applied"], true);

    let without = judge::yuv_frames(&product.path("plain.mp4"), WIDTH, HEIGHT);
    let with = judge::yuv_frames(&product.path("marked.mp4"), WIDTH, HEIGHT);
    assert_eq!((without.len(), with.len()), (50, 50));
    for (one, other) in without.iter().zip(&with) {
        assert!(differences(one, other, area) > 100, "the mark is on every frame");
    }

    let shown = rgb(&product.write("preview.png", preview), None);
    let rendered = rgb(&product.path("marked.mp4"), Some(frame));
    assert_eq!(shown.len(), WIDTH * HEIGHT * 3);
    assert!(shown == rendered, "the preview is frame {frame} of the output");
}

/// One picture of a file as RGB, converted by the output's own matrix.
fn rgb(file: &Path, frame: Option<u64>) -> Vec<u8> {
    let convert = "scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd+full_chroma_int+bicubic,format=rgb24";
    let filter = frame
        .map_or("format=rgb24".to_owned(), |frame| format!("select='eq(n,{frame})',{convert}"));
    ffmpeg(&["-i", file.to_str().unwrap(), "-vf", &filter, "-frames:v", "1", "-f", "rawvideo", "-"])
}

#[test]
fn the_five_positions() {
    let product = Product::new();
    lossless(&product);
    let source = plain(product.path("in.mp4"));
    for position in ["top_left", "top_right", "bottom_left", "bottom_right", "center"] {
        let out = format!("{position}.mp4");
        let ran = render(
            &product,
            &source,
            &out,
            &["--text", "Mark", "--position", position, "--approve", "later"],
        );
        assert_eq!(ran.code, 7, "{ran:?}");
        let area = marked_area(&product.path(&format!("{out}.suspended.json")));
        let (x, y) = ((area.left + area.right) / 2, (area.top + area.bottom) / 2);
        let third = |at: usize, of: usize| (3 * at) / of;
        let expected = match position {
            "top_left" => (0, 0),
            "top_right" => (2, 0),
            "bottom_left" => (0, 2),
            "bottom_right" => (2, 2),
            _ => (1, 1),
        };
        assert_eq!((third(x, WIDTH), third(y, HEIGHT)), expected, "{position}: {area:?}");
        assert!(
            area.right <= WIDTH && area.bottom <= HEIGHT && area.left % 2 + area.top % 2 == 0,
            "{area:?}"
        );
    }
}

#[test]
fn a_long_text_stays_whole_inside_the_picture() {
    let product = Product::new();
    lossless(&product);
    let source = plain(product.path("in.mp4"));
    let text = "Property of the archive. ".repeat(8);
    let ran = render(&product, &source, "long.mp4", &["--text", text.trim(), "--approve", "later"]);
    assert_eq!(ran.code, 7, "{ran:?}");
    let area = marked_area(&product.path("long.mp4.suspended.json"));
    assert!(area.right <= WIDTH && area.bottom <= HEIGHT, "{area:?}");
}

#[test]
fn scripts_that_run_right_to_left_are_drawn_and_unknown_glyphs_reported() {
    let product = Product::new();
    lossless(&product);
    let source = plain(product.path("in.mp4"));
    for text in ["سري للغاية", "סודי ביותר", "Entwurf · سري · סודי"] {
        render(&product, &source, "out.mp4", &["--overwrite", "--text", text, "--approve", "yes"])
            .ok();
    }
    let message =
        render(&product, &source, "none.mp4", &["--text", "secret 漢", "--approve", "yes"])
            .failed(3, "invalid_field");
    assert!(message.contains("U+6F22"), "{message}");
    assert!(!product.path("none.mp4").exists());
}

#[test]
fn a_colour_patch_comes_out_in_the_rasters_own_colour() {
    let product = Product::new();
    lossless(&product);
    // White text on black: the brightest sample of the mark is limited-range white.
    let source = product_tests::sources::make(
        product.path("black.mp4"),
        "-f lavfi -i color=black:size=1280x720:rate=25:duration=0.2 -c:v libx264 -pix_fmt yuv420p -colorspace bt709 -color_range tv",
    );
    product.write("lossless.toml", "[plugins.encode-standard.parameters]\nlossless = true\n[plugins.watermark-overlay.parameters]\nopacity = 1.0\n");
    let ran = render(
        &product,
        &source,
        "out.mp4",
        &["--overwrite", "--text", "MMMM", "--approve", "yes"],
    );
    ran.ok();
    let frames = judge::yuv_frames(&product.path("out.mp4"), WIDTH, HEIGHT);
    let luma = &frames[0][..WIDTH * HEIGHT];
    assert_eq!((luma.iter().min(), luma.iter().max()), (Some(&16), Some(&235)));
    let chroma = &frames[0][WIDTH * HEIGHT..];
    assert!(
        chroma.iter().all(|sample| sample.abs_diff(128) <= 1),
        "white and black have no colour"
    );
}
