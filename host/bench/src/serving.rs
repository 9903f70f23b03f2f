//! Servers that are measured while they run.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use serde_json::Value;

use crate::Outcome;
use crate::workshop::Workshop;

/// A server; it is stopped with its value.
pub(crate) struct Server {
    process: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    /// Starts a server, which says where it listens.
    fn start(mut command: Command, log: &Path) -> Outcome<Self> {
        let process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(log)?)
            .spawn()
            .map_err(|error| format!("cannot run {}: {error}", command.get_program().display()))?;
        // From here on it is stopped, whatever fails.
        let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut server = Self { process, address: nowhere };
        let output = server.process.stdout.take().ok_or("the server says nothing")?;
        let mut lines = BufReader::new(output).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("listening on:")?.trim().parse::<SocketAddr>().ok());
        server.address =
            address.ok_or_else(|| format!("a server did not start; {} says why", log.display()))?;
        // Nobody has to read the rest, but somebody does.
        thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        Ok(server)
    }

    /// The minimal server on the official SDK, which answers with this task.
    pub(crate) fn reference(workshop: &Workshop, task: &Value) -> Outcome<Self> {
        let program = workshop.reference().ok_or("the reference server is not built")?;
        let mut command = Command::new(program);
        command.arg(task.to_string());
        Self::start(command, &workshop.file("reference.log"))
    }

    pub(crate) fn process(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended already cannot be killed and need not be.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A data directory for the product's server, new for each measurement.
pub(crate) struct Site<'a> {
    workshop: &'a Workshop,
    data: PathBuf,
    config: PathBuf,
    log: PathBuf,
}

impl<'a> Site<'a> {
    pub(crate) fn new(workshop: &'a Workshop, name: &str, config: &str) -> Outcome<Self> {
        let data = workshop.file(&format!("{name}-data"));
        if data.exists() {
            fs::remove_dir_all(&data)?;
        }
        let log = workshop.file(&format!("{name}.log"));
        let config = workshop.chain(&format!("{name}.toml"), config)?;
        Ok(Self { workshop, data, config, log })
    }

    /// Starts the server on a free port.
    pub(crate) fn serve(&self) -> Outcome<Server> {
        let mut command = self.command(["serve", "--listen", "127.0.0.1:0"].map(OsString::from));
        command.arg("--config").arg(&self.config);
        Server::start(command, &self.log)
    }

    /// Brings a file; gives the asset's id.
    pub(crate) fn asset(&self, tenant: &str, file: &Path) -> Outcome<String> {
        let words = ["asset".into(), "add".into(), file.into(), "--tenant".into(), tenant.into()];
        self.told(words, "/asset_id")
    }

    /// A token with all that it takes to render.
    pub(crate) fn token(&self, tenant: &str, subject: &str) -> Outcome<String> {
        let words = ["token", "create", "--tenant", tenant, "--subject", subject];
        let scopes = ["--scope", "render:write", "--scope", "asset:read"];
        self.told(words.into_iter().chain(scopes).map(OsString::from), "/secret")
    }

    /// A text out of what a command of the program prints.
    fn told(&self, words: impl IntoIterator<Item = OsString>, pointer: &str) -> Outcome<String> {
        let output = self.command(words).arg("--json").stdin(Stdio::null()).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim().into());
        }
        let said: Value = serde_json::from_slice(&output.stdout)?;
        let text = said.pointer(pointer).and_then(Value::as_str);
        Ok(text.ok_or_else(|| format!("no {pointer} in {said}"))?.to_owned())
    }

    fn command(&self, words: impl IntoIterator<Item = OsString>) -> Command {
        let mut command = Command::new(self.workshop.program());
        command.args(words).arg("--data").arg(&self.data);
        command.env("XDG_CACHE_HOME", self.workshop.file("cache"));
        command
    }
}
