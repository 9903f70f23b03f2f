//! Whether this host has what a component wants.

use semver::Version;
use wasmtime::Engine;
use wasmtime::component::Component;

use super::LoadError;
use crate::host::linker::{BASELINE, CONTRACT, CONTRACT_VERSION};

/// The names of a component's imports, sorted, if each belongs to the baseline or the contract.
pub(super) fn check(component: &Component, engine: &Engine) -> Result<Vec<String>, LoadError> {
    let ty = component.component_type();
    let mut imports: Vec<String> = ty.imports(engine).map(|(name, _)| name.to_owned()).collect();
    imports.sort();
    for import in &imports {
        if is_of_other_contract(import) {
            return Err(newer(import));
        }
        let is_of = |package: &&str| import.starts_with(*package);
        if !is_of(&CONTRACT) && !BASELINE.iter().any(is_of) {
            return Err(LoadError::UngrantedImport { import: import.clone() });
        }
    }
    Ok(imports)
}

/// Why a component that wants only known packages still does not link: something in them is
/// missing or of another type. A newer minor of the contract explains it best.
pub(super) fn unmet(imports: &[String], error: &wasmtime::Error) -> LoadError {
    let is_newer =
        |name: &&String| contract_version(name).is_some_and(|version| version > CONTRACT_VERSION);
    match imports.iter().find(is_newer) {
        Some(import) => newer(import),
        None => LoadError::WrongWorld { message: format!("{error:#}") },
    }
}

/// Why a component does not export what every plugin does.
pub(super) fn no_export(
    component: &Component,
    engine: &Engine,
    error: &wasmtime::Error,
) -> LoadError {
    let ty = component.component_type();
    let other = ty.exports(engine).map(|(name, _)| name).find(|name| is_of_other_contract(name));
    match other {
        Some(name) => newer(name),
        None => LoadError::WrongWorld { message: format!("{error:#}") },
    }
}

fn newer(name: &str) -> LoadError {
    LoadError::NewerContract { name: name.to_owned(), has: CONTRACT_VERSION.to_string() }
}

/// Whether a name is of the contract's package in a version that is not compatible with ours:
/// before 1.0 the second number counts as the first does afterwards.
fn is_of_other_contract(name: &str) -> bool {
    let track = |version: &Version| match version.major {
        0 => (0, version.minor),
        major => (major, 0),
    };
    contract_version(name).is_some_and(|version| track(&version) != track(&CONTRACT_VERSION))
}

fn contract_version(name: &str) -> Option<Version> {
    let (_, version) = name.strip_prefix(CONTRACT)?.split_once('@')?;
    version.parse().ok()
}
