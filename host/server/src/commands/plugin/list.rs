//! The plugins of the folder, and the chains that they make.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use render::failure::Failure;
use render::request::Container;
use serde_json::{Value, json};
use stage::Plugin;
use stage::model::Stage;

use super::facts;
use crate::exit::Ending;
use crate::setup::Setup;

/// Every component of the folder, and the chain of every container; what
/// cannot be used says why instead of ending the list.
pub(super) async fn run(setup: &Setup) -> Result<Ending, Failure> {
    let folder = setup.plugin_dir();
    let mut text = format!("{}\n", folder.display());
    let mut plugins = Vec::new();
    for file in components(&folder) {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        plugins.push(match setup.load(&file).await {
            Ok((plugin, _)) => {
                let active = active(setup, &name);
                let _ = writeln!(text, "  {}", line(&name, &plugin, &active));
                let facts = facts::json(&plugin);
                json!({ "name": name, "file": file, "active": active, "plugin": facts })
            }
            Err(failure) => {
                let _ = writeln!(text, "  {name}  unusable: {failure}");
                json!({ "name": name, "file": file, "error": failure.to_json() })
            }
        });
    }
    let mut chains = serde_json::Map::new();
    text.push_str("chains\n");
    for container in Container::ALL {
        let (row, said) = chain(setup, *container).await;
        let _ = writeln!(text, "  {container:<5} {said}");
        chains.insert(container.to_string(), row);
    }
    let json = json!({
        "plugin_dir": folder.display().to_string(),
        "plugins": plugins,
        "chains": chains,
    });
    Ok(Ending::Done { json, text })
}

fn components(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "wasm"))
        .collect();
    files.sort();
    files
}

/// The stages that a plugin of the folder fills, each with the containers in
/// whose chain it does.
fn active(setup: &Setup, name: &str) -> BTreeMap<Stage, Vec<Container>> {
    let places = Stage::ALL.into_iter().map(|stage| {
        let in_chain =
            |container: &&Container| setup.config.chain.plugin(stage, **container) == name;
        (stage, Container::ALL.iter().filter(in_chain).copied().collect::<Vec<_>>())
    });
    places.filter(|(_, containers)| !containers.is_empty()).collect()
}

fn line(name: &str, plugin: &Plugin, active: &BTreeMap<Stage, Vec<Container>>) -> String {
    let stages = plugin.stages().iter().map(|stage| match active.get(stage) {
        Some(containers) => {
            let containers: Vec<String> = containers.iter().map(ToString::to_string).collect();
            format!("{stage} (active: {})", containers.join(", "))
        }
        None => stage.to_string(),
    });
    let stages: Vec<String> = stages.collect();
    format!("{name} {}  {}  {}", plugin.manifest().version, stages.join(", "), plugin.digest())
}

/// A chain as data and as words: its plugins, or why it cannot work.
async fn chain(setup: &Setup, container: Container) -> (Value, String) {
    match setup.chain(container).await {
        Ok(chain) => {
            let names: Vec<&str> = chain.links().map(|(_, link)| link.name.as_str()).collect();
            (json!({ "plugins": names }), names.join(" → "))
        }
        Err(failure) => (json!({ "error": failure.to_json() }), format!("unusable: {failure}")),
    }
}
