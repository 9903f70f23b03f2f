//! A plugin that misbehaves with the frames or with the packets that it makes
//! is stopped and named; there is no wrong file, and nothing is left behind.

use std::path::PathBuf;

use product_tests::sources::make;
use product_tests::{Product, Ran, product};

/// Where the fixture does what it is told.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// In a call of its filter with a frame.
    Filter,
    /// In a call of its encoder with a frame. Its packets are no pictures, and
    /// it is the only muxer that takes them.
    Encoder,
}

struct Host {
    product: Product,
    source: PathBuf,
}

impl Host {
    fn new() -> Self {
        let product = Product::new();
        let source = make(
            product.path("in.mp4"),
            "-f lavfi -i testsrc2=size=320x180:rate=25:duration=0.4 -f lavfi -i sine=duration=0.4 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac",
        );
        Self { product, source }
    }

    fn render(&self, place: Place, mode: &str, limits: &str) -> Ran {
        let fixture = product::fixture("hostile");
        let fixture = fixture.display();
        let (chain, stage) = match place {
            Place::Filter => (format!("watermark = \"{fixture}\""), "filter"),
            Place::Encoder => (format!("encode = \"{fixture}\"\nmux = \"{fixture}\""), "encoder"),
        };
        let config = format!(
            "[chain]\n{chain}\n[plugins.hostile.parameters]\nmode = \"{mode}\"\nstage = \"{stage}\"\n[limits]\n{limits}\n"
        );
        self.product.write("host.toml", config);
        let mut args = vec!["render", self.source.to_str().unwrap(), "-o", "out.mp4"];
        args.extend(["--resolution", "720p", "--chain", "host.toml"]);
        args.extend(["--text", "X", "--approve", "yes"]);
        self.product.run(&args)
    }

    /// Demands that the plugin is named with these words, and that nothing is
    /// left.
    #[track_caller]
    fn is_blamed(&self, place: Place, mode: &str, words: &str) {
        let ran = self.render(place, mode, "");
        let message = ran.failed(4, "plugin_failed");
        assert_eq!(ran.json["error"]["details"]["plugin"], "hostile", "{mode}: {}", ran.json);
        assert!(message.contains("hostile") && message.contains(words), "{mode}: {message}");
        assert_eq!(self.product.names(), ["host.toml", "in.mp4"], "{mode}");
    }

    /// Demands that this limit stops the plugin, and that nothing is left.
    #[track_caller]
    fn is_limited(&self, place: Place, mode: &str, limits: &str, limit: &str) {
        let ran = self.render(place, mode, limits);
        let message = ran.failed(4, "plugin_failed");
        let details = &ran.json["error"]["details"];
        assert_eq!(details["plugin"], "hostile", "{mode}: {details}");
        assert_eq!(details["limit"], limit, "{mode}: {message} {details}");
        let allowed = details["allowed"].as_u64().unwrap();
        assert!(details["used"].as_u64().unwrap() >= allowed && allowed > 0, "{details}");
        assert_eq!(self.product.names(), ["host.toml", "in.mp4"], "{mode}");
    }
}

#[test]
fn frames_that_are_not_those_that_came() {
    let host = Host::new();
    host.is_blamed(Place::Filter, "frames_many", "returned 2 frames when 1 had come");
    host.is_blamed(Place::Filter, "frames_lost", "held back 1 frames");
    host.is_blamed(Place::Filter, "frames_held", "look-ahead of its plan is 0");
    host.is_blamed(Place::Filter, "frame_stale", "a handle that it had dropped");
}

#[test]
fn samples_that_a_frame_does_not_have() {
    let host = Host::new();
    host.is_blamed(Place::Filter, "frame_outside", "leaves plane 0 of 1280x720");
    host.is_blamed(Place::Filter, "frame_wrong_length", "has 4 samples");
    host.is_blamed(Place::Filter, "bad_argument", "sides of a picture");
    host.is_blamed(Place::Encoder, "frame_outside", "leaves plane 0 of");
    host.is_blamed(Place::Encoder, "frame_stale", "a handle that it had dropped");
}

#[test]
fn packets_that_are_not_those_of_the_frames() {
    let host = Host::new();
    host.is_blamed(Place::Encoder, "packets_many", "after one decoded at 0");
    host.is_blamed(Place::Encoder, "packets_lost", "no packet for 10 frames");
    host.is_blamed(Place::Encoder, "packets_unordered", "after one decoded at 0");
    host.is_blamed(Place::Encoder, "packet_late", "the time of no frame");
    host.is_blamed(Place::Encoder, "packet_not_sync", "not a sync one");
}

#[test]
fn crashes_are_quoted() {
    let host = Host::new();
    for place in [Place::Filter, Place::Encoder] {
        host.is_blamed(place, "panic", "this fixture panics");
        host.is_blamed(place, "exits", "exited");
    }
}

#[test]
fn each_limit_holds_in_the_middle_of_a_film() {
    let host = Host::new();
    for place in [Place::Filter, Place::Encoder] {
        host.is_limited(place, "endless_loop", "frame_time_ms = 500", "plugin_time");
        host.is_limited(place, "sleeps", "frame_wall_per_call_ms = 500", "wall_time");
        host.is_limited(place, "memory_hog", "frame_time_ms = 20000", "memory");
        host.is_limited(place, "deep_recursion", "frame_time_ms = 20000", "stack");
        host.is_limited(place, "handle_leak", "frame_time_ms = 20000", "handles");
    }
    let little = "frame_bytes = 20000000\nframe_time_ms = 20000";
    host.is_limited(Place::Filter, "frames_hoarded", little, "frames");
    host.is_limited(Place::Encoder, "packets_hoarded", little, "frames");
    host.is_limited(Place::Encoder, "frames_hoarded", "frame_time_ms = 20000", "handles");
}

#[test]
fn the_fixture_renders_when_it_behaves() {
    // Without this the tests above could all fail for one dull reason.
    let host = Host::new();
    for mode in ["frames_identity", "frames_rectangle", "frames_planes"] {
        let report = host.render(Place::Filter, mode, "").ok();
        assert_eq!(report["frames"], 10, "{mode}");
        std::fs::remove_file(host.product.path("out.mp4")).unwrap();
    }
    // Its packets are taken, and then its file is no film: no file appears.
    host.is_blamed(Place::Encoder, "well_behaved", "cannot be read as mp4");
}

#[test]
fn a_codec_that_the_muxer_does_not_know_is_no_fault_of_the_source() {
    let host = Host::new();
    let config = format!(
        "[chain]\nencode = \"{}\"\n[plugins.hostile.parameters]\nstage = \"encoder\"\n",
        product::fixture("hostile").display()
    );
    host.product.write("host.toml", config);
    let ran = host.product.render(&host.source, &["--chain", "host.toml"]);
    let message = ran.failed(4, "plugin_failed");
    assert!(message.contains("mux-isobmff") && message.contains("`mjpg`"), "{message}");
    assert_eq!(host.product.names(), ["host.toml", "in.mp4"]);
}
