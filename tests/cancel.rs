//! A render that is cancelled ends at once, whichever way it was being made:
//! no process, no draft and no half film is left.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use product_tests::sources::make;
use product_tests::{Product, processes, product};

/// It takes less than a second; a machine that is busy with other tests may
/// take its time to run anything at all.
const SOON: Duration = Duration::from_secs(5);

/// A way to make a film.
struct Way {
    name: &'static str,
    /// What the configuration says.
    chain: String,
    /// What else is asked for.
    more: &'static [&'static str],
    /// How many ffmpegs work on it at the same time.
    ffmpegs: usize,
}

const MARKED: [&str; 6] = ["--resolution", "4k", "--text", "X", "--approve", "yes"];

fn ways() -> Vec<Way> {
    let fixture = product::fixture("hostile");
    // A copy is made in no time, so its muxer sleeps.
    let sleeping = format!(
        "[chain]\nmux = \"{}\"\n[plugins.hostile.parameters]\nmode = \"sleeps\"\nstage = \"muxer\"\n",
        fixture.display()
    );
    vec![
        Way { name: "fused", chain: String::new(), more: &MARKED, ffmpegs: 1 },
        Way {
            name: "framed",
            chain: "[chain]\nwatermark = \"watermark-tile\"\n".into(),
            more: &MARKED,
            ffmpegs: 2,
        },
        Way {
            name: "encoded by a plugin",
            chain: "[chain]\nencode = \"encode-mjpeg\"\n".into(),
            more: &MARKED,
            ffmpegs: 1,
        },
        Way { name: "copied", chain: sleeping, more: &["--resolution", "720p"], ffmpegs: 0 },
    ]
}

/// Half a minute that could be passed on as it is.
fn source(file: PathBuf) -> PathBuf {
    make(
        file,
        "-f lavfi -i testsrc2=size=1280x720:rate=30:duration=30 -f lavfi -i sine=duration=30:sample_rate=48000 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv -c:a aac -ac 2",
    )
}

fn is_drafted(product: &Product) -> bool {
    product.names().iter().any(|name| name.ends_with(".part"))
}

#[track_caller]
fn is_cancelled(product: &Product, source: &Path, way: &Way, signal: &str) {
    let case = format!("{}, SIG{signal}", way.name);
    product.write("host.toml", &way.chain);
    let mut args = vec!["render", source.to_str().unwrap(), "-o", "out.mp4"];
    args.extend(["--chain", "host.toml"]);
    args.extend(way.more);
    let mut command = product.command(&args);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // In the middle of the work: what makes the film runs, and its draft is there.
    let mut ffmpegs = Vec::new();
    processes::wait_until(|| {
        assert!(child.try_wait().unwrap().is_none(), "{case}: it ended by itself");
        ffmpegs = processes::ffmpegs(child.id());
        ffmpegs.len() >= way.ffmpegs && is_drafted(product)
    });
    let started = Instant::now();
    processes::send(signal, child.id());
    let ended = child.wait().unwrap();
    let took = started.elapsed();
    assert_eq!(ended.code(), Some(130), "{case}");
    assert!(took < SOON, "{case}: it took {took:?} to end");
    for ffmpeg in ffmpegs {
        assert!(processes::is_reaped(ffmpeg), "{case}: an ffmpeg is left");
    }
    assert_eq!(product.names(), ["host.toml", "in.mp4"], "{case}");
}

#[test]
fn whatever_way_a_film_is_made_it_can_be_ended_at_once() {
    let product = Product::new();
    let source = source(product.path("in.mp4"));
    for way in ways() {
        for signal in ["INT", "TERM", "HUP"] {
            is_cancelled(&product, &source, &way, signal);
        }
    }
}
