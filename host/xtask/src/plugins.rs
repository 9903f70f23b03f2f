//! `cargo xtask plugins`.

use crate::command::run;
use crate::wasm_toolchain::{self, TARGET};
use crate::{Outcome, places};
use std::fs;
use std::path::Path;

/// The reference plugins, which the server finds in `plugins` beside itself.
const PLUGINS: [&str; 6] = [
    "encode-mjpeg",
    "encode-standard",
    "mux-isobmff",
    "mux-webm",
    "watermark-overlay",
    "watermark-tile",
];
/// What the tests of the host load, kept apart so that nobody renders with it.
const FIXTURES: [&str; 1] = ["hostile"];

/// Builds every guest and puts it beside the server.
pub(crate) fn build() -> Outcome {
    let workspace = places::root()?.join("plugins");
    let toolchain = wasm_toolchain::find_or_install()?;
    let target = workspace.join("target");
    run(toolchain
        .cargo_build()
        .arg("--workspace")
        .arg("--target-dir")
        .arg(&target)
        .current_dir(&workspace))?;
    let built = target.join(TARGET).join("release");
    let binaries = places::binaries()?;
    install(&PLUGINS, &built, &binaries.join("plugins"))?;
    install(&FIXTURES, &built, &binaries.join("plugin-fixtures"))
}

fn install(names: &[&str], from: &Path, to: &Path) -> Outcome {
    fs::create_dir_all(to).map_err(|error| format!("cannot create {}: {error}", to.display()))?;
    for name in names {
        let component = from.join(format!("{}.wasm", name.replace('-', "_")));
        let place = to.join(format!("{name}.wasm"));
        replace(&component, &place)
            .map_err(|error| format!("cannot install {}: {error}", place.display()))?;
    }
    Ok(())
}

/// Copies in one step, so that a server that is running never reads half a
/// plugin, and leaves alone what is the same already.
fn replace(from: &Path, to: &Path) -> std::io::Result<()> {
    let bytes = fs::read(from)?;
    if fs::read(to).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let new = to.with_extension("wasm.new");
    fs::write(&new, bytes)?;
    fs::rename(&new, to)?;
    eprintln!("Installed {}.", to.display());
    Ok(())
}
