//! An operator swaps plugins: by name, by file, from another folder, for one
//! container only, with other parameters. What cannot work is refused with the
//! place and the reason.

use std::fs;
use std::path::PathBuf;

use product_tests::sources::make;
use product_tests::{Product, Ran, judge, product};
use serde_json::{Value, json};

struct Host {
    product: Product,
    source: PathBuf,
}

impl Host {
    fn new() -> Self {
        let product = Product::new();
        let source = make(
            product.path("in.mp4"),
            "-f lavfi -i testsrc2=size=320x180:rate=25:duration=0.4 -c:v libx264 -preset ultrafast -pix_fmt yuv420p",
        );
        Self { product, source }
    }

    fn render(&self, config: &str, out: &str, more: &[&str]) -> Ran {
        self.product.write("host.toml", config);
        let mut args = vec!["render", self.source.to_str().unwrap(), "-o", out, "--overwrite"];
        args.extend(["--resolution", "720p", "--chain", "host.toml"]);
        args.extend(more);
        self.product.run(&args)
    }

    /// Demands that a render is refused and that nothing is left of it.
    #[track_caller]
    fn refuses(&self, config: &str, out: &str, more: &[&str], code: &str, words: &[&str]) -> Ran {
        self.product.write("host.toml", config);
        let before = self.product.names();
        let ran = self.render(config, out, more);
        let exit = match code {
            "invalid_field" => 3,
            "plugin_failed" => 4,
            _ => 5,
        };
        let message = ran.failed(exit, code);
        assert!(words.iter().all(|word| message.contains(word)), "{config}: {message}");
        assert_eq!(self.product.names(), before, "{config}");
        ran
    }

    /// Puts a plugin into this test's own folder of plugins, under another name.
    fn install(&self, plugin: &str, name: &str) {
        fs::create_dir_all(self.product.path("mine")).unwrap();
        let file = product::plugins().join(format!("{plugin}.wasm"));
        fs::copy(file, self.product.path("mine").join(format!("{name}.wasm"))).unwrap();
    }
}

const TEXT: [&str; 4] = ["--text", "X", "--approve", "yes"];

#[test]
fn the_same_render_with_each_plugin() {
    let host = Host::new();
    for encode in ["encode-standard", "encode-mjpeg"] {
        for watermark in ["watermark-overlay", "watermark-tile"] {
            let config = format!("[chain]\nencode = \"{encode}\"\nwatermark = \"{watermark}\"\n");
            let report = host.render(&config, "out.mov", &TEXT).ok();
            let case = format!("{encode} {watermark}: {report}");
            assert_eq!(report["plugins"]["encode"]["name"], encode, "{case}");
            assert_eq!(report["plugins"]["watermark"]["name"], watermark, "{case}");
            assert_eq!(report["watermark_applied"], true, "{case}");
            assert_eq!(
                (&report["frames"], &report["width"], &report["height"]),
                (&json!(10), &json!(1280), &json!(720)),
                "{case}"
            );
            let video = judge::stream(&judge::probe(&host.product.path("out.mov")), "video");
            assert_eq!(judge::number(&video["nb_read_packets"]), 10.0, "{case}");
            let codec = if encode == "encode-mjpeg" { "mjpeg" } else { "h264" };
            assert_eq!(video["codec_name"], codec, "{case}");
        }
    }
}

#[test]
fn another_folder_other_names_and_parameters_for_each() {
    let host = Host::new();
    host.install("encode-standard", "rough");
    host.install("encode-standard", "exact");
    host.install("watermark-tile", "marks");
    host.install("mux-isobmff", "boxes");
    let config = "plugin_dir = \"mine\"\n[chain]\nencode = \"rough\"\nwatermark = \"marks\"\nmux = \"boxes\"\n[chain.mov]\nencode = \"mine/exact.wasm\"\n[plugins.rough.parameters]\nquality = 45\n[plugins.exact.parameters]\nlossless = true\n";
    let rough = host.render(config, "out.mp4", &TEXT).ok();
    let exact = host.render(config, "out.mov", &TEXT).ok();
    let codec = |report: &Value| report["tracks"][0]["codec"].as_str().unwrap().to_owned();
    // H.264 calls lossless a profile of its own.
    assert!(codec(&rough).starts_with("avc1.64"), "{rough}");
    assert!(codec(&exact).starts_with("avc1.f4"), "{exact}");
    // It is the same plugin, as its digest says.
    assert_eq!(rough["plugins"]["encode"]["digest"], exact["plugins"]["encode"]["digest"]);
    assert_eq!(rough["plugins"]["watermark"]["name"], "watermark-tile");

    let listed = host.product.run(&["plugin", "list", "--chain", "host.toml"]).ok();
    let rows = listed["plugins"].as_array().unwrap();
    let active = |name: &str| {
        rows.iter().find(|row| row["name"] == name).map(|row| row["active"].clone()).unwrap()
    };
    assert_eq!(active("rough"), json!({ "encode": ["mp4", "webm"] }));
    assert_eq!(active("boxes"), json!({ "mux": ["mp4", "mov"] }));
    assert!(listed["plugin_dir"].as_str().unwrap().ends_with("mine"), "{listed}");
}

#[test]
fn each_plugin_says_what_it_can_do() {
    let product = Product::new();
    for (name, marks, containers, filters, encodes) in [
        ("encode-standard", json!([]), json!(["mp4", "mov", "webm"]), false, false),
        ("encode-mjpeg", json!([]), json!(["mov", "mp4"]), false, true),
        ("watermark-overlay", json!(["text", "image"]), json!([]), false, false),
        ("watermark-tile", json!(["text", "image"]), json!([]), true, false),
        ("mux-isobmff", json!([]), json!(["mp4", "mov"]), false, false),
        ("mux-webm", json!([]), json!(["webm"]), false, false),
    ] {
        let file = product::plugins().join(format!("{name}.wasm"));
        let found = product.run(&["plugin", "inspect", file.to_str().unwrap()]).ok();
        assert_eq!(found["name"], name);
        assert_eq!(found["marks"], marks, "{name}");
        assert_eq!(found["containers"], containers, "{name}");
        assert_eq!(found["filters_frames"], filters, "{name}");
        assert_eq!(found["encodes_frames"], encodes, "{name}");
    }
}

#[test]
fn a_chain_that_cannot_work_is_refused_where_it_is_loaded() {
    let host = Host::new();
    let config = "[chain.webm]\nmux = \"mux-isobmff\"\n[chain.mov]\nmux = \"mux-webm\"\n";
    let webm = "[chain.webm]\nmux = \"mux-isobmff\"\n";
    host.refuses(webm, "out.webm", &[], "config_invalid", &["webm", "mux-isobmff", "mp4, mov"]);
    let mov = "[chain.mov]\nmux = \"mux-webm\"\n";
    host.refuses(mov, "out.mov", &[], "config_invalid", &["mov", "mux-webm"]);
    // What somebody has set for one container is wrong whatever is asked for.
    host.refuses(mov, "out.mp4", &[], "config_invalid", &["[chain.mov]", "mux-webm"]);
    let mjpeg = "[chain]\nencode = \"encode-mjpeg\"\n";
    host.refuses(mjpeg, "out.webm", &[], "config_invalid", &["webm", "encode-mjpeg", "encode"]);
    let swapped = "[chain]\nencode = \"watermark-tile\"\n";
    let words = ["watermark-tile", "encode stage", "watermark"];
    host.refuses(swapped, "out2.mp4", &[], "plugin_unusable", &words);

    host.product.write("host.toml", format!("{config}[chain.mp4]\nencode = \"nowhere\"\n"));
    let listed = host.product.run(&["plugin", "list", "--chain", "host.toml"]).ok();
    for (container, word) in [("webm", "mux-isobmff"), ("mov", "mux-webm"), ("mp4", "nowhere")] {
        let reason = listed["chains"][container]["error"]["message"].as_str();
        assert!(reason.is_some_and(|reason| reason.contains(word)), "{container}: {listed}");
    }
}

#[test]
fn parameters_of_the_wrong_kind_name_plugin_and_parameter() {
    let host = Host::new();
    for (chain, plugin, parameter, wrong) in [
        ("watermark", "watermark-overlay", "opacity", "2"),
        ("watermark", "watermark-overlay", "image_width_percent", "\"wide\""),
        ("watermark", "watermark-tile", "opacity", "-0.5"),
        ("watermark", "watermark-tile", "speed_percent", "true"),
        ("watermark", "watermark-tile", "spacing", "1"),
        ("encode", "encode-mjpeg", "quality", "0"),
        ("encode", "encode-mjpeg", "quality", "90.5"),
        ("encode", "encode-standard", "vp9_quality", "64"),
        ("encode", "encode-standard", "copy", "\"always\""),
        ("encode", "encode-standard", "preset", "11"),
    ] {
        let config = format!(
            "[chain]\n{chain} = \"{plugin}\"\n[plugins.{plugin}.parameters]\n{parameter} = {wrong}\n"
        );
        host.refuses(&config, "out.mp4", &[], "config_invalid", &[plugin, parameter]);
    }
    // One that has no parameters at all.
    let config = "[plugins.mux-isobmff.parameters]\nfast = true\n";
    host.refuses(config, "out.mp4", &[], "config_invalid", &["mux-isobmff", "parameters"]);
}

#[test]
fn a_picture_is_not_given_to_a_plugin_that_only_knows_texts() {
    let host = Host::new();
    host.install("watermark-overlay", "texts");
    // The same plugin, but that it calls its second kind of mark a chart.
    let file = host.product.path("mine").join("texts.wasm");
    let mut component = fs::read(&file).unwrap();
    let at = component.windows(9).position(|bytes| bytes == b"textimage").unwrap();
    component[at + 4..at + 9].copy_from_slice(b"chart");
    fs::write(&file, component).unwrap();
    let found = host.product.run(&["plugin", "inspect", file.to_str().unwrap()]).ok();
    assert_eq!(found["marks"], json!(["text", "chart"]));

    let config = "[chain]\nwatermark = \"mine/texts.wasm\"\n";
    let logo = make(host.product.path("logo.png"), "-f lavfi -i color=red:size=64x32 -frames:v 1");
    let image = ["--image", logo.to_str().unwrap(), "--approve", "yes"];
    let ran = host.refuses(config, "out.mp4", &image, "invalid_field", &["texts", "image"]);
    let details = &ran.json["error"]["details"];
    assert_eq!(details["field"], "watermark.image_asset_id", "{details}");
    assert_eq!((&details["stage"], &details["plugin"]), (&json!("watermark"), &json!("texts")));
    let report = host.render(config, "out.mp4", &TEXT).ok();
    assert_eq!(report["watermark_applied"], true);
}

#[test]
fn a_plugin_that_does_another_thing_than_it_says() {
    let host = Host::new();
    let fixture = product::fixture("hostile");
    let config = |stage: &str, mode: &str| {
        format!(
            "[chain]\n{stage} = \"{}\"\n[plugins.hostile.parameters]\nmode = \"{mode}\"\nstage = \"{stage}\"\n",
            fixture.display()
        )
    };
    for (stage, mode, words) in [
        ("encode", "wrong_plan", ["encode", "mux"]),
        ("watermark", "wrong_plan", ["watermark", "encode"]),
        ("mux", "wrong_plan", ["mux", "watermark"]),
        ("encode", "copies_lossless", ["lossless", ""]),
        ("encode", "copies_framed", ["frames", ""]),
        // It says that it serves every container and writes none.
        ("mux", "well_behaved", ["cannot be read as mp4", ""]),
    ] {
        let words = [&words[..], &["hostile"]].concat();
        host.refuses(&config(stage, mode), "out.mp4", &TEXT, "plugin_failed", &words);
    }
}
