//! Whether plugins of today run on the host of tomorrow.

use std::fs;
use std::path::PathBuf;

use wasmtime::component::{Component, Linker, ResourceTable};
use wasmtime::{Config, Engine};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

use super::growth::{WORLDS, next_minor, versioned};
use crate::common::{contract, dummy};

struct Nothing {
    wasi: WasiCtx,
    table: ResourceTable,
}

impl WasiView for Nothing {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

fn engine() -> Engine {
    Engine::new(Config::new().concurrency_support(false)).unwrap()
}

/// Whether a host with this contract, and WASI as it is, can link a component.
fn links(engine: &Engine, host: &[(String, String)], plugin: &[u8]) -> wasmtime::Result<()> {
    let mut linker = Linker::<Nothing>::new(engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    // A component that imports everything of a contract says what a host of it provides.
    let wants_all = Component::new(engine, dummy(&with_everything(host), EVERYTHING))?;
    linker.define_unknown_imports_as_traps(&wants_all)?;
    linker.instantiate_pre(&Component::new(engine, plugin)?).map(drop)
}

/// A world with every import and export of the package, which the package itself cannot have
/// because worlds never gain an export.
const EVERYTHING: &str = "everything";

fn with_everything(contract: &[(String, String)]) -> Vec<(String, String)> {
    let world = "world everything { include every-stage; include frame-filter-plugin; \
                 include frame-encoder-plugin; }";
    let mut files = contract.to_owned();
    files.push(("everything.wit".into(), world.into()));
    files
}

/// The plugins and fixtures that were built for this workspace, if they were.
pub(super) fn built_plugins() -> Vec<PathBuf> {
    let test = std::env::current_exe().unwrap();
    let binaries = test.ancestors().nth(2).unwrap();
    let dirs = ["plugins", "plugin-fixtures"].map(|name| binaries.join(name));
    let entries = dirs.iter().filter_map(|dir| fs::read_dir(dir).ok()).flatten();
    let paths: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "wasm"))
        .collect();
    if paths.is_empty() {
        eprintln!("no built plugins beside {}: use `cargo xtask test`", binaries.display());
    }
    paths
}

#[test]
fn plugins_of_today_link_with_an_additive_minor() {
    let (engine, tomorrow) = (engine(), next_minor());
    for world in &WORLDS[1..] {
        links(&engine, &tomorrow, &dummy(&contract(), world)).unwrap();
    }
    links(&engine, &tomorrow, &dummy(&with_everything(&contract()), EVERYTHING)).unwrap();
    for plugin in built_plugins() {
        links(&engine, &tomorrow, &fs::read(&plugin).unwrap())
            .unwrap_or_else(|error| panic!("{}: {error:#}", plugin.display()));
    }
}

/// The names of what a component exports from our package.
fn exported(engine: &Engine, plugin: &Component) -> Vec<String> {
    let ty = plugin.component_type();
    let names = ty.exports(engine).map(|(name, _)| name.to_owned());
    names.filter(|name| name.starts_with("video-render:stage/")).collect()
}

#[test]
fn exports_of_today_are_found_by_the_names_of_tomorrow() {
    let engine = engine();
    let plugins = built_plugins().into_iter().map(|path| fs::read(path).unwrap());
    for plugin in plugins.chain([dummy(&with_everything(&contract()), EVERYTHING)]) {
        let plugin = Component::new(&engine, plugin).unwrap();
        let names = exported(&engine, &plugin);
        assert!(names.len() >= 2, "a plugin describes itself and fills a stage: {names:?}");
        for name in names {
            let found = |version| {
                let (interface, _) = name.split_once('@').unwrap();
                plugin.get_export_index(None, format!("{interface}{version}")).is_some()
            };
            assert!(found("@0.1.2"), "{name} is lost to the next minor");
            assert!(!found("@0.2.0"), "{name} is taken for another track's");
        }
    }
}

#[test]
fn plugins_of_tomorrow_do_not_link_with_the_host_of_today() {
    let plugin = dummy(&with_everything(&next_minor()), EVERYTHING);
    links(&engine(), &contract(), &plugin).unwrap_err();
}

#[test]
fn plugins_of_today_do_not_link_with_another_track() {
    let other = versioned(&contract(), "0.2.0");
    links(&engine(), &other, &dummy(&contract(), "every-stage")).unwrap_err();
}
