//! How long a packet of Opus lasts, by its first bytes (RFC 6716, 3.1 and 3.2).

/// The longest packet, in samples of 48 kHz: 120 ms.
const LONGEST: u32 = 5760;

/// The samples of 48 kHz that a packet holds; none if it is no packet.
pub(super) fn samples(packet: &[u8]) -> Option<u32> {
    let (toc, rest) = packet.split_first()?;
    let frame = match toc >> 3 {
        // SILK alone: 10, 20, 40 or 60 ms.
        config @ 0..12 => [480, 960, 1920, 2880].get(usize::from(config % 4)).copied()?,
        // Both: 10 or 20 ms.
        config @ 12..16 => 480 << (config % 2),
        // CELT alone: 2.5, 5, 10 or 20 ms.
        config => 120 << (config % 4),
    };
    let frames = match toc & 3 {
        0 => 1,
        1 | 2 => 2,
        _ => u32::from(rest.first()? & 0x3f),
    };
    let samples: u32 = frame * frames;
    (1..=LONGEST).contains(&samples).then_some(samples)
}

#[cfg(test)]
mod tests {
    use super::samples;

    #[test]
    fn a_packet_says_how_long_it_is() {
        // 20 ms of CELT, of SILK and of both; two frames; five of 2.5 ms.
        assert_eq!(samples(&[31 << 3]), Some(960));
        assert_eq!(samples(&[1 << 3]), Some(960));
        assert_eq!(samples(&[13 << 3]), Some(960));
        assert_eq!(samples(&[31 << 3 | 1, 0]), Some(1920));
        assert_eq!(samples(&[16 << 3 | 3, 5]), Some(600));
        for broken in [&[][..], &[16 << 3 | 3], &[16 << 3 | 3, 0], &[3 << 3 | 3, 63]] {
            assert_eq!(samples(broken), None, "{broken:?}");
        }
    }
}
