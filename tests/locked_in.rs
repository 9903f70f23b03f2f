//! ffmpeg opens nothing but its source, and ends with the program.

use std::fs;
use std::process::Stdio;

use product_tests::sources::{long, make, plain};
use product_tests::{Product, judge, processes};

#[test]
fn a_source_name_with_a_pattern_is_a_name() {
    let product = Product::new();
    // With a pattern an image demuxer would open its neighbours.
    let source = plain(product.path("film%03d.mp4"));
    product.write("film001.mp4", b"something else");
    let report = product.render(&source, &["--resolution", "720p"]).ok();
    assert_eq!(report["frames"], 50);
}

#[test]
fn a_playlist_of_films_opens_none_of_them() {
    let product = Product::new();
    let segment = plain(product.path("segment.mp4"));
    let list = format!(
        "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile://{}\n#EXT-X-ENDLIST\n",
        segment.display()
    );
    let source = product.write("list.mp4", list);
    product.render(&source, &[]).failed(3, "unsupported_source");
}

#[test]
fn a_film_whose_index_names_another_file_does_not_open_it() {
    let product = Product::new();
    let secret = plain(product.path("secret.mp4"));
    let source = product.path("refers.mov");
    make(source.clone(), &format!("-i {} -c copy -an", secret.display()));
    // The data reference of the track is turned from "in this file" to a
    // path: an entry `alis`/`url ` without the self-contained flag.
    let mut bytes = fs::read(&source).unwrap();
    let at = bytes.windows(4).position(|four| four == b"dref").unwrap();
    let flags = at + 12 + 8;
    assert_eq!(bytes[flags + 3], 1, "the reference was self-contained");
    bytes[flags + 3] = 0;
    fs::write(&source, bytes).unwrap();
    let ran = product.render(&source, &["--resolution", "720p"]);
    // ffmpeg may ignore the reference and find the data in this file, which
    // is right too; it must not fail in another way.
    if ran.code == 0 {
        assert_eq!(ran.json["frames"], 50);
    } else {
        ran.failed(3, "unsupported_source");
    }
}

#[test]
fn no_ffmpeg_outlives_a_killed_program() {
    let product = Product::new();
    let source = long(product.path("in.mp4"));
    for signal in ["KILL", "TERM", "ABRT"] {
        let mut child = product
            .command(&["render", source.to_str().unwrap(), "-o", "out.mp4", "--resolution", "4k"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let encoder = processes::wait_for_encoder(child.id());
        processes::send(signal, child.id());
        child.wait().unwrap();
        assert!(processes::has_ended(encoder), "ffmpeg outlived {signal}");
        assert!(!product.path("out.mp4").exists());
    }
}

#[test]
fn the_running_ffmpeg_is_confined() {
    let product = Product::new();
    let source = long(product.path("in.mp4"));
    let mut child = product
        .command(&["render", source.to_str().unwrap(), "-o", "out.mp4", "--resolution", "4k"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let encoder = processes::wait_for_encoder(child.id());
    let status = fs::read_to_string(format!("/proc/{encoder}/status")).unwrap();
    assert!(status.contains("NoNewPrivs:\t1"), "{status}");
    let limits = fs::read_to_string(format!("/proc/{encoder}/limits")).unwrap();
    for limit in ["Max address space", "Max cpu time", "Max open files"] {
        let line = limits.lines().find(|line| line.starts_with(limit)).unwrap();
        assert!(!line.contains("unlimited"), "{line}");
    }
    let environment = fs::read(format!("/proc/{encoder}/environ")).unwrap();
    assert!(
        !String::from_utf8_lossy(&environment).contains("XDG_CACHE_HOME"),
        "the environment is not passed on"
    );
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn what_is_rendered_is_the_file_that_was_opened() {
    let product = Product::new();
    let source = plain(product.path("in.mp4"));
    std::os::unix::fs::symlink(&source, product.path("link.mp4")).unwrap();
    product.render(&product.path("link.mp4"), &["--resolution", "720p"]).ok();
    let found = judge::probe(&product.path("out.mp4"));
    assert_eq!(judge::number(&judge::stream(&found, "video")["nb_read_packets"]), 50.0);
}
