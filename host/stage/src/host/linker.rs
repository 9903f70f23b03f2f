//! What an instance can import.

use wasmtime::Result;
use wasmtime::component::{HasData, HasSelf, Linker, ResourceTable};
use wasmtime_wasi::WasiView;
use wasmtime_wasi::cli::{WasiCli, WasiCliView};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView};
use wasmtime_wasi::filesystem::{WasiFilesystem, WasiFilesystemView};
use wasmtime_wasi::p2::bindings::{cli, clocks, filesystem, io, random};
use wasmtime_wasi::random::{WasiRandom, WasiRandomView};

use super::Host;
use super::bindings::EveryExport;

/// The packages of the baseline, which every plugin may import, up to the interface's name.
pub(crate) const BASELINE: [&str; 5] =
    ["wasi:cli/", "wasi:clocks/", "wasi:filesystem/", "wasi:io/", "wasi:random/"];

/// The package of the contract, up to the interface's name.
pub(crate) const CONTRACT: &str = "video-render:stage/";

/// The version of the contract that this host has.
pub(crate) const CONTRACT_VERSION: semver::Version = semver::Version::new(0, 1, 1);

struct HasTable;

impl HasData for HasTable {
    type Data<'a> = &'a mut ResourceTable;
}

/// Links the baseline and the contract, and nothing else: an import that is not here fails by its
/// name when a plugin is loaded.
pub(crate) fn fill(linker: &mut Linker<Host>) -> Result<()> {
    add_baseline(linker)?;
    EveryExport::add_to_linker::<_, HasSelf<Host>>(linker, |host| host)
}

fn add_baseline(l: &mut Linker<Host>) -> Result<()> {
    io::error::add_to_linker::<Host, HasTable>(l, |host| host.ctx().table)?;
    io::poll::add_to_linker::<Host, HasTable>(l, |host| host.ctx().table)?;
    io::streams::add_to_linker::<Host, HasTable>(l, |host| host.ctx().table)?;
    clocks::wall_clock::add_to_linker::<Host, WasiClocks>(l, Host::clocks)?;
    clocks::monotonic_clock::add_to_linker::<Host, WasiClocks>(l, Host::clocks)?;
    filesystem::types::add_to_linker::<Host, WasiFilesystem>(l, Host::filesystem)?;
    filesystem::preopens::add_to_linker::<Host, WasiFilesystem>(l, Host::filesystem)?;
    random::random::add_to_linker::<Host, WasiRandom>(l, Host::random)?;
    random::insecure::add_to_linker::<Host, WasiRandom>(l, Host::random)?;
    random::insecure_seed::add_to_linker::<Host, WasiRandom>(l, Host::random)?;
    cli::environment::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::exit::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::stdin::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::stdout::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::stderr::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::terminal_input::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::terminal_output::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::terminal_stdin::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::terminal_stdout::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::terminal_stderr::add_to_linker::<Host, WasiCli>(l, Host::cli)
}
