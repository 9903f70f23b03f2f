//! What is wrong with a tool's arguments, field by field.

use jsonschema::error::ValidationErrorKind;
use serde::Serialize;
use serde_json::{Value, json};

use crate::catalogue::Code;
use crate::failure::Failure;
use crate::schema::Schema;

/// The most fields that are told of at once.
const MAX_FIELDS: usize = 16;

/// The longest reason, in characters: values of the caller may be in it.
const MAX_REASON: usize = 200;

/// One field that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldError {
    /// Its name with dots, such as `watermark.text`; empty for the arguments
    /// as a whole.
    pub field: String,
    /// What is wrong, as a sentence without its subject.
    pub reason: String,
}

impl FieldError {
    /// A field and what is wrong with it.
    pub fn new(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { field: field.into(), reason: reason.into() }
    }
}

/// Every field of the arguments that does not fit the schema, in the order of
/// the schema's complaints; empty if all fit.
#[must_use]
pub fn check(schema: &Schema, arguments: &Value) -> Vec<FieldError> {
    let Some(validator) = schema.validator() else { return Vec::new() };
    let mut found: Vec<FieldError> = Vec::new();
    for error in validator.iter_errors(arguments) {
        let place = dotted(&error.instance_path().to_string());
        let errors = match error.kind() {
            ValidationErrorKind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                vec![FieldError::new(under(&place, name), "Required.")]
            }
            ValidationErrorKind::AdditionalProperties { unexpected } => unexpected
                .iter()
                .map(|name| FieldError::new(under(&place, name), "There is no such field."))
                .collect(),
            _ => vec![FieldError::new(place, sentence(&error.to_string()))],
        };
        for error in errors {
            if !found.contains(&error) {
                found.push(error);
            }
        }
    }
    found.truncate(MAX_FIELDS);
    found
}

/// The failure that tells of these fields; none of no fields.
#[must_use]
pub fn failure(fields: &[FieldError]) -> Option<Failure> {
    let first = fields.first()?;
    let message = match (first.field.as_str(), fields.len() - 1) {
        ("", 0) => format!("The arguments are wrong: {}", lower(&first.reason)),
        ("", _) => format!("Several arguments are wrong; first: {}", lower(&first.reason)),
        (field, 0) => format!("The field {field} is wrong: {}", lower(&first.reason)),
        (field, more) => {
            format!("The field {field} and {more} more are wrong: {}", lower(&first.reason))
        }
    };
    Some(
        Failure::new(Code::InvalidField, message)
            .with("field", first.field.clone())
            .with("reason", first.reason.clone())
            .with("fields", json!(fields)),
    )
}

/// A JSON Pointer as names with dots.
fn dotted(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".").replace("~1", "/").replace("~0", "~")
}

fn under(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
}

fn sentence(text: &str) -> String {
    let mut reason: String = text.chars().take(MAX_REASON).collect();
    if !reason.ends_with('.') {
        reason.push('.');
    }
    let mut chars = reason.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}

fn lower(reason: &str) -> String {
    let mut chars = reason.chars();
    chars.next().into_iter().flat_map(char::to_lowercase).chain(chars).collect()
}

#[cfg(test)]
mod tests;
