//! Which texts can be drawn at all.

#[cfg(test)]
mod tests;

use stage_sdk::Fault;

/// The field of the request that everything here is about.
pub(crate) const FIELD: &str = "watermark.text";

/// The longest text in characters.
const LONGEST: usize = 200;

/// The text without the white space around it.
///
/// # Errors
/// A fault on the field for a text that is empty, too long, or holds
/// characters that command instead of being seen.
pub(crate) fn check(text: &str) -> Result<&str, Fault> {
    let text = text.trim();
    let length = text.chars().count();
    if length == 0 {
        return Err(invalid("The watermark text is empty."));
    }
    if length > LONGEST {
        return Err(invalid(format!(
            "The watermark text has {length} characters; at most {LONGEST} are allowed."
        )));
    }
    let commands = named(text.chars().filter(|character| is_command(*character)));
    if commands.is_empty() {
        return Ok(text);
    }
    Err(invalid(format!("The watermark text holds control characters: {commands}.")))
}

/// Control characters, line and paragraph separators, and the marks that force
/// a direction on what follows. Marks without a scope (U+200E, U+200F) and the
/// joiners belong to ordinary right-to-left text.
fn is_command(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The characters as U+XXXX, each once, in their order.
pub(crate) fn named(characters: impl Iterator<Item = char>) -> String {
    let mut names: Vec<String> = Vec::new();
    for character in characters {
        let name = format!("U+{:04X}", u32::from(character));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}

/// A fault on the text.
pub(crate) fn invalid(message: impl Into<String>) -> Fault {
    Fault::invalid_field(FIELD, message)
}
