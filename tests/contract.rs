//! What the stage contract promises, seen from outside.

use std::fs;

use product_tests::Product;
use product_tests::sources::make;

#[test]
fn a_muxer_never_holds_the_film() {
    let product = Product::new();
    // Noise that is rendered losslessly: far more bytes than the muxer is allowed to have.
    let source = make(
        product.path("in.mp4"),
        "-f lavfi -i nullsrc=size=640x360:rate=25:duration=4 -vf geq=random(1)*255:128:128 -c:v libx264 -preset ultrafast -qp 0 -pix_fmt yuv420p",
    );
    product.write(
        "host.toml",
        "[plugins.encode-standard.parameters]\nlossless = true\npreset = \"ultrafast\"\nupscale = false\n[plugins.mux-isobmff.limits]\nmemory_bytes = 4194304\n",
    );
    let report = product.render(&source, &["--chain", "host.toml"]).ok();
    let bytes = report["bytes"].as_u64().unwrap();
    assert!(bytes > 4 * 4_194_304, "the film has {bytes} bytes");
    // What the plugin wrote itself is everything that is not a packet.
    let film = product.path("out.mp4");
    let index: u64 = bytes - packet_bytes(&film);
    assert!(index * 100 < bytes, "{index} of {bytes} bytes are the plugin's own");
}

fn packet_bytes(film: &std::path::Path) -> u64 {
    let bytes = fs::read(film).unwrap();
    let read = re_mp4::Mp4::read_bytes(&bytes).unwrap();
    read.tracks().values().flat_map(|track| &track.samples).map(|sample| sample.size).sum()
}
