//! Shows what the plugin draws, without a host:
//! `cargo run --release --example draw -- TEXT OUT.png [ANCHOR_X ANCHOR_Y [WIDTH HEIGHT]]`
//! writes the mark on a picture that is half black and half white, and prints
//! how long it took.

use stage_sdk::{
    Anchor, Colour, Job, Raster, Rational, Request, Size, Source, SourceVideo, Verdict,
    WatermarkPlugin,
};
use std::error::Error;
use std::fs::File;
use std::time::Instant;
use watermark_overlay::Overlay;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = arguments.next().ok_or("no text")?;
    let file = arguments.next().ok_or("no file")?;
    let numbers: Vec<f32> = arguments.map(|word| word.parse()).collect::<Result<_, _>>()?;
    let number = |place: usize, usual: f32| numbers.get(place).copied().unwrap_or(usual);
    let size = Size::new(number(2, 1280.0) as u32, number(3, 720.0) as u32);

    let request = Request {
        watermark_text: Some(text),
        watermark_anchor: Anchor { x: number(0, 1.0), y: number(1, 1.0) },
        ..Request::new("mp4", size)
    };
    let raster = Raster { size, frame_rate: Rational::new(25, 1), colour: Colour::BT709 };
    let source = Source::new(vec![SourceVideo::new("avc1", size)], vec![]);
    let job = Job::new(source, request, Default::default()).with_raster(raster);

    let begun = Instant::now();
    let verdict = Overlay::start(&job).map_err(|fault| format!("{fault:?}"))?;
    println!("{:?}, warnings {:?}", begun.elapsed(), job.take_warnings());
    let Verdict::Ready(plan) = verdict else { return Err("it asks".into()) };

    let background = |x: u32| if x < size.width / 2 { 0 } else { 255 };
    let mut rgb: Vec<u8> = (0..size.width * size.height)
        .flat_map(|place| [background(place % size.width); 3])
        .collect();
    for overlay in &plan.overlays {
        println!("{:?} at {:?}", overlay.image.size, overlay.at);
        let width = overlay.image.size.width;
        for (place, pixel) in (0..).zip(overlay.image.rgba.chunks_exact(4)) {
            let (x, y) = (overlay.at.x + place % width, overlay.at.y + place / width);
            let below = rgb.iter_mut().skip((y * size.width + x) as usize * 3);
            let &[red, green, blue, alpha] = pixel else { continue };
            for (old, new) in below.zip([red, green, blue]) {
                let (old_part, new_part) = (u16::from(*old), u16::from(new));
                let alpha = u16::from(alpha);
                *old = ((new_part * alpha + old_part * (255 - alpha)) / 255) as u8;
            }
        }
    }
    let mut encoder = png::Encoder::new(File::create(file)?, size.width, size.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&rgb)?;
    Ok(())
}
