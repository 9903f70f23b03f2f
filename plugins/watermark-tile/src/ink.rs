//! A mark in the samples of the raster.

use stage_sdk::{Colour, Image, Size};

/// A picture as planes Y, Cb and Cr in 4:2:0, with an alpha for each.
#[derive(Debug)]
pub(crate) struct Ink {
    /// In the order of a frame's planes.
    pub(crate) planes: [Layer; 3],
}

/// What a mark adds to one plane.
#[derive(Debug)]
pub(crate) struct Layer {
    /// The mark's width in samples of this plane.
    pub(crate) width: usize,
    /// Row by row.
    pub(crate) samples: Vec<u8>,
    /// How much each sample hides of what is below.
    pub(crate) alpha: Vec<u8>,
}

impl Ink {
    /// The picture, whose sides are even, in this colour.
    pub(crate) fn new(image: &Image, colour: Colour) -> Self {
        let Size { width, height } = image.size;
        let (width, height) = (width as usize, height as usize);
        let mut luma = Layer::of(width, height);
        let mut chroma = [Sums::of(width, height), Sums::of(width, height)];
        let pixels = image.rgba.as_chunks::<4>().0;
        for (y, row) in pixels.chunks_exact(width.max(1)).enumerate() {
            for (x, [red, green, blue, alpha]) in row.iter().enumerate() {
                let rgb = [*red, *green, *blue].map(|part| f32::from(part) / 255.0);
                let [y_sample, blue, red] = colour.samples(rgb);
                luma.samples.push(y_sample.round() as u8);
                luma.alpha.push(*alpha);
                let place = y / 2 * (width / 2) + x / 2;
                for (sums, sample) in chroma.iter_mut().zip([blue, red]) {
                    sums.add(place, sample, *alpha);
                }
            }
        }
        let [blue, red] = chroma.map(|sums| sums.layer(width / 2));
        Self { planes: [luma, blue, red] }
    }
}

impl Layer {
    fn of(width: usize, height: usize) -> Self {
        let room = || Vec::with_capacity(width * height);
        Self { width, samples: room(), alpha: room() }
    }
}

/// Samples of colour, each shared by four pixels that count by their alpha.
struct Sums(Vec<(f32, u16)>);

impl Sums {
    fn of(width: usize, height: usize) -> Self {
        Self(vec![(0.0, 0); (width / 2) * (height / 2)])
    }

    fn add(&mut self, place: usize, sample: f32, alpha: u8) {
        if let Some((samples, alphas)) = self.0.get_mut(place) {
            *samples += sample * f32::from(alpha);
            *alphas += u16::from(alpha);
        }
    }

    fn layer(self, width: usize) -> Layer {
        let sample = |(samples, alphas): &(f32, u16)| {
            if *alphas == 0 { 128 } else { (samples / f32::from(*alphas)).round() as u8 }
        };
        Layer {
            width,
            samples: self.0.iter().map(sample).collect(),
            alpha: self.0.iter().map(|(_, alphas)| ((alphas + 2) / 4) as u8).collect(),
        }
    }
}
