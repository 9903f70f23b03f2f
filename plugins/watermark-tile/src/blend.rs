//! The inner loops. They are written so that the compiler makes vector
//! instructions of them: whole chunks, 16-bit sums, no branches.

#[cfg(test)]
mod tests;

/// As many samples as one vector of the sandbox holds.
const LANES: usize = 16;

/// Lays `ink` over `below`, each sample by its alpha, rounded to the nearest.
/// There may be more ink than is needed.
pub(crate) fn blend(below: &mut [u8], ink: &[u8], alpha: &[u8]) {
    let length = below.len();
    let (Some(ink), Some(alpha)) = (ink.get(..length), alpha.get(..length)) else { return };
    let (below, below_rest) = below.as_chunks_mut::<LANES>();
    let (ink, ink_rest) = ink.as_chunks::<LANES>();
    let (alpha, alpha_rest) = alpha.as_chunks::<LANES>();
    for ((below, ink), alpha) in below.iter_mut().zip(ink).zip(alpha) {
        each(below, ink, alpha);
    }
    each(below_rest, ink_rest, alpha_rest);
}

#[inline]
fn each(below: &mut [u8], ink: &[u8], alpha: &[u8]) {
    for ((below, ink), alpha) in below.iter_mut().zip(ink).zip(alpha) {
        let (old, new, alpha) = (u16::from(*below), u16::from(*ink), u16::from(*alpha));
        *below = share(old * (255 - alpha) + new * alpha);
    }
}

/// Each alpha times `strength` over 255.
pub(crate) fn weaken(alpha: &[u8], strength: u8, weaker: &mut Vec<u8>) {
    let strength = u16::from(strength);
    weaker.clear();
    weaker.extend(alpha.iter().map(|alpha| share(u16::from(*alpha) * strength)));
}

/// The sum of samples; at most 2^24 of them.
pub(crate) fn sum(samples: &[u8]) -> u32 {
    let (chunks, rest) = samples.as_chunks::<LANES>();
    let mut sums = [0_u32; LANES];
    for chunk in chunks {
        for (sum, sample) in sums.iter_mut().zip(chunk) {
            *sum += u32::from(*sample);
        }
    }
    sums.iter().sum::<u32>() + rest.iter().map(|sample| u32::from(*sample)).sum::<u32>()
}

/// A product of two bytes, or a mean of such, over 255 and rounded; exact.
#[inline]
fn share(product: u16) -> u8 {
    let sum = product + 128;
    ((sum + (sum >> 8)) >> 8) as u8
}
