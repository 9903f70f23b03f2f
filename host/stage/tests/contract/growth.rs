//! What the contract may become, and what it may not.

use wit_component::semver_check;
use wit_parser::Resolve;

use crate::common::{contract, edited, here, push, wit_files};

pub(super) type Files = Vec<(String, String)>;

const PRESENT: &str = "package video-render:stage@0.1.1;";
/// The first release.
const FIRST: &str = "package video-render:stage@0.1.0;";
pub(super) const WORLDS: [&str; 7] = [
    "stage-plugin",
    "encode-plugin",
    "watermark-plugin",
    "mux-plugin",
    "every-stage",
    "frame-filter-plugin",
    "frame-encoder-plugin",
];

/// The worlds of the first release.
const FIRST_WORLDS: usize = 5;

/// The interfaces that plugins export, which never change.
const EXPORTED: [&str; 7] =
    ["plugin", "encode", "watermark", "mux", "muxing", "frame-filter", "frame-encoder"];

/// Whether plugins built for `before` still fit `after`, in every world.
fn compatible(before: &Files, after: &Files) -> Result<(), String> {
    compatible_in(&WORLDS, before, after)
}

fn compatible_in(worlds: &[&str], before: &Files, after: &Files) -> Result<(), String> {
    // Two packages of one name and version cannot be looked at together, and the check ignores
    // the versions.
    let before = versioned(before, "0.0.1");
    for world in worlds {
        let mut resolve = Resolve::default();
        let (before, after) = (push(&mut resolve, &before), push(&mut resolve, after));
        let before = resolve.select_world(&[before], Some(world)).unwrap();
        let after = resolve.select_world(&[after], Some(world)).unwrap();
        semver_check(resolve, before, after).map_err(|error| format!("{world}: {error:?}"))?;
    }
    Ok(())
}

/// The same package with another version.
pub(super) fn versioned(files: &Files, version: &str) -> Files {
    let is_first = |text: &String| text.contains(FIRST);
    let present = if files.iter().any(|(_, text)| is_first(text)) { FIRST } else { PRESENT };
    edited(files, present, &format!("package video-render:stage@{version};"))
}

/// A later minor: one function more in every interface that the host provides, one method more on
/// every resource in them, and an interface more.
pub(super) fn next_minor() -> Files {
    let mut files = versioned(&contract(), "0.1.2");
    for (_, text) in &mut files {
        *text = grown(text);
    }
    files.push(("added.wit".into(), "interface added { more: func() -> u32; }".into()));
    edited(&files, "world stage-plugin {", "world stage-plugin {\n    import added;")
}

fn grown(text: &str) -> String {
    let name_of = |line: &str, keyword: &str| {
        line.trim().strip_prefix(keyword)?.strip_suffix(" {").map(str::to_owned)
    };
    let (mut grown, mut provided) = (String::new(), false);
    for line in text.lines() {
        if let Some(interface) = name_of(line, "interface ") {
            provided = !EXPORTED.contains(&interface.as_str());
        }
        grown += line;
        grown += "\n";
        let opens = name_of(line, "interface ").or_else(|| name_of(line, "resource "));
        if provided && opens.is_some() {
            grown += "added-in-a-minor: func() -> u32;\n";
        }
    }
    grown
}

#[test]
fn the_contract_is_still_the_released_one() {
    let released = wit_files(&here("tests/snapshot/stage-0.1.1"));
    compatible(&released, &contract()).unwrap();
    compatible(&contract(), &released).unwrap();
}

#[test]
fn the_contract_is_an_additive_step_over_the_first() {
    let first = wit_files(&here("tests/snapshot/stage-0.1.0"));
    compatible_in(&WORLDS[..FIRST_WORLDS], &first, &contract()).unwrap();
}

#[test]
fn an_additive_minor_is_compatible() {
    let grown = next_minor();
    let added =
        grown.iter().map(|(_, text)| text.matches("added-in-a-minor").count()).sum::<usize>();
    assert!(added > 40, "only {added} functions were added");
    compatible(&contract(), &grown).unwrap();
}

#[test]
fn a_record_cannot_gain_a_field() {
    let grown = edited(&contract(), "matrix: u8,", "matrix: u8,\n siting: u8,");
    compatible(&contract(), &grown).unwrap_err();
}

#[test]
fn an_exported_interface_cannot_gain_a_function() {
    for interface in EXPORTED {
        let opening = format!("interface {interface} {{");
        let grown = edited(&contract(), &opening, &format!("{opening}\n more: func();"));
        compatible(&contract(), &grown).unwrap_err();
    }
}

#[test]
fn an_exported_resource_cannot_gain_a_method() {
    for resource in ["muxer", "filter", "encoder"] {
        let opening = format!("resource {resource} {{");
        let grown = edited(&contract(), &opening, &format!("{opening}\n more: func();"));
        compatible(&contract(), &grown).unwrap_err();
    }
}

#[test]
fn an_imported_function_cannot_change() {
    let changed =
        edited(&contract(), "set-effort: func(effort: u8);", "set-effort: func(effort: u16);");
    compatible(&contract(), &changed).unwrap_err();
    let gone = edited(&contract(), "set-effort: func(effort: u8);", "");
    compatible(&contract(), &gone).unwrap_err();
}
