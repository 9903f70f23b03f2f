//! Messages as they are kept in `golden/`: what differs from run to run is named instead.
//! With `UPDATE_GOLDEN=1` the files are written anew.

use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

/// Texts of this many characters in base64 or in an id are not compared.
const ID: usize = 26;

/// Compares a message with what is kept under this name. What stands at `vague` may be anything
/// of its type.
#[track_caller]
pub fn check(name: &str, message: &Value, vague: &[&str]) {
    let mut message = message.clone();
    for pointer in vague {
        let place = message.pointer_mut(pointer);
        *place.unwrap_or_else(|| panic!("{name} has nothing at {pointer}")) = "VAGUE".into();
    }
    normalise("", &mut message);
    let text = serde_json::to_string_pretty(&message).unwrap() + "\n";
    let file = folder().join(name).with_extension("json");
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&file, text).unwrap();
        return;
    }
    let kept = fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}; UPDATE_GOLDEN=1 writes it", file.display()));
    assert!(
        kept == text,
        "{name} has changed (UPDATE_GOLDEN=1 keeps it)\nkept: {kept}\nis: {text}"
    );
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

fn normalise(key: &str, value: &mut Value) {
    match value {
        Value::String(text) => {
            *text = match key {
                "data" | "blob" => "BASE64".to_owned(),
                "id" => "ID".to_owned(),
                _ => plain(text),
            }
        }
        Value::Number(_) if key == "id" => *value = "ID".into(),
        Value::Number(_) if matches!(key, "size" | "bytes") => *value = "NUMBER".into(),
        Value::Number(_) | Value::Bool(_) | Value::Null => {}
        Value::Array(items) => items.iter_mut().for_each(|item| normalise("", item)),
        Value::Object(map) => map.iter_mut().for_each(|(key, item)| match key.as_str() {
            "request_id" => *item = "REQUEST".into(),
            key => normalise(key, item),
        }),
    }
}

/// A text with ids, times, links and fingerprints named.
fn plain(text: &str) -> String {
    // The text of a tool repeats its structure, in one line.
    if let Ok(mut inner @ Value::Object(_)) = serde_json::from_str::<Value>(text) {
        normalise("", &mut inner);
        return inner.to_string();
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let boundary = !out.ends_with(|c: char| c.is_ascii_alphanumeric());
        let known =
            if boundary { link(rest).or_else(|| time(rest)).or_else(|| id(rest)) } else { None };
        let (said, length) = known.unwrap_or((String::from(first), first.len_utf8()));
        out.push_str(&said);
        rest = &rest[length..];
    }
    out
}

fn link(text: &str) -> Option<(String, usize)> {
    let rest = text.strip_prefix("http://127.0.0.1:")?;
    let end = rest.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(rest.len());
    let last = rest[..end].rsplit('/').next()?;
    Some((format!("LINK/{last}"), text.len() - rest.len() + end))
}

fn time(text: &str) -> Option<(String, usize)> {
    let shape = |pattern: &str| {
        let fits = text.len() >= pattern.len()
            && text.bytes().zip(pattern.bytes()).all(|(is, wanted)| match wanted {
                b'0' => is.is_ascii_digit(),
                wanted => is == wanted,
            });
        fits.then(|| ("TIME".to_owned(), pattern.len()))
    };
    shape("0000-00-00T00:00:00.000Z").or_else(|| shape("0000-00-00T00:00:00Z"))
}

/// An id of ours, or the fingerprint.
fn id(text: &str) -> Option<(String, usize)> {
    if let Some(rest) = text.strip_prefix("video-render-mcp@") {
        let end = rest.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(rest.len());
        return Some(("FINGERPRINT".to_owned(), text.len() - rest.len() + end));
    }
    ["as_", "render_", "question_"].iter().find_map(|prefix| {
        let rest = text.strip_prefix(prefix)?;
        let end = rest.find(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit());
        let end = end.unwrap_or(rest.len());
        (end == ID).then(|| (prefix.trim_end_matches('_').to_uppercase(), prefix.len() + end))
    })
}
