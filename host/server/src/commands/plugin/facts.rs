//! What a component is and what it can do.

use std::fmt::Write;

use serde_json::{Value, json};
use stage::Plugin;
use stage::model::Stage;

/// As data.
pub(super) fn json(plugin: &Plugin) -> Value {
    let manifest = plugin.manifest();
    json!({
        "name": manifest.name,
        "version": manifest.version,
        "digest": plugin.digest(),
        "worlds": worlds(plugin),
        "stages": plugin.stages(),
        "containers": manifest.containers,
        "marks": marks(plugin),
        "filters_frames": plugin.filters_frames(),
        "encodes_frames": plugin.encodes_frames(),
        "imports": plugin.imports(),
        "parameters": manifest.parameters,
    })
}

/// The worlds of the stage contract that the component is made for.
fn worlds(plugin: &Plugin) -> Vec<String> {
    let stages = plugin.stages().iter().map(|stage| match stage {
        Stage::Encode if plugin.encodes_frames() => "frame-encoder".to_owned(),
        Stage::Watermark if plugin.filters_frames() => "frame-filter".to_owned(),
        stage => stage.to_string(),
    });
    stages.map(|name| format!("video-render:stage/{name}-plugin")).collect()
}

/// The kinds of mark that a watermark plugin draws; none of another plugin.
fn marks(plugin: &Plugin) -> Vec<&str> {
    if !plugin.stages().contains(&Stage::Watermark) {
        return Vec::new();
    }
    match plugin.manifest().marks.as_slice() {
        [] => vec!["text"],
        named => named.iter().map(String::as_str).collect(),
    }
}

/// What it does with frames itself, where it does.
fn frames(plugin: &Plugin) -> Option<&'static str> {
    match (plugin.filters_frames(), plugin.encodes_frames()) {
        (true, true) => Some("can change them and encode them itself"),
        (true, false) => Some("can change them itself"),
        (false, true) => Some("can encode them itself"),
        (false, false) => None,
    }
}

/// For people.
pub(super) fn text(plugin: &Plugin) -> String {
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
    let marks = marks(plugin);
    if !marks.is_empty() {
        let _ = writeln!(text, "marks       {}", marks.join(", "));
    }
    let _ = writeln!(text, "frames      {}", frames(plugin).unwrap_or("stay in the host"));
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
