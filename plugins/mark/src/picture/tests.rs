use super::*;
use image::codecs::gif::{GifEncoder, Repeat};
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, Frame, ImageEncoder, ImageFormat, Rgba, RgbaImage};
use std::cell::RefCell;
use std::io::Cursor;

const RASTER: Size = Size::new(1000, 500);
const STYLE: Style =
    Style { size_percent: 3.0, image_width_percent: 10.0, opacity: 1.0, halo: 0.0 };

/// A picture of one colour but for its top left quarter, in a mark's own size.
fn picture(width: u32, height: u32, quarter: [u8; 4], rest: [u8; 4]) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| {
        Rgba(if x < width / 2 && y < height / 2 { quarter } else { rest })
    })
}

const RED: [u8; 4] = [250, 10, 20, 255];
const BLUE: [u8; 4] = [15, 30, 240, 255];

fn encoded(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    picture.into().write_to(&mut file, format).expect("encodes");
    file.into_inner()
}

fn drawn_in(file: Vec<u8>, room: Size) -> (Result<Image, Fault>, Vec<&'static str>) {
    let warnings = RefCell::new(Vec::new());
    let drawn =
        draw(&Blob::from(file), RASTER, &STYLE, room, |code, _| warnings.borrow_mut().push(code));
    (drawn, warnings.into_inner())
}

fn drawn(file: Vec<u8>) -> Image {
    drawn_in(file, RASTER).0.expect("is drawn")
}

fn refused(file: Vec<u8>) -> String {
    match drawn_in(file, RASTER).0 {
        Err(Fault::InvalidField { field, message }) => {
            assert_eq!(field, "watermark.image_asset_id");
            assert!(message.ends_with('.') && message.len() < 200, "{message}");
            message
        }
        other => panic!("not refused but {other:?}"),
    }
}

fn pixel_at(image: &Image, x: u32, y: u32) -> [u8; 4] {
    pixel_of(image, (y * image.size.width + x) as usize)
}

fn pixel_of(image: &Image, place: usize) -> [u8; 4] {
    image.rgba[place * 4..place * 4 + 4].try_into().expect("four bytes")
}

fn near(ours: [u8; 4], expected: [u8; 4], apart: u8) -> bool {
    ours.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= apart)
}

#[test]
fn every_format_keeps_its_colours() {
    for (format, apart) in [
        (ImageFormat::Png, 0),
        (ImageFormat::WebP, 0),
        (ImageFormat::Gif, 6),
        (ImageFormat::Jpeg, 8),
    ] {
        let source: DynamicImage = picture(100, 60, RED, BLUE).into();
        let source = if format == ImageFormat::Jpeg { source.to_rgb8().into() } else { source };
        let image = drawn(encoded(source, format));
        assert_eq!(image.size, Size::new(100, 60), "{format:?}");
        assert!(near(pixel_at(&image, 20, 10), RED, apart), "{format:?}");
        assert!(near(pixel_at(&image, 80, 50), BLUE, apart), "{format:?}");
    }
}

#[test]
fn wide_grey_and_transparent_samples_are_read() {
    let wide =
        image::ImageBuffer::from_pixel(100, 60, image::Rgba([32_896_u16, 257, 65_535, 51_400]));
    let image = drawn(encoded(DynamicImage::ImageRgba16(wide), ImageFormat::Png));
    assert_eq!(pixel_at(&image, 3, 3), [128, 1, 255, 200]);

    let grey = image::GrayAlphaImage::from_pixel(100, 60, image::LumaA([77, 128]));
    let image = drawn(encoded(DynamicImage::ImageLumaA8(grey), ImageFormat::Png));
    assert_eq!(pixel_at(&image, 3, 3), [77, 77, 77, 128]);
}

#[test]
fn cmyk_is_ink_as_printers_write_it() {
    // Cyan and yellow give green.
    let ink = [255_u8, 0, 255, 0].repeat(100 * 60);
    let mut file = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut file, 95);
    encoder.encode(&ink, 100, 60, jpeg_encoder::ColorType::Cmyk).expect("encodes");
    let image = drawn(file);
    assert!(near(pixel_at(&image, 50, 30), [0, 255, 0, 255], 6), "{:?}", pixel_at(&image, 50, 30));
}

#[test]
fn pictures_that_come_in_scans_are_read() {
    let pixels = RED[..3].repeat(100 * 60);
    let mut file = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut file, 95);
    encoder.set_progressive(true);
    encoder.encode(&pixels, 100, 60, jpeg_encoder::ColorType::Rgb).expect("encodes");
    assert!(near(pixel_at(&drawn(file), 50, 30), RED, 4));
}

#[test]
fn a_camera_held_upright_gives_an_upright_mark() {
    // Rotated by 90 degrees clockwise, the top left quarter comes to the right.
    let jpeg =
        encoded(DynamicImage::from(picture(100, 60, RED, BLUE)).to_rgb8(), ImageFormat::Jpeg);
    let exif =
        b"\xff\xe1\x00\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
    let turned: Vec<u8> = [&jpeg[..2], exif, &jpeg[2..]].concat();
    let image = drawn(turned);
    assert_eq!(image.size, Size::new(60, 100));
    assert!(near(pixel_at(&image, 50, 10), RED, 8));
    assert!(near(pixel_at(&image, 10, 10), BLUE, 8));
}

#[test]
fn a_picture_fits_the_share_of_the_raster() {
    for ((width, height), expected, told) in [
        ((400, 200), (100, 50), None),
        ((33, 21), (100, 64), Some("watermark_enlarged")),
        ((70, 35), (100, 50), None),
        ((200, 400), (50, 100), None),
        ((3000, 10), (100, 2), None),
        ((101, 99), (100, 98), None),
    ] {
        let (image, warnings) =
            drawn_in(encoded(picture(width, height, RED, RED), ImageFormat::Png), RASTER);
        let image = image.expect("is drawn");
        assert_eq!(image.size, Size::new(expected.0, expected.1), "{width}×{height}");
        assert_eq!(warnings.first().copied(), told, "{width}×{height}");
        assert_eq!(image.rgba.len(), (expected.0 * expected.1 * 4) as usize);
    }
}

#[test]
fn what_does_not_fit_is_made_smaller_and_told() {
    let file = encoded(picture(400, 200, RED, BLUE), ImageFormat::Png);
    let (image, warnings) = drawn_in(file, Size::new(60, 400));
    assert_eq!(image.expect("is drawn").size, Size::new(60, 30));
    assert_eq!(warnings, ["watermark_scaled_down"]);
}

#[test]
fn opacity_counts_once_for_every_pixel() {
    let file = encoded(picture(100, 60, [9, 9, 9, 200], BLUE), ImageFormat::Png);
    let style = Style { opacity: 0.5, ..STYLE };
    let image = draw(&Blob::from(file), RASTER, &style, RASTER, |_, _| {}).expect("is drawn");
    assert_eq!(pixel_at(&image, 3, 3), [9, 9, 9, 100]);
    assert_eq!(pixel_at(&image, 90, 50), [15, 30, 240, 128]);
}

#[test]
fn an_animation_gives_its_first_frame_and_says_so() {
    let mut file = Vec::new();
    {
        let mut encoder = GifEncoder::new(&mut file);
        encoder.set_repeat(Repeat::Infinite).expect("encodes");
        for colour in [RED, BLUE] {
            encoder.encode_frame(Frame::new(picture(100, 60, colour, colour))).expect("encodes");
        }
    }
    let (image, warnings) = drawn_in(file, RASTER);
    assert!(near(pixel_at(&image.expect("is drawn"), 5, 5), RED, 6));
    assert_eq!(warnings, ["watermark_not_animated"]);
}

/// An animated WebP file of these pictures.
fn moving_webp(pictures: &[RgbaImage]) -> Vec<u8> {
    let chunk = |name: &[u8; 4], data: &[u8]| {
        let padding = vec![0; data.len() % 2];
        [&name[..], &(data.len() as u32).to_le_bytes(), data, &padding].concat()
    };
    let less_one = |side: u32| (side - 1).to_le_bytes()[..3].to_vec();
    let (width, height) = pictures[0].dimensions();
    let sides = [less_one(width), less_one(height)].concat();
    let mut chunks = chunk(b"VP8X", &[&[0x12, 0, 0, 0], &sides[..]].concat());
    chunks.extend(chunk(b"ANIM", &[0; 6]));
    for picture in pictures {
        // Behind the 12 bytes of the container comes the one chunk of a still.
        let still = encoded(picture.clone(), ImageFormat::WebP);
        let frame = [&[0; 6], &sides[..], &[40, 0, 0, 0], &still[12..]].concat();
        chunks.extend(chunk(b"ANMF", &frame));
    }
    let file = [b"WEBP", &chunks[..]].concat();
    chunk(b"RIFF", &file)
}

#[test]
fn an_animated_webp_file_gives_its_first_frame_and_says_so() {
    let file = moving_webp(&[picture(100, 60, RED, RED), picture(100, 60, BLUE, BLUE)]);
    let (image, warnings) = drawn_in(file, RASTER);
    // Frames of an animation are blended into its canvas, which costs a rounding.
    assert!(near(pixel_at(&image.expect("is drawn"), 5, 5), RED, 1));
    assert_eq!(warnings, ["watermark_not_animated"]);
}

#[test]
fn a_colour_profile_that_is_not_srgb_is_told() {
    let file_with = |profile: &[u8]| {
        let mut file = Vec::new();
        let mut encoder = PngEncoder::new(&mut file);
        encoder.set_icc_profile(profile.to_vec()).expect("takes a profile");
        encoder.write_image(&[9; 300], 10, 10, ExtendedColorType::Rgb8).expect("encodes");
        file
    };
    let told = |profile: &[u8]| drawn_in(file_with(profile), RASTER).1;
    assert!(told(b"Display P3").contains(&"watermark_colour_profile_ignored"));
    assert!(!told(b"sRGB IEC61966-2.1").contains(&"watermark_colour_profile_ignored"));
}

#[test]
fn what_is_no_picture_is_refused() {
    for file in [
        &b""[..],
        b"GIF",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"BM\x36\0\0\0\0\0\0\0\x36\0\0\0",
        b"#EXTM3U\nfile:///etc/passwd",
    ] {
        assert!(refused(file.to_vec()).contains("not a PNG, JPEG, WebP or GIF"));
    }
    refused(b"GIF89a\0\0\0\0\0\0\0;".to_vec());
}

#[test]
fn a_file_that_ends_too_early_is_refused() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Gif] {
        let noise = image::RgbImage::from_fn(90, 90, |x, y| {
            image::Rgb([(x * 7 + y * y) as u8, (x * x + y * 3) as u8, (x * y) as u8])
        });
        let file = encoded(noise, format);
        drawn(file.clone());
        for share in [2, 4, 8, 16] {
            let part = file[..file.len() * (share - 1) / share].to_vec();
            assert!(refused(part).contains("damaged or incomplete"), "{format:?}");
        }
    }
}

#[test]
fn damage_never_does_more_than_harm_the_picture() {
    let small = Size::new(80, 60);
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Gif] {
        let source: DynamicImage = picture(16, 12, RED, BLUE).into();
        let file = encoded(source.to_rgb8(), format);
        for place in 0..file.len() {
            for byte in [0, 0xff, file[place].wrapping_add(1)] {
                let mut damaged = file.clone();
                damaged[place] = byte;
                let blob = Blob::from(damaged);
                if let Err(fault) = draw(&blob, small, &STYLE, small, |_, _| {}) {
                    assert!(matches!(fault, Fault::InvalidField { .. }));
                }
            }
        }
    }
}

#[test]
fn sizes_that_do_not_fit_a_plugin_are_refused_before_they_are_taken() {
    // A header of 60000 by 60000 pixels and nothing behind it.
    let mut png = encoded(picture(8, 8, RED, BLUE), ImageFormat::Png);
    png[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    let crc = crc(&png[12..29]);
    png[29..33].copy_from_slice(&crc.to_be_bytes());
    assert!(refused(png).contains("60000×60000 pixels"));

    let gif = b"GIF89a\xff\xff\xff\xff\0\0\0,\0\0\0\0\xff\xff\xff\xff\0\x02\0;".to_vec();
    assert!(refused(gif).contains("65535×65535 pixels"));
}

#[test]
fn the_limit_that_was_met_is_named() {
    // A header of 4000 by 3500 pixels and too little behind it.
    let mut wide = encoded(DynamicImage::new_rgba16(8, 8), ImageFormat::Png);
    wide[16..24].copy_from_slice(&[0, 0, 0x0f, 0xa0, 0, 0, 0x0d, 0xac]);
    let crc = crc(&wide[12..29]);
    wide[29..33].copy_from_slice(&crc.to_be_bytes());
    let message = refused(wide);
    assert!(message.contains("take 107 MiB, of which at most 96 are read"), "{message}");
    assert!(message.contains("8 bits a channel"), "{message}");

    let large = encoded(DynamicImage::new_rgb8(2100, 2000), ImageFormat::WebP);
    let message = refused(large);
    assert!(message.contains("2100×2000") && message.contains("WebP"), "{message}");
    assert!(message.contains("at most 4 million"), "{message}");
}

#[test]
fn what_follows_a_picture_in_its_file_is_not_the_picture() {
    let jpeg =
        encoded(DynamicImage::from(picture(100, 60, RED, BLUE)).to_rgb8(), ImageFormat::Jpeg);
    let still = drawn(jpeg.clone());
    for tail in [&b"\0\0\0\xff\xda\0\0"[..], b"\0\0\0\x18ftypmp42 \xff\xd8\xff\xda\0\x03"] {
        assert_eq!(drawn([&jpeg, tail].concat()), still);
    }
}

#[test]
fn a_gif_that_moves_once_is_told() {
    let mut file = Vec::new();
    {
        let mut encoder = GifEncoder::new(&mut file);
        for colour in [RED, BLUE] {
            encoder.encode_frame(Frame::new(picture(100, 60, colour, colour))).expect("encodes");
        }
    }
    assert!(!file.windows(8).any(|part| part == b"NETSCAPE"));
    assert_eq!(drawn_in(file, RASTER).1, ["watermark_not_animated"]);
    let still = encoded(picture(100, 60, RED, BLUE), ImageFormat::Gif);
    assert!(drawn_in(still, RASTER).1.is_empty());
}

#[test]
fn a_profile_of_any_length_is_not_unfolded() {
    let mut file = Vec::new();
    let mut encoder = PngEncoder::new(&mut file);
    encoder.set_icc_profile([&b"sRGB"[..], &vec![0; 20 << 20]].concat()).expect("takes a profile");
    encoder.write_image(&[9; 300 * 60], 100, 60, ExtendedColorType::Rgb8).expect("encodes");
    let (image, warnings) = drawn_in(file, RASTER);
    assert_eq!(pixel_at(&image.expect("is drawn"), 5, 5), [9, 9, 9, 255]);
    assert_eq!(warnings, ["watermark_colour_profile_ignored"]);
}

#[test]
fn a_file_that_is_too_long_is_not_read() {
    assert!(refused(vec![0; (32 << 20) + 1]).contains("33554433 bytes"));
}

/// As PNG has it.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 }
        })
    })
}
