use super::*;

#[test]
fn a_large_plane_passes_in_bands_that_join() {
    for (width, height, count) in [(3840, 2160, 1), (7680, 4320, 4), (65_535, 200, 2), (5, 0, 1)] {
        let area = Rect::new(2, 6, width, height);
        let bands: Vec<Rect> = bands(area).collect();
        assert_eq!(bands.len(), count, "{width}×{height}");
        let mut y = 6;
        for band in bands {
            let height = band.size.height;
            assert_eq!(band, Rect::new(2, y, width, height));
            assert!(u64::from(width) * u64::from(height) <= 8 << 20);
            y += height;
        }
        assert_eq!(y, 6 + height);
    }
}
