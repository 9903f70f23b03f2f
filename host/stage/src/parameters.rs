//! A plugin's parameters and their schema.

use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Value};

/// The most that a compiled pattern may take.
const PATTERN_BYTES: usize = 1 << 20;

/// Parameters that do not fit a plugin's schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the parameter at {pointer:?} is wrong: {message}")]
pub struct ParameterError {
    /// Where, as a JSON Pointer; empty for the parameters as a whole.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
}

/// The schema of a plugin's parameters: of an object in which every property has a default.
#[derive(Debug)]
pub(crate) struct Schema {
    text: Value,
    validator: Validator,
}

impl Schema {
    /// Reads and checks a schema; the error is a reason without a full stop.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let text: Value = serde_json::from_str(text).map_err(|e| format!("not JSON: {e}"))?;
        if text.get("type").and_then(Value::as_str) != Some("object") {
            return Err("its type is not \"object\"".to_owned());
        }
        if let Some((name, _)) = properties(&text).find(|(_, schema)| default(schema).is_none()) {
            return Err(format!("its property {name:?} has no default"));
        }
        // A pattern of a plugin meets values of an operator: matching must take linear time.
        let validator = jsonschema::draft202012::options()
            .with_pattern_options(PatternOptions::regex().size_limit(PATTERN_BYTES))
            .build(&text)
            .map_err(|error| error.to_string())?;
        let schema = Self { text, validator };
        schema
            .check(&Value::Null)
            .map_err(|e| format!("its defaults do not fit it: {:?}: {}", e.pointer, e.message))?;
        Ok(schema)
    }

    /// The schema as JSON.
    pub(crate) fn text(&self) -> &Value {
        &self.text
    }

    /// The parameters with the defaults filled in, if they fit. Null stands for none given.
    pub(crate) fn check(&self, given: &Value) -> Result<Value, ParameterError> {
        let mut parameters = match given {
            Value::Null => Value::Object(Map::new()),
            given => given.clone(),
        };
        fill(&self.text, &mut parameters);
        match self.validator.validate(&parameters) {
            Ok(()) => Ok(parameters),
            Err(error) => Err(ParameterError {
                pointer: error.instance_path().to_string(),
                message: error.to_string(),
            }),
        }
    }
}

/// Checks the parameters of a plugin that has none.
pub(crate) fn check_none(given: &Value) -> Result<Value, ParameterError> {
    match given {
        Value::Null => Ok(Value::Object(Map::new())),
        Value::Object(entries) if entries.is_empty() => Ok(given.clone()),
        _ => Err(ParameterError {
            pointer: String::new(),
            message: "the plugin has no parameters".to_owned(),
        }),
    }
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

fn default(schema: &Value) -> Option<&Value> {
    schema.get("default")
}

/// Adds the defaults of properties that are not there, at every depth.
fn fill(schema: &Value, value: &mut Value) {
    let Value::Object(entries) = value else { return };
    for (name, schema) in properties(schema) {
        match (entries.get_mut(name), default(schema)) {
            (Some(value), _) => fill(schema, value),
            (None, Some(default)) => {
                entries.insert(name.clone(), default.clone());
            }
            (None, None) => {}
        }
    }
}

#[cfg(test)]
mod tests;
