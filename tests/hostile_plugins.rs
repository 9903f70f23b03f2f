//! A hostile plugin is stopped and named; nothing is left behind.
//!
//! One component misbehaves in the way that its parameter `mode` says, in the
//! stage that `stage` says. That the host and a render beside it go on is
//! tested where both run in one process, in `host/server`.

use std::path::PathBuf;

use product_tests::sources::plain;
use product_tests::{Product, Ran, product};

struct Host {
    product: Product,
    source: PathBuf,
}

impl Host {
    fn new() -> Self {
        let product = Product::new();
        let source = plain(product.path("in.mp4"));
        Self { product, source }
    }

    fn render(&self, stage: &str, mode: &str, more: &str) -> Ran {
        let config = format!(
            "[chain]\n{stage} = \"{}\"\n[plugins.hostile.parameters]\nmode = \"{mode}\"\nstage = \"{stage}\"\n{more}",
            product::fixture("hostile").display()
        );
        self.product.write("host.toml", config);
        self.product.run(&[
            "render",
            self.source.to_str().unwrap(),
            "-o",
            "out.mp4",
            "--resolution",
            "720p",
            "--text",
            "X",
            "--approve",
            "yes",
            "--chain",
            "host.toml",
        ])
    }

    #[track_caller]
    fn leaves_nothing(&self) {
        assert_eq!(self.product.names(), ["host.toml", "in.mp4"]);
    }

    /// Demands that the plugin is stopped by this limit, and told by how much.
    #[track_caller]
    fn is_limited(&self, stage: &str, mode: &str, more: &str, limit: &str) {
        let ran = self.render(stage, mode, more);
        let message = ran.failed(4, "plugin_failed");
        let details = &ran.json["error"]["details"];
        assert_eq!(details["plugin"], "hostile", "{details}");
        assert_eq!(details["limit"], limit, "{message} {details}");
        assert!(message.contains("hostile"), "{message}");
        let allowed = details["allowed"].as_u64().unwrap();
        assert!(details["used"].as_u64().unwrap() >= allowed && allowed > 0, "{details}");
        self.leaves_nothing();
    }

    /// Demands that the plugin is blamed with a message that has this word.
    #[track_caller]
    fn is_blamed(&self, stage: &str, mode: &str, word: &str) {
        let message = self.render(stage, mode, "").failed(4, "plugin_failed");
        assert!(message.contains("hostile") && message.contains(word), "{mode}: {message}");
        self.leaves_nothing();
    }
}

#[test]
fn an_endless_loop() {
    let host = Host::new();
    for stage in ["encode", "watermark"] {
        host.is_limited(stage, "endless_loop", "", "plugin_time");
    }
    host.is_limited("mux", "endless_loop", "[limits]\nmux_time_ms = 500\n", "plugin_time");
}

#[test]
fn a_plugin_that_sleeps() {
    Host::new().is_limited("watermark", "sleeps", "[limits]\nwall_time_ms = 500\n", "wall_time");
}

#[test]
fn a_memory_hog() {
    Host::new().is_limited(
        "watermark",
        "memory_hog",
        "[limits]\nplugin_time_ms = 20000\n",
        "memory",
    );
}

#[test]
fn deep_recursion() {
    Host::new().is_limited("watermark", "deep_recursion", "", "stack");
}

#[test]
fn a_panic_is_quoted() {
    Host::new().is_blamed("watermark", "panic", "crashed");
}

#[test]
fn a_state_that_is_too_large() {
    Host::new().is_limited("watermark", "huge_state", "", "state");
}

#[test]
fn handles_that_are_never_given_back() {
    Host::new().is_limited("watermark", "handle_leak", "", "handles");
}

#[test]
fn endless_output() {
    Host::new().is_limited("mux", "endless_output", "[limits]\noutput_bytes = 4000000\n", "output");
}

#[test]
fn an_endless_log_is_cut_and_harms_nobody() {
    let host = Host::new();
    let ran = host.render("watermark", "endless_log", "[limits]\nplugin_time_ms = 20000\n");
    ran.ok();
}

#[test]
fn broken_contracts() {
    let host = Host::new();
    for (mode, word) in [
        ("wrong_plan", "plan"),
        ("overlay_outside", "raster"),
        ("changes_plan_after_yes", "plan"),
        ("asks_for_ever", "16 questions"),
        ("bad_argument", ""),
    ] {
        host.is_blamed("watermark", mode, word);
    }
}

#[test]
fn what_needs_approval_is_not_drawn_without_it() {
    let host = Host::new();
    for (mode, word) in [("ready_after_no", "no"), ("draws_without_asking", "without asking")] {
        let config = format!(
            "[chain]\nwatermark = \"{}\"\n[plugins.hostile.parameters]\nmode = \"{mode}\"\nstage = \"watermark\"\n",
            product::fixture("hostile").display()
        );
        host.product.write("host.toml", config);
        let args = ["--text", "X", "--approve", "no", "--chain", "host.toml"];
        let message = host.product.render(&host.source, &args).failed(4, "plugin_failed");
        assert!(message.contains(word), "{mode}: {message}");
        host.leaves_nothing();
    }
}

#[test]
fn the_fixture_renders_when_it_behaves() {
    // Without this the tests above could all fail for one dull reason.
    let host = Host::new();
    host.render("encode", "well_behaved", "").ok();
    std::fs::remove_file(host.product.path("out.mp4")).unwrap();
    let report = host.render("watermark", "well_behaved", "").ok();
    // It draws nothing, which is said.
    assert!(Ran::warnings(&report).contains(&"watermark_not_applied".to_owned()), "{report}");
    std::fs::remove_file(host.product.path("out.mp4")).unwrap();
    // The file that it writes is packets and no more: the muxer is to blame.
    host.is_blamed("mux", "well_behaved", "wrote");
}
