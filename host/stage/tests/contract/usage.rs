//! Nothing ships in the package that no plugin and no test uses.

use std::collections::BTreeSet;
use std::fs;

use wit_component::DecodedWasm;
use wit_parser::{Resolve, WorldItem};

use super::linking::built_plugins;
use crate::common::{contract, push};

/// The functions of a world's imported interfaces of our package, as
/// `interface.function`.
fn imported(resolve: &Resolve) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (_, world) in &resolve.worlds {
        for item in world.imports.values() {
            let WorldItem::Interface { id, .. } = item else { continue };
            let Some(interface) = resolve.interfaces.get(*id) else { continue };
            let package = interface.package.and_then(|id| resolve.packages.get(id));
            if package.is_none_or(|package| package.name.namespace != "video-render") {
                continue;
            }
            let name = interface.name.clone().unwrap_or_default();
            names.extend(interface.functions.keys().map(|function| format!("{name}.{function}")));
        }
    }
    names
}

#[test]
fn every_function_of_the_package_is_used_by_a_built_plugin() {
    let plugins = built_plugins();
    if plugins.is_empty() {
        return;
    }
    let mut package = Resolve::default();
    push(&mut package, &contract());
    let mut unused = imported(&package);
    assert!(unused.len() > 40, "the package has functions: {unused:?}");
    for plugin in plugins {
        let DecodedWasm::Component(resolve, _) =
            wit_component::decode(&fs::read(plugin).unwrap()).unwrap()
        else {
            panic!("a plugin is a component");
        };
        for name in imported(&resolve) {
            unused.remove(&name);
        }
    }
    assert!(unused.is_empty(), "in the package, but used by nothing: {unused:?}");
}
