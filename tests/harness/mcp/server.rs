//! The program as a server, over a data directory of its own.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::{fs, thread};

use serde_json::Value;

use super::{Client, until};
use crate::{Product, processes};

/// A server; it is killed with its value.
pub struct Server {
    /// Its folder: configuration, data, log.
    pub product: Product,
    /// Where it listens, also after it was started anew.
    pub address: SocketAddr,
    process: Option<Child>,
}

/// What every server of these tests is told: quick encoding.
const QUICK: &str = "[plugins.encode-standard.parameters]\npreset = \"ultrafast\"\n";

impl Default for Server {
    fn default() -> Self {
        Self::new("")
    }
}

impl Server {
    /// Starts one with this configuration, beside what makes it quick.
    pub fn new(config: &str) -> Self {
        let product = Product::new();
        product.write("server.toml", format!("{QUICK}{config}"));
        let address = "127.0.0.1:0".parse().unwrap();
        let mut server = Self { product, address, process: None };
        server.start();
        server
    }

    /// Starts it; where it has been before, at the same address.
    pub fn start(&mut self) {
        let data = self.data();
        let listen = self.address.to_string();
        let words = ["serve", "--config", "server.toml", "--listen", &listen, "--data"];
        let log = fs::OpenOptions::new().create(true).append(true).open(self.log_file()).unwrap();
        let mut process = self
            .product
            .command(&words)
            .arg(&data)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        self.process = Some(process);
        let address = lines.by_ref().find_map(|line| {
            line.ok()?.strip_prefix("listening on:")?.trim().parse::<SocketAddr>().ok()
        });
        self.address = address.unwrap_or_else(|| panic!("it does not start:\n{}", self.log()));
        // Nobody has to read the rest, but somebody does.
        thread::spawn(move || lines.for_each(drop));
    }

    /// Its process.
    pub fn process(&self) -> u32 {
        self.process.as_ref().unwrap().id()
    }

    /// Kills it.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    /// Kills it and starts it anew.
    pub fn restart(&mut self) {
        self.kill();
        self.start();
    }

    /// Changes the configuration for the next start.
    pub fn configure(&self, config: &str) {
        self.product.write("server.toml", format!("{QUICK}{config}"));
    }

    /// The data directory.
    pub fn data(&self) -> PathBuf {
        self.product.path("data")
    }

    fn log_file(&self) -> PathBuf {
        self.product.path("log")
    }

    /// What it has logged.
    pub fn log(&self) -> String {
        fs::read_to_string(self.log_file()).unwrap_or_default()
    }

    /// Brings a file, for a tenant; returns the asset's id.
    #[track_caller]
    pub fn asset_of(&self, tenant: &str, file: &Path) -> String {
        let (file, data) = (file.to_str().unwrap(), self.data());
        let words = ["asset", "add", file, "--tenant", tenant, "--data", data.to_str().unwrap()];
        super::text(&self.product.run(&words).ok(), "/asset_id").to_owned()
    }

    /// Brings a file of the only tenant.
    #[track_caller]
    pub fn asset(&self, file: &Path) -> String {
        self.asset_of("local", file)
    }

    /// A second of a small film.
    #[track_caller]
    pub fn short(&self) -> String {
        self.clip("short.mp4", 1)
    }

    /// A film that takes long enough to be disturbed.
    #[track_caller]
    pub fn long(&self) -> String {
        self.clip("long.mp4", 60)
    }

    #[track_caller]
    fn clip(&self, name: &str, seconds: u32) -> String {
        let words = format!(
            "-f lavfi -i testsrc2=size=320x180:rate=25:duration={seconds} -c:v libx264 -preset ultrafast -pix_fmt yuv420p"
        );
        self.asset(&crate::sources::make(self.product.path(name), &words))
    }

    /// A token of a tenant's user with all that it takes to render.
    #[track_caller]
    pub fn token(&self, tenant: &str, subject: &str, scopes: &[&str]) -> String {
        let data = self.data();
        let mut words = vec!["token", "create", "--tenant", tenant, "--subject", subject];
        for scope in scopes {
            words.extend(["--scope", scope]);
        }
        words.extend(["--data", data.to_str().unwrap()]);
        super::text(&self.product.run(&words).ok(), "/secret").to_owned()
    }

    /// A client of the newest revision that can show forms.
    pub fn connect(&self) -> Client {
        Client::connect(self.address, None, &serde_json::json!({ "elicitation": {} }))
    }

    /// A client that can show nothing.
    pub fn connect_plain(&self) -> Client {
        Client::connect(self.address, None, &serde_json::json!({}))
    }

    /// A client with a token.
    pub fn connect_as(&self, token: &str) -> Client {
        Client::connect(self.address, Some(token), &serde_json::json!({ "elicitation": {} }))
    }

    /// The files that renders have left for good.
    pub fn artifacts(&self) -> Vec<PathBuf> {
        files(&self.data().join("artifacts"))
    }

    /// The files that somebody works on.
    pub fn drafts(&self) -> Vec<PathBuf> {
        files(&self.data().join("tmp"))
    }

    /// Waits until nothing is worked on: no draft, no process.
    #[track_caller]
    pub fn is_idle(&self) {
        until("the server is idle", || {
            (self.drafts().is_empty() && processes::ffmpegs(self.process()).is_empty())
                .then_some(())
        });
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        if thread::panicking() {
            let log = self.log();
            let lines: Vec<&str> = log.lines().rev().take(40).collect();
            eprintln!("the server's log:");
            lines.iter().rev().for_each(|line| eprintln!("{line}"));
        }
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => found.extend(files(&entry.path())),
            _ => found.push(entry.path()),
        }
    }
    found.sort();
    found
}

/// The answer to a question with which a render ends well.
pub fn yes() -> Value {
    serde_json::json!({ "action": "accept", "content": { "approved": true } })
}

/// The arguments of a render without a watermark.
pub fn plain(asset: &str) -> Value {
    serde_json::json!({ "source_asset_id": asset, "resolution": "720p" })
}

/// The same with a text as its watermark, which a person is asked about.
pub fn marked(asset: &str) -> Value {
    let mut arguments = plain(asset);
    arguments["watermark"] = serde_json::json!({ "mode": "text", "text": "DRAFT" });
    arguments
}
