use std::io::Write;
use std::os::unix::net::UnixListener;

use nix::sys::stat::Mode;
use proptest::prelude::*;

use super::sniff::sniff;
use super::*;

fn file_of(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

const MP4: &[u8] = b"\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp41";

#[test]
fn opens_a_media_file() {
    let file = file_of(MP4);
    let input = Input::open(file.path()).unwrap();
    assert_eq!(input.format(), InputFormat::IsoBmff);
    assert_eq!(input.bytes(), MP4.len() as u64);
    assert_eq!(input.hash().unwrap(), <[u8; 32]>::from(Sha256::digest(MP4)));
}

#[test]
fn is_the_file_that_was_opened() {
    let file = file_of(MP4);
    let input = Input::open(file.path()).unwrap();
    std::fs::rename(file_of(b"another").into_temp_path().keep().unwrap(), file.path()).unwrap();
    assert_eq!(input.hash().unwrap(), <[u8; 32]>::from(Sha256::digest(MP4)));
}

#[test]
fn what_is_not_there_is_not_found() {
    let file = file_of(MP4);
    for path in [Path::new("/nonexistent/clip.mp4"), &file.path().join("clip.mp4")] {
        let error = Input::open(path).unwrap_err();
        assert!(matches!(error, MediaError::NotFound { .. }), "{error}");
    }
}

#[test]
fn what_is_no_file_is_refused_without_waiting() {
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("pipe.mp4");
    nix::unistd::mkfifo(&pipe, Mode::S_IRUSR).unwrap();
    let socket = directory.path().join("socket.mp4");
    let _listener = UnixListener::bind(&socket).unwrap();
    for path in [directory.path(), &pipe, &socket, Path::new("/dev/null")] {
        let error = Input::open(path).unwrap_err();
        assert!(matches!(error, MediaError::NotAFile { .. }), "{error}");
    }
}

#[test]
fn an_empty_file_is_said_to_be_empty() {
    let error = Input::open(file_of(b"").path()).unwrap_err();
    assert!(matches!(error, MediaError::Empty { .. }), "{error}");
}

#[test]
fn text_and_playlists_are_called_by_name() {
    for (contents, expected) in [
        (&b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"[..], "an HLS playlist"),
        (b"ffconcat version 1.0\nfile /etc/passwd\n", "an ffmpeg playlist"),
        (b"Dear editor,\nthe film is late.\n", "text"),
        ("Größe".as_bytes(), "text"),
        (b"\x89PNG\r\n\x1a\n", "a PNG image"),
        (b"RIFF\x00\x00\x00\x00WAVE", "a RIFF file that is not AVI"),
        (&[0; 4096], "nothing but zeros"),
        (b"\x01\x02\x03", "data of an unknown kind"),
        (b"\xc3", "data of an unknown kind"),
    ] {
        match Input::open(file_of(contents).path()).unwrap_err() {
            MediaError::NotMedia { looks_like, .. } => assert_eq!(looks_like, expected),
            other => panic!("{other}"),
        }
    }
}

#[test]
fn containers_are_told_by_their_beginning() {
    let mut transport = vec![0x47; 188];
    transport.fill(0);
    transport[0] = 0x47;
    let plain = transport.repeat(5);
    let timed: Vec<u8> = [&[0, 0, 0, 1][..], &transport].concat().repeat(5);
    for (head, format) in [
        (MP4, InputFormat::IsoBmff),
        (b"\x00\x00\x00\x08wide\x00\x00\x00\x00mdat", InputFormat::IsoBmff),
        (b"\x1a\x45\xdf\xa3\x9f\x42\x86", InputFormat::Matroska),
        (b"RIFF\x10\x00\x00\x00AVI LIST", InputFormat::Avi),
        (b"OggS\x00\x02", InputFormat::Ogg),
        (b"\x00\x00\x01\xba\x44", InputFormat::MpegPs),
        (b"FLV\x01\x05", InputFormat::Flv),
        (&plain, InputFormat::MpegTs),
        (&timed, InputFormat::MpegTs),
    ] {
        assert_eq!(sniff(head), Ok(format), "{format:?}");
    }
}

#[test]
fn capital_g_alone_makes_no_transport_stream() {
    assert_eq!(sniff(b"G"), Err("text"));
    assert_eq!(sniff(&b"G".repeat(400)), Err("text"));
    let mut one_packet = [0; 400];
    one_packet[0] = 0x47;
    assert_eq!(sniff(&one_packet), Err("data of an unknown kind"));
}

proptest! {
    #[test]
    fn any_beginning_gets_an_answer(head in prop::collection::vec(any::<u8>(), 1..HEAD)) {
        let _ = sniff(&head);
    }
}
