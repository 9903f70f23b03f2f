//! What is drawn, and what is left alone.

use media::{Composition, Overlay, Point, RateControl, Size, Source};

use crate::support::{Made, Rendered, as_it_is, ffmpeg, patch};

/// The raster of these tests.
const WIDTH: usize = 160;
const HEIGHT: usize = 96;

fn clip() -> Made {
    let picture = format!("testsrc2=s={WIDTH}x{HEIGHT}:r=25:d=0.4");
    Made::new("clip.mp4", &["-f", "lavfi", "-i", &picture, "-qp", "0"])
}

fn with(overlays: Vec<Overlay>) -> impl FnOnce(&Source) -> Composition {
    move |source| Composition { overlays, ..as_it_is(source, RateControl::Lossless) }
}

/// The three samples over the pixel at (`x`, `y`) of a 4:2:0 picture.
fn samples(picture: &[u8], x: usize, y: usize) -> [u8; 3] {
    let (luma, chroma) = (WIDTH * HEIGHT, WIDTH * HEIGHT / 4);
    let at = y / 2 * (WIDTH / 2) + x / 2;
    [picture[y * WIDTH + x], picture[luma + at], picture[luma + chroma + at]]
}

#[tokio::test]
async fn red_is_the_red_of_bt709() {
    let red = patch([255, 0, 0, 255], Size { width: 40, height: 20 }, Point { x: 10, y: 10 });
    let rendered = Rendered::of(&clip().path, with(vec![red])).await;
    let pictures = rendered.pictures("yuv420p", "null");
    let found = samples(&pictures, 30, 20);
    for (found, expected) in found.into_iter().zip([63, 102, 240_u8]) {
        assert!(found.abs_diff(expected) <= 2, "{found} instead of {expected}");
    }
}

#[tokio::test]
async fn outside_of_a_mark_every_sample_stays() {
    let clip = clip();
    let plain = Rendered::of(&clip.path, with(Vec::new())).await.pictures("yuv420p", "null");
    // On even and on odd places, half transparent too.
    for (x, y, alpha) in [(10, 10, 255), (11, 13, 255), (31, 7, 128)] {
        let size = Size { width: 33, height: 21 };
        let mark = patch([255, 255, 255, alpha], size, Point { x, y });
        let marked = Rendered::of(&clip.path, with(vec![mark])).await.pictures("yuv420p", "null");
        assert_eq!(plain.len(), marked.len());
        let (x, y) = (x as usize, y as usize);
        let frame = WIDTH * HEIGHT * 3 / 2;
        for (plain, marked) in plain.chunks(frame).zip(marked.chunks(frame)) {
            for row in 0..HEIGHT {
                for column in 0..WIDTH {
                    let (before, after) =
                        (samples(plain, column, row), samples(marked, column, row));
                    let inside = (x..x + 33).contains(&column) && (y..y + 21).contains(&row);
                    assert!(inside || before[0] == after[0], "luma at {column}, {row}");
                    // A colour sample covers four pixels.
                    let near =
                        (x & !1..x + 34).contains(&column) && (y & !1..y + 22).contains(&row);
                    assert!(near || before == after, "colour at {column}, {row}");
                }
            }
            assert_ne!(samples(plain, x + 5, y + 5), samples(marked, x + 5, y + 5));
        }
    }
}

#[tokio::test]
async fn the_last_overlay_is_on_top() {
    let size = Size { width: 32, height: 32 };
    let below = patch([0, 0, 0, 255], size, Point { x: 20, y: 20 });
    let above = patch([255, 255, 255, 255], size, Point { x: 36, y: 36 });
    let rendered = Rendered::of(&clip().path, with(vec![below, above])).await;
    let pictures = rendered.pictures("yuv420p", "null");
    assert!(samples(&pictures, 24, 24)[0] <= 17);
    assert!(samples(&pictures, 44, 44)[0] >= 234);
}

#[tokio::test]
async fn what_is_hidden_tints_nothing() {
    // White in one column, in transparent green: its edge must not be green.
    let mut mark = patch([0, 255, 0, 0], Size { width: 9, height: 16 }, Point { x: 40, y: 40 });
    let mut pixels = (*mark.rgba).clone();
    for pixel in pixels.chunks_exact_mut(36) {
        pixel[16..20].copy_from_slice(&[255, 255, 255, 255]);
    }
    mark.rgba = pixels.into();
    let picture = format!("color=gray:s={WIDTH}x{HEIGHT}:r=25:d=0.2");
    let grey = Made::new("grey.mp4", &["-f", "lavfi", "-i", &picture, "-qp", "0"]);
    let pictures = Rendered::of(&grey.path, with(vec![mark])).await.pictures("yuv420p", "null");
    for x in 36..56 {
        let [_, u, v] = samples(&pictures, x, 48);
        assert!(u.abs_diff(128) <= 1 && v.abs_diff(128) <= 1, "tinted at {x}: {u}, {v}");
    }
}

/// Bytes that look random, the same in every run.
fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        // Knuth's linear congruential generator.
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 56) as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn a_mark_is_blended_as_ffmpeg_does_it() {
    let directory = tempfile::TempDir::new().unwrap();
    let (below, above) = (directory.path().join("below"), directory.path().join("above"));
    let raster = picture::Size { width: 90, height: 54 };
    let pool = picture::Pool::new(raster, picture::Layout::Yuv420p8, 2);
    let mut frame = pool.take();
    let colour = picture::MarkColour { matrix: 1, full_range: false };
    let mut seed = 0;
    // Widths on both sides of what is blended at once by vector instructions, at every corner.
    for (width, height) in [(1, 1), (2, 2), (7, 5), (16, 9), (33, 31), (64, 20), (90, 54)] {
        let (right, bottom) = (raster.width - width, raster.height - height);
        for (x, y) in [(0, 0), (right, bottom), (right / 2, bottom / 2), (right, 0), (0, bottom)] {
            seed += 1;
            let bytes = frame.bytes().len();
            frame.bytes_mut().copy_from_slice(&noise(bytes, seed));
            let mut rgba = noise((width * height * 4) as usize, seed + 1000);
            // Some pixels are clear, some opaque.
            for (at, alpha) in rgba.iter_mut().skip(3).step_by(4).enumerate() {
                *alpha = [0, 255, *alpha, *alpha][at / 3 % 4];
            }
            let size = picture::Size { width, height };
            let mark = picture::Mark::new(&rgba, size, picture::Point { x, y }, colour).unwrap();
            std::fs::write(&below, frame.bytes()).unwrap();
            std::fs::write(&above, mark.bytes()).unwrap();
            let raw = |format: &'static str, size: picture::Size| {
                let size = format!("{}x{}", size.width, size.height);
                ["-f", "rawvideo", "-pixel_format", format, "-video_size", &size, "-i"]
                    .map(str::to_owned)
            };
            let mut args = raw("yuv420p", raster).to_vec();
            args.push(below.to_str().unwrap().into());
            args.extend(raw("yuva420p", mark.size()));
            args.push(above.to_str().unwrap().into());
            let picture::Point { x: left, y: top } = mark.at();
            let filter = format!("overlay=x={left}:y={top}:format=yuv420");
            args.extend(["-filter_complex".into(), filter]);
            args.extend(["-pix_fmt", "yuv420p", "-f", "rawvideo", "-"].map(str::to_owned));
            let args: Vec<_> = args.iter().map(String::as_str).collect();
            let expected = ffmpeg(&args);
            mark.blend(&mut frame).unwrap();
            assert!(frame.bytes() == expected, "{width}x{height} at {x}, {y}");
        }
    }
}
