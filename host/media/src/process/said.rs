//! What ffmpeg says on stderr, line by line, when it runs with `-loglevel level+…`.

/// How grave a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Neither of the others, or not said.
    Note,
    /// Something may be wrong.
    Warning,
    /// Something is wrong.
    Error,
}

/// One line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Said<'a> {
    pub(crate) level: Level,
    /// The part of ffmpeg that says it, such as `h264`.
    pub(crate) from: Option<&'a str>,
    pub(crate) text: &'a str,
    /// How often it was said one after the other.
    pub(crate) times: u64,
}

/// The lines of `stderr`. Only ffmpeg itself can begin one with a level: texts of a file stand
/// behind it.
pub(crate) fn lines(stderr: &str) -> impl Iterator<Item = Said<'_>> {
    let mut before: Option<Said<'_>> = None;
    stderr.lines().filter(|line| !line.trim().is_empty()).map(move |line| {
        let mut said = parse(line);
        if let (Some(times), Some(before)) = (repeated(line), before) {
            said = Said { times, ..before };
        }
        before = Some(said);
        said
    })
}

impl std::fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.from {
            Some(from) => write!(f, "{from}: {}", self.text),
            None => f.write_str(self.text),
        }
    }
}

/// Reads `[h264 @ 0x55ab4c1d5fc0] [error] text`; there may be several names or none.
fn parse(line: &str) -> Said<'_> {
    let (mut from, mut rest) = (None, line);
    while let Some((mark, after)) = bracketed(rest) {
        if let Some((name, _)) = mark.split_once(" @ 0x") {
            (from, rest) = (Some(name), after);
            continue;
        }
        let level = match mark {
            "panic" | "fatal" | "error" => Level::Error,
            "warning" => Level::Warning,
            _ => Level::Note,
        };
        return Said { level, from, text: after.trim(), times: 1 };
    }
    Said { level: Level::Note, from, text: rest.trim(), times: 1 }
}

/// What stands in the brackets at the beginning, and what comes after them.
fn bracketed(line: &str) -> Option<(&str, &str)> {
    let (mark, after) = line.strip_prefix('[')?.split_once(']')?;
    Some((mark, after.strip_prefix(' ').unwrap_or(after)))
}

/// How often the line before was said again.
fn repeated(line: &str) -> Option<u64> {
    let rest = line.trim_start().strip_prefix("Last message repeated ")?;
    rest.split(' ').next()?.parse::<u32>().ok().map(u64::from)
}

#[cfg(test)]
mod tests {
    use super::{Level, lines};

    #[test]
    fn a_line_has_a_level_and_a_name() {
        let stderr = "[mov,mp4 @ 0x1] [h264 @ 0x2f] [error] bad [warning] unit\n\
            \x20   Last message repeated 2 times\n\
            [warning] odd\n\n\
            [info]     title : [error] x\n\
            [error\n\
            Svt[info]: [error] y\n";
        let said: Vec<_> = lines(stderr).map(|s| (s.level, s.to_string(), s.times)).collect();
        let expected = [
            (Level::Error, "h264: bad [warning] unit", 1),
            (Level::Error, "h264: bad [warning] unit", 2),
            (Level::Warning, "odd", 1),
            (Level::Note, "title : [error] x", 1),
            (Level::Note, "[error", 1),
            (Level::Note, "Svt[info]: [error] y", 1),
        ];
        assert_eq!(said, expected.map(|(level, text, times)| (level, text.to_owned(), times)));
    }
}
