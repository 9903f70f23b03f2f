use super::*;

#[test]
fn a_small_picture_stays_as_it_is_and_a_large_one_shrinks() {
    let small = encode(&[9; 12], 2, 2).unwrap();
    assert_eq!(of(&small).unwrap(), small);
    // Noise does not deflate.
    let mut state = 1_u32;
    let noise: Vec<u8> = (0..640 * 360 * 3)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        })
        .collect();
    let large = encode(&noise, 640, 360).unwrap();
    assert!(large.len() > MOST);
    let thumbnail = of(&large).unwrap();
    assert!(thumbnail.len() <= MOST);
    let reader = png::Decoder::new(Cursor::new(&thumbnail)).read_info().unwrap();
    let (w, h) = (reader.info().width, reader.info().height);
    assert!(w >= 100 && (w * 9).abs_diff(h * 16) <= 16, "{w}x{h}");
    assert_eq!(of(&vec![0; MOST + 1]), None, "no picture at all");
}
