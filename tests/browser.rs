//! Films play and seek in a browser. All in one test, so that the browser starts once.

use std::path::Path;

use product_tests::chromium::{self, Film};
use product_tests::{numbered, sources};

const VP9: &str =
    "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 20 -b:v 300k -c:a libopus -ac 2";
const H264: &str = "-c:v libx264 -preset veryfast -g 20 -c:a aac -ac 2";

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
