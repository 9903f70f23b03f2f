use super::*;

#[test]
fn the_end_of_a_jpeg_file_is_that_of_its_picture() {
    // A preview inside a part, a scan with a stuffed byte and a restart, an end.
    let file = b"\xff\xd8\xff\xe1\0\x06\xff\xd9\xff\xda\xff\xff\xda\0\x03\x01\x12\xff\0\xff\xd0\x34\xff\xd9";
    assert_eq!(jpeg_length(file), Some(file.len()));
    let more = [&file[..], b"\0\0\xff\xda\0\0 a film \xff\xd8\xff\xda\0\x02"].concat();
    assert_eq!(jpeg_length(&more), Some(file.len()));
    for length in 0..file.len() {
        assert_eq!(jpeg_length(&file[..length]), None, "{length}");
    }
}

#[test]
fn pictures_of_a_gif_file_are_counted_wherever_they_are() {
    let head = b"GIF89a\x01\0\x01\0\x80\0\0\x01\x02\x03\x04\x05\x06";
    let picture = b",\0\0\0\0\x01\0\x01\0\0\x02\x02\x4c\x01\0";
    // A comment that looks like a picture.
    let comment = b"!\xfe\x03,,,\0";
    let file = |parts: &[&[u8]]| [&head[..], &parts.concat(), b";"].concat();
    assert!(!gif_moves(&file(&[])));
    assert!(!gif_moves(&file(&[comment, picture, comment])));
    assert!(gif_moves(&file(&[picture, comment, picture])));
    assert!(!gif_moves(&[&file(&[picture])[..], picture].concat()));
}

#[test]
fn a_png_file_loses_its_texts_and_its_profile() {
    let chunk = |name: &[u8], data: &[u8]| {
        [&(data.len() as u32).to_be_bytes(), name, data, b"sums"].concat()
    };
    let file = |chunks: &[Vec<u8>]| [b"\x89PNG\r\n\x1a\n", &chunks.concat()[..]].concat();
    let (head, end) = (chunk(b"IHDR", &[7; 13]), chunk(b"IEND", b""));
    let mut bytes = file(&[
        head.clone(),
        chunk(b"zTXt", b"long"),
        chunk(b"iCCP", b"mine"),
        chunk(b"iCCP", b"other"),
        end.clone(),
    ]);
    assert_eq!(take_profile(&mut bytes).as_deref(), Some(&b"mine"[..]));
    assert_eq!(bytes, file(&[head.clone(), end]));
    // What was cut off stays so.
    for length in 0..40 {
        let mut cut = file(std::slice::from_ref(&head))[..length.min(33)].to_vec();
        let before = cut.clone();
        assert_eq!(take_profile(&mut cut), None);
        assert_eq!(cut, before);
    }
}
