//! Components made without a guest's toolchain.

use std::fs;
use std::path::{Path, PathBuf};

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::{ManglingAndAbi, PackageId, Resolve};

/// The place of a file or directory of this crate.
pub(crate) fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The files of a directory with WIT, by name.
pub(crate) fn wit_files(dir: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ext| ext == "wit") {
            files.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
    files.sort();
    assert!(!files.is_empty(), "no WIT in {}", dir.display());
    files
}

/// The contract of this host.
pub(crate) fn contract() -> Vec<(String, String)> {
    wit_files(&here("../../wit"))
}

/// The same files with one text in place of another.
pub(crate) fn edited(files: &[(String, String)], from: &str, to: &str) -> Vec<(String, String)> {
    assert!(files.iter().any(|(_, text)| text.contains(from)), "nothing to edit: {from}");
    files.iter().map(|(name, text)| (name.clone(), text.replace(from, to))).collect()
}

/// Adds a package to those that are known.
pub(crate) fn push(resolve: &mut Resolve, files: &[(String, String)]) -> PackageId {
    let mut sources = wit_parser::SourceMap::default();
    for (name, text) in files {
        sources.push(Path::new(name), text);
    }
    let group = match sources.parse() {
        Ok(group) => group,
        Err((_, error)) => panic!("{error}"),
    };
    resolve.push_group(group).unwrap()
}

/// Wraps a core module as a component of a world.
pub(crate) fn encode(
    resolve: &Resolve,
    package: PackageId,
    world: &str,
    mut module: Vec<u8>,
) -> Vec<u8> {
    let world = resolve.select_world(&[package], Some(world)).unwrap();
    embed_component_metadata(&mut module, resolve, world, StringEncoding::UTF8, false).unwrap();
    ComponentEncoder::default().validate(true).module(&module).unwrap().encode().unwrap()
}

/// A component of a world that has everything and does nothing but trap.
pub(crate) fn dummy(files: &[(String, String)], world: &str) -> Vec<u8> {
    let mut resolve = Resolve::default();
    let package = push(&mut resolve, files);
    let id = resolve.select_world(&[package], Some(world)).unwrap();
    let module = wit_component::dummy_module(&resolve, id, ManglingAndAbi::Standard32);
    encode(&resolve, package, world, module)
}
