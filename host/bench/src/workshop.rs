//! Where things are: the built program, its plugins, clips, and what renders write.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::child::Run;

/// The folders of a measurement.
pub(crate) struct Workshop {
    /// Where built programs are.
    built: PathBuf,
    /// What is made here, kept for the next time.
    folder: PathBuf,
}

impl Workshop {
    pub(crate) fn open() -> Outcome<Self> {
        let built = std::env::current_exe()?.parent().map(Path::to_owned);
        let built = built.ok_or("this program lies in no folder")?;
        let folder = built.join("bench-files");
        std::fs::create_dir_all(&folder)?;
        let workshop = Self { built, folder };
        if !workshop.program().is_file() {
            return Err(format!(
                "{} is missing: use `cargo xtask bench`",
                workshop.program().display()
            )
            .into());
        }
        Ok(workshop)
    }

    pub(crate) fn program(&self) -> PathBuf {
        self.built.join("video-render-mcp")
    }

    /// A file or folder of this measurement.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A reference plugin, if it is built.
    pub(crate) fn plugin(&self, name: &str) -> Option<PathBuf> {
        existing(self.built.join("plugins").join(format!("{name}.wasm")))
    }

    /// A plugin for tests, if it is built.
    pub(crate) fn fixture(&self, name: &str) -> Option<PathBuf> {
        existing(self.built.join("plugin-fixtures").join(format!("{name}.wasm")))
    }

    /// The minimal server on the official SDK, if it is built: it has a target folder of its own
    /// beside this one's profile.
    pub(crate) fn reference(&self) -> Option<PathBuf> {
        let target = self.built.parent()?;
        existing(target.join("reference").join("debug").join("bench-reference"))
    }

    /// A file with a chain or the rest of a configuration.
    pub(crate) fn chain(&self, name: &str, contents: &str) -> Outcome<PathBuf> {
        let file = self.file(name);
        std::fs::write(&file, contents)?;
        Ok(file)
    }

    /// A render into an empty folder, with compiled plugins of an earlier run.
    pub(crate) fn render(&self, source: &Path, chain: Option<&Path>, more: &[&str]) -> Run {
        let mut words: Vec<OsString> = vec![
            self.program().into(),
            "render".into(),
            source.into(),
            "-o".into(),
            self.output("ours.mp4").into(),
        ];
        words.extend(more.iter().map(OsString::from));
        if let Some(chain) = chain {
            words.extend(["--chain".into(), chain.into()]);
        }
        Run {
            words,
            exits_with: 0,
            environment: vec![("XDG_CACHE_HOME", self.file("cache").into())],
            fresh: vec![self.file("output")],
        }
    }

    /// A file in the folder that is emptied before each run.
    pub(crate) fn output(&self, name: &str) -> PathBuf {
        self.file("output").join(name)
    }

    /// Plain ffmpeg, as quiet as the product has it.
    pub(crate) fn ffmpeg(&self, arguments: Vec<OsString>) -> Run {
        let quiet = ["ffmpeg", "-nostdin", "-hide_banner", "-nostats", "-loglevel", "error", "-y"];
        let mut words: Vec<OsString> = quiet.map(OsString::from).into();
        words.extend(arguments);
        Run { words, fresh: vec![self.file("output")], ..Run::default() }
    }
}

fn existing(file: PathBuf) -> Option<PathBuf> {
    file.is_file().then_some(file)
}
