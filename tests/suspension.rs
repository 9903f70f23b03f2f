//! A render waits for a person, through any number of processes, and goes on
//! only as it was.

use std::fs;
use std::path::{Path, PathBuf};

use product_tests::sources::plain;
use product_tests::{Product, Ran, product};
use serde_json::Value;

/// A render that waits, with a plugin folder and configuration of its own.
struct Waiting {
    product: Product,
    file: PathBuf,
}

impl Waiting {
    fn new() -> Self {
        Self::with_config("")
    }

    fn with_config(more: &str) -> Self {
        let product = Product::new();
        fs::create_dir(product.path("plugins")).unwrap();
        for name in ["encode-standard", "watermark-overlay", "mux-isobmff"] {
            let file = format!("{name}.wasm");
            fs::copy(product::plugins().join(&file), product.path("plugins").join(&file)).unwrap();
        }
        product.write("host.toml", format!("plugin_dir = \"plugins\"\n{more}"));
        let source = plain(product.path("in.mp4"));
        let ran = product.run(&[
            "render",
            source.to_str().unwrap(),
            "-o",
            "out.mp4",
            "--resolution",
            "720p",
            "--text",
            "CONFIDENTIAL",
            "--approve",
            "later",
            "--chain",
            "host.toml",
        ]);
        assert_eq!(ran.code, 7, "{ran:?}");
        assert!(!product.path("out.mp4").exists(), "nothing is made before the answer");
        let file = PathBuf::from(ran.json["suspended"]["file"].as_str().unwrap());
        Self { product, file }
    }

    fn resume(&self, answer: &str) -> Ran {
        self.product.run(&[
            "resume",
            self.file.to_str().unwrap(),
            "--approve",
            answer,
            "--chain",
            "host.toml",
        ])
    }

    /// Replaces an installed plugin by one that does the same but has another
    /// digest: the component with a custom section appended.
    fn replace_plugin(&self, name: &str) {
        let file = self.product.path("plugins").join(format!("{name}.wasm"));
        let mut component = fs::read(&file).unwrap();
        component.extend([0, 5, 3, b'n', b'e', b'w', 0]);
        fs::write(file, component).unwrap();
    }

    fn pinned_digest(&self, stage: &str) -> String {
        let stored: Value = serde_json::from_slice(&fs::read(&self.file).unwrap()).unwrap();
        stored["pins"][stage]["digest"].as_str().unwrap().to_owned()
    }

    fn stored_plugins(&self) -> PathBuf {
        self.file.with_extension("plugins")
    }

    /// Demands that resuming is refused, that the message has this word, that
    /// nothing was made and that the stored render is still there.
    #[track_caller]
    fn is_refused(&self, word: &str) {
        let message = self.resume("yes").failed(3, "resume_refused");
        assert!(message.contains(word), "{message}");
        assert!(self.file.exists() && !self.product.path("out.mp4").exists());
    }
}

#[test]
fn yes_goes_on_in_another_process_and_leaves_only_the_output() {
    let waiting = Waiting::new();
    let report = waiting.resume("yes").ok();
    assert_eq!(report["frames"], 50);
    assert_eq!(report["watermark_applied"], true);
    assert_eq!(waiting.product.names(), ["host.toml", "in.mp4", "out.mp4", "plugins"]);
}

#[test]
fn no_ends_with_its_code_and_leaves_no_file() {
    let waiting = Waiting::new();
    waiting.resume("no").failed(6, "watermark_rejected");
    assert_eq!(waiting.product.names(), ["host.toml", "in.mp4", "plugins"]);
}

#[test]
fn the_same_answer_without_waiting() {
    let product = Product::new();
    let source = plain(product.path("in.mp4"));
    let rejected = product.render(&source, &["--text", "X", "--approve", "no"]);
    rejected.failed(6, "watermark_rejected");
    assert_eq!(product.names(), ["in.mp4"]);
}

#[test]
fn the_pinned_plugin_runs_though_another_is_active() {
    let waiting = Waiting::new();
    let pinned = waiting.pinned_digest("watermark");
    waiting.replace_plugin("watermark-overlay");
    let report = waiting.resume("yes").ok();
    assert_eq!(report["plugins"]["watermark"]["digest"], pinned);
}

#[test]
fn a_digest_that_is_nowhere_is_refused() {
    let waiting = Waiting::new();
    let pinned = waiting.pinned_digest("watermark");
    waiting.replace_plugin("watermark-overlay");
    fs::remove_dir_all(waiting.stored_plugins()).unwrap();
    waiting.is_refused(&pinned);
}

#[test]
fn a_pinned_plugin_that_was_tampered_with_is_not_run() {
    let waiting = Waiting::new();
    let pinned = waiting.pinned_digest("watermark");
    waiting.replace_plugin("watermark-overlay");
    let kept = waiting.stored_plugins().join(format!("{}.wasm", pinned.replace(':', "-")));
    fs::write(kept, b"\0asm").unwrap();
    waiting.is_refused(&pinned);
}

#[test]
fn other_parameters_are_refused() {
    let waiting = Waiting::new();
    waiting.product.write(
        "host.toml",
        "plugin_dir = \"plugins\"\n[plugins.encode-standard.parameters]\nquality = 30\n",
    );
    waiting.is_refused("parameters of `encode-standard`");
}

#[test]
fn other_grants_are_refused() {
    let waiting = Waiting::new();
    waiting.product.write(
        "host.toml",
        "plugin_dir = \"plugins\"\n[[plugins.watermark-overlay.grants.read_only]]\nhost = \"/usr/share\"\nguest = \"/share\"\n",
    );
    waiting.is_refused("grants of `watermark-overlay`");
}

#[test]
fn another_chain_is_refused() {
    let waiting = Waiting::new();
    let plugins = waiting.product.path("plugins");
    fs::copy(plugins.join("watermark-overlay.wasm"), plugins.join("watermark-other.wasm")).unwrap();
    waiting
        .product
        .write("host.toml", "plugin_dir = \"plugins\"\n[chain]\nwatermark = \"watermark-other\"\n");
    waiting.is_refused("`watermark-other`");
}

#[test]
fn another_source_is_refused() {
    let waiting = Waiting::new();
    let source = waiting.product.path("in.mp4");
    let mut bytes = fs::read(&source).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&source, bytes).unwrap();
    waiting.is_refused("source file has changed");
}

#[test]
fn a_damaged_stored_render_is_refused() {
    let waiting = Waiting::new();
    let text = fs::read_to_string(&waiting.file).unwrap();
    let later = text.replace("\"format\":2", "\"format\":3");
    assert_ne!(text, later, "another version of the file says so");
    for damaged in [&text[..text.len() / 2], "", "{}", &later] {
        fs::write(&waiting.file, damaged).unwrap();
        waiting.is_refused("");
    }
}

#[test]
fn an_answer_after_the_deadline_comes_too_late() {
    let waiting = Waiting::with_config("[approval]\ndeadline_seconds = 0\n");
    waiting.resume("yes").failed(6, "approval_expired");
    assert_eq!(waiting.product.names(), ["host.toml", "in.mp4", "plugins"]);
}

#[test]
fn a_stored_render_is_answered_once() {
    let waiting = Waiting::new();
    let file = waiting.file.to_str().unwrap().to_owned();
    let args = ["resume", &file, "--approve", "yes", "--chain", "host.toml", "--json"];
    let both = [(); 2].map(|()| {
        waiting
            .product
            .command(&args)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap()
    });
    let mut codes = both.map(|mut child| child.wait().unwrap().code().unwrap());
    codes.sort_unstable();
    assert_eq!(codes, [0, 3], "one goes on, the other is refused");
    assert!(waiting.product.path("out.mp4").exists());
}

#[test]
fn a_stored_render_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let waiting = Waiting::new();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&waiting.file), 0o600);
}

#[test]
fn a_waiting_render_is_not_replaced_by_another() {
    let waiting = Waiting::new();
    let source = waiting.product.path("in.mp4");
    let again = ["--text", "Other", "--approve", "later", "--chain", "host.toml"];
    waiting.product.render(&source, &again).failed(3, "output_exists");
    let report = waiting.resume("yes").ok();
    assert_eq!(report["watermark_applied"], true);
}

#[test]
fn only_what_was_stored_is_removed() {
    let waiting = Waiting::new();
    let own = waiting.stored_plugins().join("notes.txt");
    fs::write(&own, "mine").unwrap();
    waiting.resume("no").failed(6, "watermark_rejected");
    assert_eq!(fs::read(&own).unwrap(), b"mine");
    assert_eq!(fs::read_dir(waiting.stored_plugins()).unwrap().count(), 1);
}

#[test]
fn a_file_in_the_place_of_the_preview_is_not_touched() {
    let product = Product::new();
    let source = plain(product.path("in.mp4"));
    let victim = product.write("victim", "precious");
    std::os::unix::fs::symlink(&victim, product.path("out.mp4.preview.png")).unwrap();
    product.render(&source, &["--text", "X", "--approve", "later"]).failed(3, "output_exists");
    assert_eq!(fs::read(&victim).unwrap(), b"precious");
    assert_eq!(product.names(), ["in.mp4", "out.mp4.preview.png", "victim"]);
}

#[test]
fn what_is_no_stored_render_is_refused_at_once() {
    let product = Product::new();
    let pipe = product.path("pipe.suspended.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let other = product.write("other.json", "{}");
    for file in [pipe, other, product.path("missing.suspended.json")] {
        product
            .run(&["resume", file.to_str().unwrap(), "--approve", "yes"])
            .failed(3, "resume_refused");
    }
}
