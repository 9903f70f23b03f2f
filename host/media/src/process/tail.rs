//! The last words of a tool.

use tokio::io::{AsyncRead, AsyncReadExt};

/// How many bytes of stderr are kept.
const KEPT: usize = 64 << 10;

/// Reads to the end and gives the last [`KEPT`] bytes as text that can be shown: without
/// control characters except line feeds, and without marks that reorder a line.
pub(super) async fn drain(mut stream: impl AsyncRead + Unpin) -> String {
    let mut kept = Vec::new();
    // A read error ends it like the end of the stream: what was said so far is what there is.
    while let Ok(1..) = stream.read_buf(&mut kept).await {
        if kept.len() > 2 * KEPT {
            kept.drain(..kept.len() - KEPT);
        }
    }
    kept.drain(..kept.len().saturating_sub(KEPT));
    sanitise(&kept)
}

fn sanitise(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .chars()
        // ffmpeg ends its status line with a carriage return.
        .map(|c| if c == '\r' { '\n' } else { c })
        .filter(|c| *c == '\n' || !c.is_control() && !reorders(*c))
        .collect()
}

/// Whether `c` changes the direction of what follows: a title could make a message read
/// differently from what it says.
fn reorders(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests;
