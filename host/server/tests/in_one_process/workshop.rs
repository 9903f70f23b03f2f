//! Renders in this process, with the real program as the jail's launcher and
//! the components that `cargo xtask plugins` has built.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use media::{Ffmpeg, Launcher, Limits, Tools};
use render::chain::{Chain, Link};
use render::clock::SystemClock;
use render::render::Host;
use render::request::{Container, Mark, Position, Request, Resolution};
use render::watch::Unwatched;
use serde_json::{Value, json};
use stage::model::Stage;
use stage::{Engine, EngineConfig, Terms};

/// The engines that all renders of a test share, and a folder for its files.
pub(crate) struct Workshop {
    pub(crate) engine: Engine,
    pub(crate) host: Host,
    pub(crate) dir: tempfile::TempDir,
}

fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_video-render-mcp"))
}

/// A built component, by its place beside the program.
fn component(place: &str) -> Vec<u8> {
    let file = program().with_file_name(place);
    std::fs::read(&file)
        .unwrap_or_else(|error| panic!("{}: {error}; use `cargo xtask test`", file.display()))
}

impl Workshop {
    pub(crate) async fn new() -> Self {
        let cache_dir = Some(program().with_file_name("test-cache").join("video-render-mcp"));
        let engine = Engine::new(EngineConfig { cache_dir, ..EngineConfig::default() }).unwrap();
        let launcher = Launcher { program: program(), args: vec!["__jail".into()] };
        let tools = Tools::find(None, None).unwrap();
        let host = Host {
            ffmpeg: Ffmpeg::new(tools, launcher, Limits::default()).unwrap(),
            clock: Arc::new(SystemClock),
            approval_time: Duration::from_secs(3600),
            watcher: Arc::new(Unwatched),
        };
        Self { engine, host, dir: tempfile::tempdir().unwrap() }
    }

    /// The reference plugins, with the hostile one in the place of `stage` if
    /// a mode is given.
    pub(crate) async fn chain(&self, hostile: Option<(Stage, &str)>) -> Chain {
        let mut links = BTreeMap::new();
        for (stage, name) in [
            (Stage::Encode, "encode-standard"),
            (Stage::Watermark, "watermark-overlay"),
            (Stage::Mux, "mux-isobmff"),
        ] {
            let (name, place, parameters) = match hostile {
                Some((at, mode)) if at == stage => (
                    "hostile",
                    "plugin-fixtures/hostile.wasm".to_owned(),
                    json!({ "mode": mode, "stage": stage }),
                ),
                _ => (name, format!("plugins/{name}.wasm"), json!({})),
            };
            links.insert(stage, self.link(stage, name, &place, &parameters).await);
        }
        Chain::new(links).unwrap()
    }

    async fn link(&self, stage: Stage, name: &str, place: &str, parameters: &Value) -> Link {
        let bytes = component(place);
        let plugin = self.engine.load(&bytes).await.unwrap();
        Link::new(stage, name, plugin, Arc::new(bytes), parameters, Terms::default()).unwrap()
    }

    /// Two seconds of picture and sound.
    pub(crate) fn source(&self) -> PathBuf {
        let file = self.dir.path().join("in.mp4");
        let words = "-nostdin -loglevel error -y -f lavfi -i testsrc2=size=320x180:rate=25:duration=2 -f lavfi -i sine=duration=2:sample_rate=48000 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac";
        let made = Command::new("ffmpeg").args(words.split(' ')).arg(&file).status().unwrap();
        assert!(made.success());
        file
    }

    pub(crate) fn request(&self, source: &Path, output: &str) -> Request {
        Request {
            input: source.to_owned(),
            output: self.dir.path().join(output),
            overwrite: false,
            container: Container::Mp4,
            resolution: Resolution::Hd,
            watermark: Mark::Text("CONFIDENTIAL".into()),
            position: Position::Center,
            approval_required: true,
        }
    }

    /// The names in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.dir.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}
