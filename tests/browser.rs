//! Films play and seek in a browser, which starts once a test.

use std::path::Path;

use product_tests::chromium::{self, Film};
use product_tests::{Product, numbered, sources};

const VP9: &str =
    "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 20 -b:v 300k -c:a libopus -ac 2";
const H264: &str = "-c:v libx264 -preset veryfast -g 20 -c:a aac -ac 2";

/// What the product writes plays and seeks to the very frame, with and without a mark.
#[test]
fn films_play_and_seek() {
    let product = Product::new();
    let chain = product.write(
        "fast.toml",
        "[plugins.encode-standard.parameters]\npreset = \"ultrafast\"\ngop_seconds = 2\ncopy = \"never\"\n",
    );
    let source = |name: &str, rate: &str| {
        let codecs = "-c:v libx264 -preset ultrafast -crf 10 -c:a aac -ac 2";
        numbered::film(product.path(name), (320, 180), rate, 5, codecs)
    };
    let steady = source("steady.mp4", "25");
    let ntsc = source("ntsc.mp4", "30000/1001");
    let marked = &["--text", "CONFIDENTIAL", "--approve", "yes"][..];
    let renders = [
        (&steady, "steady.webm", marked, 25.0, 125),
        (&ntsc, "ntsc.webm", &[], 30_000.0 / 1001.0, 150),
        (&ntsc, "marked-ntsc.mp4", marked, 30_000.0 / 1001.0, 150),
    ];
    for (source, name, mark, _, _) in renders {
        let mut words = vec!["render", source.to_str().unwrap(), "-o", name];
        words.extend(["--resolution", "720p", "--chain", chain.to_str().unwrap()]);
        words.extend(mark);
        product.run(&words).ok();
    }
    let files = renders.map(|(_, name, ..)| product.path(name));
    let films: Vec<Film<'_>> = files
        .iter()
        .zip(&renders)
        .map(|(file, (.., rate, frames))| Film {
            file,
            seeks: chromium::everywhere(*rate, *frames),
            plays_from: Some(4.0),
        })
        .collect();
    let Some(watched) = chromium::watch(&films) else { return };
    for (watched, (_, name, _, rate, frames)) in watched.iter().zip(renders) {
        let faults = watched.faults((1280, 720), rate, frames);
        assert!(faults.is_empty(), "{name}: {faults:#?}");
    }
}

/// The judge itself is right: what ffmpeg writes well passes, what is broken does not.
#[test]
fn the_browser_tells_good_films_from_bad_ones() {
    let dir = tempfile::tempdir().unwrap();
    let film = |name: &str, codecs: &str| {
        numbered::film(dir.path().join(name), (320, 180), "25", 3, codecs)
    };
    let mp4 = film("good.mp4", &format!("{H264} -movflags +faststart"));
    let webm = film("good.webm", &format!("{VP9} -cues_to_front 1"));
    let copied = |name: &str, how: &str| {
        sources::make(dir.path().join(name), &format!("-i {} -c copy {how}", webm.display()))
    };
    // What a muxer writes that cannot go back: neither Cues nor Duration.
    let live = copied("live.webm", "-live 1");
    // Every frame a fifth of a second late.
    let late = copied("late.webm", "-bsf:v setts=ts=TS+200");
    // One tenth faster than its sound.
    let fast = copied("fast.webm", "-bsf:v setts=ts=TS*0.9");
    let torn = dir.path().join("torn.webm");
    let bytes = std::fs::read(&webm).unwrap();
    std::fs::write(&torn, &bytes[..bytes.len() / 2]).unwrap();

    let files = [&mp4, &webm, &live, &late, &fast, &torn];
    let films: Vec<Film<'_>> = files
        .iter()
        .map(|file| Film {
            file,
            seeks: chromium::everywhere(25.0, 75),
            plays_from: name(file).starts_with("good").then_some(2.0),
        })
        .collect();
    let Some(watched) = chromium::watch(&films) else { return };
    for (film, watched) in films.iter().zip(&watched) {
        let name = name(film.file);
        let faults = watched.faults((320, 180), 25.0, 75);
        eprintln!("{name}: {faults:#?}");
        assert_eq!(faults.is_empty(), name.starts_with("good"), "{name}: {watched:#?}");
    }
}

fn name(file: &Path) -> String {
    file.file_name().unwrap().to_string_lossy().into_owned()
}
