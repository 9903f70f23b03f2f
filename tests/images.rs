//! Pictures as marks: files of every kind come out upright in their colours;
//! files that are damaged, hostile or no pictures are refused with a sentence.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use product_tests::sources::{ffmpeg, make};
use product_tests::{Product, Ran, pictures};

const WIDTH: usize = 1280;
const HEIGHT: usize = 720;

/// Renders in which the mark is 320 pixels wide and hides what is below.
const CLEAR: &str = "[plugins.watermark-overlay.parameters]\nopacity = 1.0\nimage_width_percent = 25\n[plugins.encode-standard.parameters]\nlossless = true\npreset = \"ultrafast\"\n";

struct Host {
    product: Product,
    source: PathBuf,
}

impl Host {
    fn new() -> Self {
        let product = Product::new();
        let source = make(
            product.path("in.mp4"),
            "-f lavfi -i color=black:size=1280x720:rate=25:duration=0.08 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -colorspace bt709 -color_range tv",
        );
        product.write("host.toml", CLEAR);
        Self { product, source }
    }

    fn render(&self, picture: &Path) -> Ran {
        let mut args = vec!["render", self.source.to_str().unwrap(), "-o", "out.mp4"];
        args.extend(["--resolution", "720p", "--overwrite", "--chain", "host.toml"]);
        args.extend(["--image", picture.to_str().unwrap(), "--position", "center"]);
        args.extend(["--approve", "yes"]);
        self.product.run(&args)
    }

    /// Renders with a picture in the middle, and demands the colours in the
    /// middles of its quarters: top left, top right, bottom left, bottom right.
    #[track_caller]
    fn shows(
        &self,
        picture: &Path,
        size: (usize, usize),
        expected: [[u8; 3]; 4],
        apart: u8,
    ) -> Ran {
        let ran = self.render(picture);
        assert_eq!(ran.code, 0, "{}: {} {}", picture.display(), ran.json, ran.stderr);
        let film = self.product.path("out.mp4");
        let convert = "scale=flags=accurate_rnd+full_chroma_int,format=rgb24";
        let frame = ffmpeg(&[
            "-i",
            film.to_str().unwrap(),
            "-vf",
            convert,
            "-frames:v",
            "1",
            "-f",
            "rawvideo",
            "-",
        ]);
        let pixel = |x: usize, y: usize| &frame[(y * WIDTH + x) * 3..][..3];
        let (across, down) = (size.0 / 4, size.1 / 4);
        let (x, y) = (WIDTH / 2, HEIGHT / 2);
        let quarters = [
            pixel(x - across, y - down),
            pixel(x + across, y - down),
            pixel(x - across, y + down),
            pixel(x + across, y + down),
        ];
        for (found, expected) in quarters.iter().zip(&expected) {
            let difference = found.iter().zip(expected).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
            assert!(difference <= apart, "{}: {quarters:?}, not {expected:?}", picture.display());
        }
        assert_eq!(pixel(x - size.0 / 2 - 4, y), [0; 3], "{}: too wide", picture.display());
        assert_eq!(pixel(x, y - size.1 / 2 - 4), [0; 3], "{}: too high", picture.display());
        ran
    }

    /// Demands that a picture is refused with this word, and nothing is left.
    #[track_caller]
    fn refuses(&self, picture: &Path, word: &str) {
        let before = self.product.names();
        let ran = self.render(picture);
        let message = ran.failed(3, "invalid_field");
        let case = picture.display();
        assert_eq!(ran.json["error"]["details"]["field"], "watermark.image_asset_id", "{case}");
        assert!(message.contains(word), "{case}: {message}");
        assert_eq!(self.product.names(), before, "{case}");
    }

    /// Makes a picture with ffmpeg from [`QUARTERS`], with more filters and words.
    fn picture(&self, name: &str, filters: &str, words: &str) -> PathBuf {
        make(self.product.path(name), &format!("{QUARTERS}{filters} -frames:v 1 {words}"))
    }
}

/// A picture of 200×100 pixels: red, green, blue, and white that is half seen through.
const QUARTERS: &str = "-f lavfi -i color=red:size=100x50:duration=0.04,format=rgba[a];color=0x00c000:size=100x50:duration=0.04,format=rgba[b];color=blue:size=100x50:duration=0.04,format=rgba[c];color=white@0.5:size=100x50:duration=0.04,format=rgba[d];[a][b]hstack[e];[c][d]hstack[f];[e][f]vstack";

const RED: [u8; 3] = [255, 0, 0];
const GREEN: [u8; 3] = [0, 192, 0];
const BLUE: [u8; 3] = [0, 0, 255];
const WHITE: [u8; 3] = [255; 3];
const HALF: [u8; 3] = [128; 3];

/// How large the picture is drawn.
const DRAWN: (usize, usize) = (320, 160);

/// The colours are near enough after 8 bits of BT.709.
const NEAR: u8 = 4;

#[test]
fn png_of_every_kind() {
    let host = Host::new();
    let seen = [RED, GREEN, BLUE, HALF];
    host.shows(&host.picture("rgba.png", "", ""), DRAWN, seen, NEAR);
    host.shows(&host.picture("wide.png", ",format=rgba64be", ""), DRAWN, seen, NEAR);
    let opaque = [RED, GREEN, BLUE, WHITE];
    host.shows(&host.picture("rgb.png", ",format=rgb24", ""), DRAWN, opaque, NEAR);
    host.shows(&host.picture("wide-rgb.png", ",format=rgb48be", ""), DRAWN, opaque, NEAR);
    let palette = ",format=rgb24,split[p][q];[p]palettegen=reserve_transparent=0[r];[q][r]paletteuse=dither=none";
    host.shows(&host.picture("palette.png", palette, "-pix_fmt pal8"), DRAWN, opaque, NEAR);

    let grey = "-f lavfi -i color=0x404040:size=100x50:duration=0.04,format=rgba[a];color=0x808080:size=100x50:duration=0.04,format=rgba[b];color=0xc0c0c0:size=100x50:duration=0.04,format=rgba[c];color=white@0.5:size=100x50:duration=0.04,format=rgba[d];[a][b]hstack[e];[c][d]hstack[f];[e][f]vstack";
    let levels = [[64; 3], [128; 3], [192; 3], HALF];
    for format in ["ya8", "ya16be"] {
        let words = format!("{grey},format={format} -frames:v 1");
        let file = make(host.product.path(&format!("{format}.png")), &words);
        host.shows(&file, DRAWN, levels, NEAR);
    }
}

#[test]
fn webp_and_the_first_frame_of_a_gif() {
    let host = Host::new();
    let webp = host.picture("still.webp", "", "-c:v libwebp -lossless 1 -pix_fmt bgra");
    host.shows(&webp, DRAWN, [RED, GREEN, BLUE, HALF], NEAR);
    let lossy = host.picture("lossy.webp", "", "-c:v libwebp -quality 95 -pix_fmt yuva420p");
    host.shows(&lossy, DRAWN, [RED, GREEN, BLUE, HALF], 8);

    // The second frame is upside down.
    let colours = ",format=rgb24,split[k][l];[l]vflip,hflip,trim=end_frame=1[m];[k]trim=end_frame=1[n];[n][m]concat,split[p][q];[p]palettegen=reserve_transparent=0[r];[q][r]paletteuse=dither=none";
    let gif =
        make(host.product.path("moving.gif"), &format!("{QUARTERS}{colours} -frames:v 2 -loop 0"));
    let ran = host.shows(&gif, DRAWN, [RED, GREEN, BLUE, WHITE], 8);
    let warnings = Ran::warnings(&ran.json);
    assert!(warnings.contains(&"watermark_not_animated".to_owned()), "{warnings:?}");
}

#[test]
fn jpeg_upright_however_the_camera_was_held() {
    let host = Host::new();
    let flat = host.picture("flat.jpg", ",format=rgb24,format=yuvj444p", "-q:v 1");
    let jpeg = fs::read(&flat).unwrap();
    host.shows(&flat, DRAWN, [RED, GREEN, BLUE, WHITE], 8);
    // An upright one is drawn at most twice as high a share as the width's.
    let upright = (180, 360);
    for (orientation, size, quarters) in [
        (2, DRAWN, [GREEN, RED, WHITE, BLUE]),
        (3, DRAWN, [WHITE, BLUE, GREEN, RED]),
        (4, DRAWN, [BLUE, WHITE, RED, GREEN]),
        (5, upright, [RED, BLUE, GREEN, WHITE]),
        (6, upright, [BLUE, RED, WHITE, GREEN]),
        (7, upright, [WHITE, GREEN, BLUE, RED]),
        (8, upright, [GREEN, WHITE, RED, BLUE]),
    ] {
        let name = format!("held-{orientation}.jpg");
        let file = host.product.write(&name, pictures::with_orientation(&jpeg, orientation));
        host.shows(&file, size, quarters, 8);
    }
}

#[test]
fn jpeg_in_the_inks_of_printers() {
    let host = Host::new();
    let row = |left: [u8; 4], right: [u8; 4]| [[left; 4], [right; 4]].concat();
    // Magenta and yellow are red, cyan and yellow green, cyan and magenta blue.
    let above = row([0, 255, 255, 0], [255, 0, 255, 0]);
    let below = row([255, 255, 0, 0], [0, 0, 0, 128]);
    let blocks = [above.repeat(2), below.repeat(2)].concat();
    let file = host.product.write("inks.jpg", pictures::cmyk_jpeg(8, &blocks));
    host.shows(&file, DRAWN, [RED, [0, 255, 0], BLUE, [127; 3]], NEAR);
}

#[test]
fn files_that_were_cut_off() {
    let host = Host::new();
    let noise = ",format=rgb24,noise=alls=60";
    for (name, words) in [
        ("cut.png", ""),
        ("cut.jpg", "-pix_fmt yuvj420p -q:v 2"),
        ("cut.webp", "-c:v libwebp -quality 90"),
        ("cut.gif", ""),
    ] {
        let whole = host.picture(name, noise, words);
        let bytes = fs::read(&whole).unwrap();
        for percent in [2, 40, 90] {
            fs::write(&whole, &bytes[..bytes.len() * percent / 100]).unwrap();
            host.refuses(&whole, "");
        }
        // A kind is known by the first bytes; half of one is nothing.
        fs::write(&whole, &bytes[..3]).unwrap();
        host.refuses(&whole, "");
    }
}

#[test]
fn files_that_are_no_pictures() {
    let host = Host::new();
    let product = &host.product;
    host.refuses(&product.write("text.png", "This is a letter.\n"), "not a PNG, JPEG, WebP or GIF");
    host.refuses(
        &product.write("drawing.png", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
        "not a",
    );
    host.refuses(&product.write("empty.png", ""), "empty");
    host.refuses(&host.source, "not a");
    host.refuses(&product.path("missing.png"), "no such file");
    fs::create_dir(product.path("folder.png")).unwrap();
    host.refuses(&product.path("folder.png"), "not a file");
    assert!(Command::new("mkfifo").arg(product.path("pipe.png")).status().unwrap().success());
    host.refuses(&product.path("pipe.png"), "not a file");
    host.refuses(Path::new("/dev/zero"), "not a file");
    let huge = product.write("huge.png", "");
    fs::OpenOptions::new().write(true).open(&huge).unwrap().set_len((32 << 20) + 1).unwrap();
    host.refuses(&huge, "at most 33554432");
}

#[test]
fn pictures_that_unfold_to_more_than_there_is_room_for() {
    let host = Host::new();
    let file = |name: &str, bytes: Vec<u8>| host.product.write(name, bytes);
    // 400 million pixels in 2.5 MB, and one more than can be.
    let bomb = file("bomb.png", pictures::black_png((20_000, 20_000), (20_000, 20_000)));
    host.refuses(&bomb, "20000×20000");
    let most = file("most.png", pictures::black_png((0x7fff_ffff, 0x7fff_ffff), (16, 16)));
    host.refuses(&most, "");
    // Sizes that lie: more than there is, none at all.
    let lying = file("lying.png", pictures::black_png((3000, 3000), (16, 16)));
    host.refuses(&lying, "damaged");
    host.refuses(&file("none.png", pictures::black_png((0, 16), (16, 16))), "");

    let jpeg = fs::read(host.picture("in.jpg", ",format=yuvj444p", "-q:v 2")).unwrap();
    let sized = |high: u16, wide: u16| {
        let mut jpeg = jpeg.clone();
        let at = jpeg.windows(2).position(|two| two == [0xff, 0xc0]).unwrap() + 5;
        jpeg[at..at + 4].copy_from_slice(&[high.to_be_bytes(), wide.to_be_bytes()].concat());
        jpeg
    };
    host.refuses(&file("lying.jpg", sized(65_500, 65_500)), "65500×65500");
    let gif = fs::read(host.picture("in.gif", ",format=rgb24", "")).unwrap();
    let gif = [&gif[..6], &[0xff; 4], &gif[10..]].concat();
    host.refuses(&file("lying.gif", gif), "65535×65535");
}

#[test]
fn more_samples_than_a_picture_says_harm_nobody() {
    let host = Host::new();
    // What it holds beyond its size is not unfolded: it is drawn or refused, and soon.
    for (name, bytes) in [
        ("more.png", pictures::black_png((200, 100), (200, 1_000_000))),
        ("profile.png", pictures::png_with_profile(400_000_000)),
    ] {
        let ran = host.render(&host.product.write(name, bytes));
        if ran.code != 0 {
            ran.failed(3, "invalid_field");
        }
    }
}
