//! A compiler for `wasm32-wasip2`.
//!
//! In this order: the target that is already there; Debian's compiler, which
//! can build the target's standard library from source (and is installed where
//! this runs as root); the target from rustup.

#[cfg(test)]
mod tests;

use crate::Outcome;
use crate::command::{on_path, output, run};
use crate::packages::{self, newest_numbered};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target that components are compiled for.
pub(crate) const TARGET: &str = "wasm32-wasip2";

/// Where Debian's packages put things.
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_BIN: &str = "/usr/bin";
const DEBIAN_WASI_LIBC: &str = "/usr/lib/wasm32-wasi";
const DEBIAN_PACKAGES: [&str; 3] = ["rustc-web", "rust-web-src", "wasi-libc"];
/// Every engine of the last years has 128-bit vectors, and pixels are worth them.
const FEATURES: &str = "-C target-feature=+simd128";
/// The oldest minor version of Rust that compiles the guests.
const OLDEST_MINOR: u32 = 95;

/// How guests are compiled.
pub(crate) enum Toolchain {
    /// The target is installed and cargo needs no more than its name.
    Installed,
    /// Debian's compiler with a standard library built from its source.
    Debian(Debian),
}

/// The parts of the Debian way.
pub(crate) struct Debian {
    /// Makes a component of what the linker made; part of every Rust toolchain
    /// from rustup, but of none from Debian.
    component_ld: PathBuf,
    wasm_ld: PathBuf,
}

impl Toolchain {
    /// `cargo build` for the target, to be given packages and a place to run.
    pub(crate) fn cargo_build(&self) -> Command {
        let mut command = Command::new(cargo());
        // What is set for the host's build must not reach the guests'.
        for name in ["CARGO_TARGET_DIR", "CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS"] {
            command.env_remove(name);
        }
        command.args(["build", "--release", "--target", TARGET]);
        let mut flags = FEATURES.to_owned();
        if let Self::Debian(Debian { component_ld, wasm_ld }) = self {
            flags += &format!(
                " -C link-self-contained=no -L {DEBIAN_WASI_LIBC} \
                 -C link-arg=-L{DEBIAN_WASI_LIBC} -C link-arg=--wasm-ld-path={}",
                wasm_ld.display()
            );
            command
                .args(["-Z", "build-std=std,panic_abort"])
                .env("RUSTC", DEBIAN_RUSTC)
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_WASIP2_LINKER", component_ld);
        }
        command.env("CARGO_TARGET_WASM32_WASIP2_RUSTFLAGS", flags);
        command
    }
}

/// The cargo that runs this task, else the one on the search path.
pub(crate) fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// Finds a compiler for the target, or announces one and installs it.
///
/// # Errors
/// What to install by hand.
pub(crate) fn find_or_install() -> Outcome<Toolchain> {
    let sysroot = PathBuf::from(output(Command::new("rustc").args(["--print", "sysroot"]))?);
    if has_target(&sysroot) {
        return Ok(Toolchain::Installed);
    }
    let component_ld = component_ld(&sysroot)?;
    if let Some(debian) = debian(component_ld.as_deref()) {
        return Ok(Toolchain::Debian(debian));
    }
    if component_ld.is_some() && packages::can_install() {
        match install_debian() {
            Ok(()) => {
                if let Some(debian) = debian(component_ld.as_deref()) {
                    return Ok(Toolchain::Debian(debian));
                }
                eprintln!("The installed packages do not make a compiler for {TARGET}.");
            }
            Err(error) => eprintln!("That did not work: {error}."),
        }
    }
    rustup(&sysroot)
}

fn has_target(sysroot: &Path) -> bool {
    sysroot.join("lib/rustlib").join(TARGET).join("lib").is_dir()
}

fn component_ld(sysroot: &Path) -> Outcome<Option<PathBuf>> {
    let version = output(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or("rustc -vV names no host")?;
    let file = sysroot.join("lib/rustlib").join(host).join("bin/wasm-component-ld");
    Ok(if file.is_file() { Some(file) } else { on_path("wasm-component-ld") })
}

/// Debian's compiler, if all of it is there.
fn debian(component_ld: Option<&Path>) -> Option<Debian> {
    let version = output(Command::new(DEBIAN_RUSTC).arg("--version")).ok()?;
    let sysroot = output(Command::new(DEBIAN_RUSTC).args(["--print", "sysroot"])).ok()?;
    let source = Path::new(&sysroot).join("lib/rustlib/src/rust/library/std");
    let complete =
        is_new_enough(&version) && source.is_dir() && Path::new(DEBIAN_WASI_LIBC).is_dir();
    let entries: Vec<String> = fs::read_dir(DEBIAN_BIN)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    let wasm_ld = newest_numbered("wasm-ld-", entries.iter().map(String::as_str))?;
    complete.then_some(Debian {
        component_ld: component_ld?.to_owned(),
        wasm_ld: Path::new(DEBIAN_BIN).join(wasm_ld),
    })
}

/// Reads the answer of `rustc --version`.
fn is_new_enough(version: &str) -> bool {
    let minor = version.strip_prefix("rustc 1.").and_then(|rest| rest.split('.').next());
    minor.and_then(|minor| minor.parse().ok()).is_some_and(|minor: u32| minor >= OLDEST_MINOR)
}

fn install_debian() -> Outcome {
    eprintln!(
        "The plugins need a compiler for {TARGET}: {} and the newest lld-N are going to be \
         installed.",
        DEBIAN_PACKAGES.join(", ")
    );
    packages::update()?;
    let lld = packages::newest_lld()?;
    let [rustc, source, libc] = DEBIAN_PACKAGES;
    packages::install(&[rustc, source, libc, &lld])
}

fn rustup(sysroot: &Path) -> Outcome<Toolchain> {
    let advice = format!("install it with: rustup target add {TARGET}");
    if on_path("rustup").is_none() {
        return Err(format!("the plugins need a compiler for {TARGET}; {advice}").into());
    }
    eprintln!("The plugins need a compiler for {TARGET}: running `rustup target add {TARGET}`.");
    run(Command::new("rustup").args(["target", "add", TARGET]))
        .map_err(|error| format!("{error}; the plugins need a compiler for {TARGET}"))?;
    if has_target(sysroot) {
        return Ok(Toolchain::Installed);
    }
    Err(format!("rustup added {TARGET} to another toolchain than cargo uses; {advice}").into())
}
