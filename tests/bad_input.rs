//! Bad input gives one clear sentence with a stable code and leaves nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

use product_tests::sources::{make, plain};
use product_tests::{Product, product};

/// Renders something that must fail, and demands that the folder is as it was.
#[track_caller]
fn fails(product: &Product, args: &[&str], exit: i32, code: &str) -> String {
    let before = product.names();
    let ran = product.run(args);
    let message = ran.failed(exit, code);
    assert_eq!(product.names(), before, "nothing is left behind");
    message
}

#[track_caller]
fn source_fails(product: &Product, source: &Path, exit: i32, code: &str) -> String {
    fails(
        product,
        &["render", source.to_str().unwrap(), "-o", "out.mp4", "--approve", "yes"],
        exit,
        code,
    )
}

#[test]
fn sources_that_are_no_files() {
    let product = Product::new();
    let missing = source_fails(&product, &product.path("missing.mp4"), 3, "source_not_found");
    assert!(missing.contains("missing.mp4"), "{missing}");
    fs::create_dir(product.path("folder.mp4")).unwrap();
    source_fails(&product, &product.path("folder.mp4"), 3, "source_not_found");
    assert!(Command::new("mkfifo").arg(product.path("pipe.mp4")).status().unwrap().success());
    source_fails(&product, &product.path("pipe.mp4"), 3, "source_not_found");
}

#[test]
fn files_that_are_no_video() {
    let product = Product::new();
    let segment = plain(product.path("segment.mp4"));
    let cases = [
        ("empty.mp4", Vec::new(), "empty"),
        ("text.mp4", b"This is a letter and not a film.\n".repeat(40), "text"),
        (
            "list.mp4",
            format!("#EXTM3U\n#EXTINF:1,\nfile://{}\n#EXT-X-ENDLIST\n", segment.display())
                .into_bytes(),
            "playlist",
        ),
        (
            "concat.mp4",
            format!("ffconcat version 1.0\nfile {}\n", segment.display()).into_bytes(),
            "",
        ),
        (
            "drawing.mp4",
            b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".to_vec(),
            "",
        ),
        ("picture.mp4", b"\x89PNG\r\n\x1a\n0000".to_vec(), ""),
        (
            "noise.mp4",
            (0..4096u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect(),
            "",
        ),
    ];
    for (name, bytes, word) in cases {
        let source = product.write(name, bytes);
        let message = source_fails(&product, &source, 3, "unsupported_source");
        assert!(message.contains(word), "{name}: {message}");
    }
}

#[test]
fn sound_alone_is_no_video() {
    let product = Product::new();
    let source = make(product.path("sound.mp4"), "-f lavfi -i sine=duration=1 -c:a aac");
    let message = source_fails(&product, &source, 3, "unsupported_source");
    assert!(message.contains("video"), "{message}");
}

#[test]
fn a_truncated_file_never_becomes_a_short_film() {
    let product = Product::new();
    let whole = product.path("whole.mp4");
    make(
        whole.clone(),
        "-f lavfi -i testsrc2=size=320x180:rate=25:duration=4 -f lavfi -i sine=duration=4 -c:v libx264 -g 25 -pix_fmt yuv420p -c:a aac -movflags +faststart",
    );
    let bytes = fs::read(&whole).unwrap();
    for percent in [10, 40, 70, 95] {
        let source = product.write("cut.mp4", &bytes[..bytes.len() * percent / 100]);
        source_fails(&product, &source, 3, "unsupported_source");
    }
    // Without the index at the front, everything after it is unreadable.
    make(product.path("back.mp4"), &format!("-i {} -c copy", whole.display()));
    let bytes = fs::read(product.path("back.mp4")).unwrap();
    let source = product.write("cut.mp4", &bytes[..bytes.len() / 2]);
    source_fails(&product, &source, 3, "unsupported_source");
}

#[test]
fn a_film_without_frames() {
    let product = Product::new();
    let source = make(
        product.path("none.mp4"),
        "-f lavfi -i testsrc2=size=320x180:rate=25 -frames:v 0 -t 0 -c:v libx264 -f mp4 -movflags +empty_moov",
    );
    source_fails(&product, &source, 3, "unsupported_source");
}

#[test]
fn texts() {
    let product = Product::new();
    let source = plain(product.path("in.mp4"));
    let source = source.to_str().unwrap();
    let long = "a".repeat(10_000);
    for text in ["", "   ", &long, "line\u{7}bell"] {
        let args = ["render", source, "-o", "out.mp4", "--approve", "yes", "--text", text];
        fails(&product, &args, 3, "invalid_field");
    }
}

#[test]
fn outputs_that_cannot_be_written() {
    let product = Product::new();
    let source = plain(product.path("in.mp4"));
    let source = source.to_str().unwrap();
    product.write("there.mp4", "precious");
    fs::create_dir(product.path("folder")).unwrap();
    for (output, code) in [
        ("there.mp4", "output_exists"),
        ("no/such/folder/out.mp4", "output_unwritable"),
        ("folder", "output_unwritable"),
        ("in.mp4", "output_unwritable"),
        ("in.mp4/out.mp4", "output_unwritable"),
        ("/proc/out.mp4", "output_unwritable"),
    ] {
        fails(&product, &["render", source, "-o", output, "--approve", "yes"], 3, code);
    }
    assert_eq!(fs::read(product.path("there.mp4")).unwrap(), b"precious");
    product.run(&["render", source, "-o", "there.mp4", "--overwrite", "--resolution", "720p"]).ok();
}

#[test]
fn only_a_regular_file_is_replaced() {
    let product = Product::new();
    let source = plain(product.path("in.mp4"));
    let victim = product.write("victim.mp4", "precious");
    std::os::unix::fs::symlink(&victim, product.path("link.mp4")).unwrap();
    assert!(Command::new("mkfifo").arg(product.path("pipe.mp4")).status().unwrap().success());
    for output in ["link.mp4", "pipe.mp4", "/dev/null"] {
        let args = ["render", source.to_str().unwrap(), "-o", output, "--overwrite"];
        fails(&product, &args, 3, "output_unwritable");
    }
    assert_eq!(fs::read(&victim).unwrap(), b"precious");
    assert!(fs::symlink_metadata(product.path("link.mp4")).unwrap().is_symlink());
}

#[test]
fn a_full_disk() {
    let product = Product::new();
    let source = plain(product.path("in.mp4"));
    let disk = product.path("disk");
    fs::create_dir(&disk).unwrap();
    // A file system of 64 KiB; the output needs more.
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
        .arg(&disk)
        .output()
        .unwrap();
    if !mounted.status.success() {
        eprintln!("skipped: mounting a small file system needs root");
        return;
    }
    let ran = product.run(&["render", source.to_str().unwrap(), "-o", "disk/out.mp4"]);
    let left = fs::read_dir(&disk).unwrap().count();
    assert!(Command::new("umount").arg(&disk).status().unwrap().success());
    let message = ran.failed(5, "storage_full");
    assert!(message.contains("full"), "{message}");
    assert_eq!(left, 0, "partial files are removed");
}

#[test]
fn ffmpeg_missing_or_too_old() {
    let product = Product::new();
    let source = plain(product.path("in.mp4"));
    let args = ["render", source.to_str().unwrap(), "-o", "out.mp4", "--json"];
    let before = product.names();
    let output = product.command(&args).env("PATH", "/nowhere").output().unwrap();
    assert_eq!(output.status.code(), Some(5));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("error[ffmpeg_unavailable]") && text.contains("ffmpeg"), "{text}");
    assert_eq!(product.names(), before);

    // The jail runs nothing but a real program, so an old ffmpeg is compiled.
    let code = product.write(
        "old.c",
        "#include <stdio.h>\nint main(void) { puts(\"ffmpeg version 4.4.1-0 Copyright\\nlibavcodec     58.134.100 / 58.134.100\"); }\n",
    );
    let old = product.path("old-ffmpeg");
    assert!(Command::new("cc").arg("-o").arg(&old).arg(code).status().unwrap().success());
    product.write("host.toml", format!("[media]\nffmpeg = \"{}\"\n", old.display()));
    let args = ["render", source.to_str().unwrap(), "-o", "out.mp4", "--chain", "host.toml"];
    let message = fails(&product, &args, 5, "ffmpeg_unavailable");
    assert!(message.contains("4.4") && message.contains("5.1"), "{message}");

    product.write("host.toml", "[media]\nffmpeg = \"/no/such/ffmpeg\"\n");
    let message = fails(&product, &args, 5, "ffmpeg_unavailable");
    assert!(message.contains("/no/such/ffmpeg"), "{message}");
}

#[test]
fn plugins_that_cannot_be_used() {
    let product = Product::new();
    let source = plain(product.path("in.mp4"));
    let args = ["render", source.to_str().unwrap(), "-o", "out.mp4", "--chain", "host.toml"];
    let encode = product::plugins().join("encode-standard.wasm");
    let whole = fs::read(&encode).unwrap();
    product.write("cut.wasm", &whole[..whole.len() / 2]);
    product.write("text.wasm", "not a component");
    product.write("core.wasm", b"\0asm\x01\0\0\0");
    product.write("empty.wasm", "");
    for (place, word) in [
        ("missing.wasm".to_owned(), "missing.wasm"),
        ("cut.wasm".to_owned(), "cut.wasm"),
        ("text.wasm".to_owned(), "text.wasm"),
        ("core.wasm".to_owned(), "core.wasm"),
        ("empty.wasm".to_owned(), "empty.wasm"),
        ("no-such-plugin".to_owned(), "no-such-plugin"),
        // A plugin that is made for another stage.
        (encode.to_str().unwrap().to_owned(), "watermark stage"),
    ] {
        product.write("host.toml", format!("[chain]\nwatermark = \"{place}\"\n"));
        let message = fails(&product, &args, 5, "plugin_unusable");
        assert!(message.contains(word), "{place}: {message}");
    }
}

#[test]
fn configurations_that_are_wrong() {
    let product = Product::new();
    let source = plain(product.path("in.mp4"));
    let args = ["render", source.to_str().unwrap(), "-o", "out.mp4", "--chain", "host.toml"];
    for (text, words) in [
        ("[chain]\nencoder = \"x\"\n", ["line 2", "encoder"]),
        ("speed = 1\n", ["line 1", "speed"]),
        ("[plugins.encode-standard]\ncolour = 1\n", ["line 2", "colour"]),
        ("[limits]\nmemory = 1\n", ["line 2", "memory"]),
        ("[limits]\nmemory_bytes = -1\n", ["line 2", ""]),
        ("= = =\n", ["line 1", ""]),
        ("[plugins.encode-standard.parameters]\nquality = 99\n", ["encode-standard", "quality"]),
        (
            "[plugins.encode-standard.parameters]\nquality = \"good\"\n",
            ["encode-standard", "quality"],
        ),
        ("[plugins.encode-standard.parameters]\nqualty = 20\n", ["encode-standard", "qualty"]),
        ("[plugins.encode-standrad.parameters]\nquality = 20\n", ["encode-standrad", ""]),
        ("[limits]\nhandles = 0\n", ["handles", ""]),
        ("[media]\nmemory_bytes = 1000\n", ["memory_bytes", ""]),
        ("cache_dir = \"/proc/nowhere\"\n", ["/proc/nowhere", ""]),
    ] {
        product.write("host.toml", text);
        let message = fails(&product, &args, 5, "config_invalid");
        assert!(words.iter().all(|word| message.contains(word)), "{text:?}: {message}");
    }
    fs::remove_file(product.path("host.toml")).unwrap();
    fails(&product, &args, 5, "config_invalid");
}
