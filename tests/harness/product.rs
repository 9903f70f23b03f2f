//! Running the program as a user would, in a folder of its own.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The program, with a folder for one test's files.
pub struct Product {
    dir: TempDir,
}

/// How a run of the program ended.
#[derive(Debug)]
pub struct Ran {
    /// The exit code; -1 if a signal ended it.
    pub code: i32,
    /// The one object on standard output.
    pub json: Value,
    /// Standard error.
    pub stderr: String,
}

impl Default for Product {
    fn default() -> Self {
        Self::new()
    }
}

impl Product {
    /// A fresh, empty folder.
    pub fn new() -> Self {
        assert!(program().is_file(), "{} is missing: use `cargo xtask test`", program().display());
        Self { dir: tempfile::tempdir().unwrap() }
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file in the folder.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, contents).unwrap();
        path
    }

    /// The names in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.dir())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The program with these arguments, not started yet: no terminal, its
    /// caches shared between tests.
    pub fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(program());
        command
            .args(args)
            .current_dir(self.dir())
            .stdin(Stdio::null())
            .env("XDG_CACHE_HOME", program().with_file_name("test-cache"));
        command
    }

    /// Runs the program to its end with `--json`.
    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Ran {
        let output = self.command(args).arg("--json").output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        Ran {
            code: output.status.code().unwrap_or(-1),
            json: serde_json::from_str(&stdout).unwrap_or(Value::Null),
            stderr,
        }
    }

    /// Renders to `out.mp4` in the folder, with more arguments.
    pub fn render(&self, input: &Path, more: &[&str]) -> Ran {
        let mut args = vec!["render", input.to_str().unwrap(), "-o", "out.mp4"];
        args.extend(more);
        self.run(&args)
    }
}

impl Ran {
    /// Demands success.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert_eq!(self.code, 0, "{} {}", self.json, self.stderr);
        self.json
    }

    /// Demands a failure with this exit code and error code; returns its
    /// message. The message must be one sentence.
    #[track_caller]
    pub fn failed(&self, exit: i32, code: &str) -> String {
        assert_eq!(self.json["error"]["code"], code, "{} {}", self.json, self.stderr);
        assert_eq!(self.code, exit, "{} {}", self.json, self.stderr);
        let message = self.json["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.ends_with('.') && !message.contains('\n'), "one sentence: {message:?}");
        assert!(self.stderr.contains(&format!("error[{code}]: {message}")), "{}", self.stderr);
        message
    }

    /// The codes of the warnings.
    pub fn warnings(value: &Value) -> Vec<String> {
        let warnings = value["warnings"].as_array().unwrap();
        warnings.iter().map(|warning| warning["code"].as_str().unwrap().to_owned()).collect()
    }
}

/// The folder of built programs.
fn built() -> PathBuf {
    // This test's own program is in `deps` there.
    std::env::current_exe().unwrap().parent().unwrap().parent().unwrap().to_owned()
}

/// The program under test.
pub fn program() -> PathBuf {
    built().join("video-render-mcp")
}

/// The program of `cargo xtask demo`.
pub fn demo() -> PathBuf {
    built().join("demo")
}

/// The installed reference plugins.
pub fn plugins() -> PathBuf {
    built().join("plugins")
}

/// A component that is made for tests only.
pub fn fixture(name: &str) -> PathBuf {
    let file = built().join("plugin-fixtures").join(format!("{name}.wasm"));
    assert!(file.is_file(), "{} is missing: use `cargo xtask test`", file.display());
    file
}
