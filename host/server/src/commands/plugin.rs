//! `plugin list` and `plugin inspect`.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use render::failure::Failure;
use serde_json::{Value, json};
use stage::Plugin;
use stage::model::Stage;

use crate::cli::{PluginArgs, PluginCommand};
use crate::exit::Ending;
use crate::setup::Setup;

pub(crate) async fn run(args: PluginArgs) -> Result<Ending, Failure> {
    let setup = Setup::new(args.config.file.as_deref())?;
    match args.command {
        PluginCommand::List => list(&setup).await,
        PluginCommand::Inspect { file } => {
            let (plugin, _) = setup.load(&file).await?;
            Ok(Ending::Done { json: facts(&plugin), text: describe(&plugin) })
        }
    }
}

/// Every component of the folder; one that cannot be used says why instead of
/// ending the list.
async fn list(setup: &Setup) -> Result<Ending, Failure> {
    let folder = setup.plugin_dir();
    let mut rows = Vec::new();
    let mut text = format!("{}\n", folder.display());
    for file in components(&folder) {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let row = match setup.load(&file).await {
            Ok((plugin, _)) => {
                let active = active_stages(setup, &name);
                let marks: Vec<String> = plugin
                    .stages()
                    .iter()
                    .map(|stage| {
                        format!("{stage}{}", if active.contains(stage) { " (active)" } else { "" })
                    })
                    .collect();
                let version = &plugin.manifest().version;
                let _ =
                    writeln!(text, "  {name} {version}  {}  {}", marks.join(", "), plugin.digest());
                json!({ "name": name, "file": file, "active": active, "plugin": facts(&plugin) })
            }
            Err(failure) => {
                let _ = writeln!(text, "  {name}  unusable: {failure}");
                json!({ "name": name, "file": file, "error": failure.to_json() })
            }
        };
        rows.push(row);
    }
    let json = json!({ "plugin_dir": folder.display().to_string(), "plugins": rows });
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

/// The stages that a plugin of the folder fills in the chain.
fn active_stages(setup: &Setup, name: &str) -> Vec<Stage> {
    Stage::ALL.into_iter().filter(|stage| setup.config.chain.plugin(*stage) == name).collect()
}

fn facts(plugin: &Plugin) -> Value {
    let manifest = plugin.manifest();
    json!({
        "name": manifest.name,
        "version": manifest.version,
        "digest": plugin.digest(),
        "worlds": worlds(plugin),
        "stages": plugin.stages(),
        "containers": manifest.containers,
        "imports": plugin.imports(),
        "parameters": manifest.parameters,
    })
}

/// The worlds of the stage contract that the component is made for.
fn worlds(plugin: &Plugin) -> Vec<String> {
    plugin.stages().iter().map(|stage| format!("video-render:stage/{stage}-plugin")).collect()
}

fn describe(plugin: &Plugin) -> String {
    let manifest = plugin.manifest();
    let stages: Vec<String> = plugin.stages().iter().map(ToString::to_string).collect();
    let mut text = format!("{} {}\n", manifest.name, manifest.version);
    let _ = writeln!(text, "digest      {}", plugin.digest());
    let _ = writeln!(text, "worlds      {}", worlds(plugin).join(", "));
    let _ = writeln!(text, "stages      {}", stages.join(", "));
    let containers = if manifest.containers.is_empty() {
        "any".to_owned()
    } else {
        manifest.containers.join(", ")
    };
    let _ = writeln!(text, "containers  {containers}");
    let _ = writeln!(text, "imports");
    for import in plugin.imports() {
        let _ = writeln!(text, "  {import}");
    }
    match &manifest.parameters {
        Some(schema) => {
            let _ = writeln!(text, "parameters\n{schema:#}");
        }
        None => text.push_str("parameters  none\n"),
    }
    text
}
