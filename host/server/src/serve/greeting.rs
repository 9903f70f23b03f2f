//! What a server says when it has begun: where it is, and how agents come in.

use std::fmt::Write as _;
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::Path;

use super::links::Links;
use crate::config::Auth;

/// What there is to say.
pub(super) struct Greeting<'a> {
    pub(super) links: &'a Links,
    pub(super) auth: Auth,
    pub(super) listen: SocketAddr,
    pub(super) data: &'a Path,
}

impl Greeting<'_> {
    /// To standard output; nobody has to read it.
    pub(super) fn print(&self) {
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(self.text().as_bytes()).and_then(|()| out.flush());
    }

    fn text(&self) -> String {
        let url = self.links.endpoint();
        let uploads = self.links.uploads();
        let (header, json, curl) = match self.auth {
            Auth::None => ("", "", ""),
            Auth::Tokens => (
                " --header \"Authorization: Bearer TOKEN\"",
                ",\"headers\":{\"Authorization\":\"Bearer TOKEN\"}",
                " -H \"Authorization: Bearer TOKEN\"",
            ),
        };
        let who = match self.auth {
            Auth::None if self.listen.ip().is_loopback() => {
                "everybody on this machine, as the tenant `local`"
            }
            Auth::None => "EVERYBODY who can reach this address, as the tenant `local`",
            Auth::Tokens => "who has a token (video-render-mcp token create --help)",
        };
        let data = self.data.display();
        let mut text = String::new();
        let mut say = |line: &str| {
            let _ = writeln!(text, "{line}");
        };
        say(&format!("MCP endpoint: {url}"));
        say(&format!("listening on: {}", self.listen));
        say(&format!("open to:      {who}"));
        say(&format!("data in:      {data}"));
        say("");
        say("Connect an agent:");
        say(&format!("  Claude Code  claude mcp add --transport http video-render {url}{header}"));
        say(&format!(
            "  VS Code      code --add-mcp '{{\"name\":\"video-render\",\"type\":\"http\",\"url\":\"{url}\"{json}}}'"
        ));
        say(&format!(
            "  Cursor       in ~/.cursor/mcp.json: {{\"mcpServers\":{{\"video-render\":{{\"url\":\"{url}\"{json}}}}}}}"
        ));
        say(&format!(
            "  Inspector    npx @modelcontextprotocol/inspector --cli {url} --transport http --method tools/list{header}"
        ));
        say("");
        say("Bring a video:");
        say(&format!("  video-render-mcp asset add FILE --data {data}"));
        say(&format!("  curl -X POST -T FILE{curl} '{uploads}?name=FILE'"));
        text
    }
}
