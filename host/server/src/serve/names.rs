//! Names that people give: tenants, subjects, assets.

use render::failure::Failure;

/// The longest name, in characters.
const LONGEST: usize = 200;

/// Refuses a name that is empty, long, or not one line of text.
pub(crate) fn check(field: &str, name: &str) -> Result<(), Failure> {
    let wrong = if name.trim().is_empty() {
        "must not be empty"
    } else if name.chars().count() > LONGEST {
        "is longer than 200 characters"
    } else if name.chars().any(char::is_control) {
        "must be one line of text"
    } else {
        return Ok(());
    };
    Err(Failure::invalid_field(field, format!("The {field} {wrong}.")))
}
