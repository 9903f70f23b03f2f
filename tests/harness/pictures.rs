//! Picture files that no tool writes, byte by byte.

/// A picture in the four inks of printers (cyan, magenta, yellow, black; 255 is
/// all of it): a JPEG of flat blocks of 8×8 pixels, as an Adobe program writes
/// it, with 255 for no ink.
pub fn cmyk_jpeg(columns: u16, blocks: &[[u8; 4]]) -> Vec<u8> {
    let rows = u16::try_from(blocks.len()).unwrap() / columns;
    let mut file = vec![0xff, 0xd8];
    let mut segment = |marker: u8, content: &[u8]| {
        file.extend([0xff, marker]);
        file.extend(u16::try_from(content.len() + 2).unwrap().to_be_bytes());
        file.extend(content);
    };
    // The last byte says that components are inks and not turned into others.
    segment(0xee, b"Adobe\0\x64\0\0\0\0\0");
    let quantizer: Vec<u8> = std::iter::once(0).chain([1; 64]).collect();
    segment(0xdb, &quantizer);
    let [[high, low], [wide, narrow]] = [rows * 8, columns * 8].map(u16::to_be_bytes);
    let mut frame = vec![8, high, low, wide, narrow, 4];
    (1..=4).for_each(|component| frame.extend([component, 0x11, 0]));
    segment(0xc0, &frame);
    // Sizes 0 to 11 of a difference, each in 4 bits; and the end of a block, in one.
    let differences: Vec<u8> =
        [0, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0].into_iter().chain(0..12).collect();
    segment(0xc4, &differences);
    segment(0xc4, &[0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    segment(0xda, &[4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0]);
    let mut bits = Bits::default();
    let mut last = [0_i32; 4];
    for block in blocks {
        for (ink, last) in block.iter().zip(&mut last) {
            let level = 8 * (255 - i32::from(*ink) - 128);
            let difference = level - *last;
            *last = level;
            let size = 32 - difference.unsigned_abs().leading_zeros();
            let shown = if difference < 0 { difference + (1 << size) - 1 } else { difference };
            bits.push(size, 4);
            bits.push(shown.unsigned_abs(), size);
            bits.push(0, 1);
        }
    }
    // Bits of a JPEG are written from the highest down; a byte of ones is followed by a zero.
    for byte in bits.high_first() {
        file.push(byte);
        if byte == 0xff {
            file.push(0);
        }
    }
    file.extend([0xff, 0xd9]);
    file
}

/// Puts the way that a camera was held (1 to 8) into a JPEG file.
pub fn with_orientation(jpeg: &[u8], orientation: u8) -> Vec<u8> {
    let mut exif = b"\xff\xe1\0\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    exif.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
    [&jpeg[..2], &exif, &jpeg[2..]].concat()
}

/// A grey PNG whose head says one size and whose samples, all black, are those
/// of another. Of the samples it holds hardly a hundredth part.
pub fn black_png(said: (u32, u32), held: (u32, u32)) -> Vec<u8> {
    let [wide, high] = [said.0, said.1].map(u32::to_be_bytes);
    let head = [&wide[..], &high, &[8, 0, 0, 0, 0]].concat();
    let samples = zeros(u64::from(held.0 + 1) * u64::from(held.1));
    png(&[(b"IHDR", &head), (b"IDAT", &samples), (b"IEND", &[])])
}

/// A small black PNG with a colour profile that is `bytes` long, though not in the file.
pub fn png_with_profile(bytes: u64) -> Vec<u8> {
    let head = [0, 0, 0, 16, 0, 0, 0, 16, 8, 0, 0, 0, 0];
    let profile = [&b"profile\0\0"[..], &zeros(bytes)].concat();
    png(&[(b"IHDR", &head), (b"iCCP", &profile), (b"IDAT", &zeros(17 * 16)), (b"IEND", &[])])
}

fn png(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, content) in chunks {
        file.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
        let start = file.len();
        file.extend(*name);
        file.extend(*content);
        file.extend(crc(&file[start..]).to_be_bytes());
    }
    file
}

/// The check sum of a PNG's chunk (ISO 3309).
fn crc(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), step))
}

/// So many zeros, packed by zlib's rules (RFC 1950 and 1951): one zero, and the
/// order to repeat it.
fn zeros(count: u64) -> Vec<u8> {
    let mut bits = Bits::default();
    bits.push_low(0b011, 3); // The last block, with the codes that are laid down.
    bits.push_zero();
    let repeats = (count - 1) / 258;
    for _ in 0..repeats {
        // 258 times what was one place before. Codes are written from their highest bit.
        bits.push(0b1100_0101, 8);
        bits.push(0, 5);
    }
    (0..(count - 1) % 258).for_each(|_| bits.push_zero());
    bits.push(0, 7);
    // Its check sum: 1 and nothing, and as many ones.
    let sum = u32::try_from(count % 65_521).unwrap() << 16 | 1;
    [&[0x78, 0x01][..], &bits.low_first(), &sum.to_be_bytes()].concat()
}

/// Bits on their way into bytes.
#[derive(Default)]
struct Bits(Vec<bool>);

impl Bits {
    /// The highest of `count` bits first.
    fn push(&mut self, value: u32, count: u32) {
        self.0.extend((0..count).rev().map(|bit| value >> bit & 1 == 1));
    }

    /// The lowest first.
    fn push_low(&mut self, value: u32, count: u32) {
        self.0.extend((0..count).map(|bit| value >> bit & 1 == 1));
    }

    /// The code of a zero in RFC 1951.
    fn push_zero(&mut self) {
        self.push(0b0011_0000, 8);
    }

    /// Bytes that are filled from their highest bit, the last with ones.
    fn high_first(&self) -> Vec<u8> {
        let byte = |bits: &[bool]| {
            (0..8).fold(0, |byte, bit| byte << 1 | u8::from(*bits.get(bit).unwrap_or(&true)))
        };
        self.0.chunks(8).map(byte).collect()
    }

    /// Bytes that are filled from their lowest bit, the last with noughts.
    fn low_first(&self) -> Vec<u8> {
        let byte = |bits: &[bool]| {
            (0..8).fold(0, |byte, bit| byte | u8::from(*bits.get(bit).unwrap_or(&false)) << bit)
        };
        self.0.chunks(8).map(byte).collect()
    }
}
