//! The data directory, as the commands find and open it.

use std::path::{Path, PathBuf};

use render::catalogue::Code;
use render::failure::Failure;
use render::service::rfc3339;
use serde_json::{Value, json};
use store::{Asset, Mode, Options, Sqlite};

use crate::config::Config;
use crate::serve::hex;
use crate::setup::user_folder;

/// Where the data directory is: as said, else as configured, else in the user's data folder.
pub(crate) fn directory(said: Option<&Path>, config: &Config) -> Result<PathBuf, Failure> {
    said.or(config.server.data_dir.as_deref())
        .map(Path::to_owned)
        .or_else(|| user_folder("XDG_DATA_HOME", ".local/share"))
        .ok_or_else(|| {
            let message = "There is no home directory to keep data in; name one with --data.";
            Failure::new(Code::ConfigInvalid, message)
        })
}

/// Opens the data directory, and makes it if there is none.
pub(crate) fn open(directory: &Path, mode: Mode) -> Result<Sqlite, Failure> {
    Sqlite::open(directory, Options { mode, ..Options::default() })
        .map_err(|error| unopened(directory, &error))
}

/// What keeps a data directory from being opened is the operator's to mend.
fn unopened(directory: &Path, error: &store::Error) -> Failure {
    let code = match error {
        store::Error::Full => Code::StorageFull,
        _ => Code::DataUnusable,
    };
    let message = match error {
        // Says by itself which directory it is.
        store::Error::Locked(message) => message.clone(),
        error => format!("The data directory {} cannot be used: {error}", directory.display()),
    };
    Failure::new(code, message)
}

/// What an error of the store means on the command line, about `what`.
pub(crate) fn failure(error: &store::Error, what: &str) -> Failure {
    match error {
        store::Error::NotFound(_) => {
            Failure::new(Code::InvalidField, format!("There is no {what}."))
        }
        store::Error::InUse | store::Error::Invalid(_) => {
            Failure::new(Code::InvalidField, error.to_string())
        }
        store::Error::Full => Failure::new(Code::StorageFull, error.to_string()),
        store::Error::Locked(_) | store::Error::TooNew { .. } | store::Error::Corrupt(_) => {
            Failure::new(Code::DataUnusable, error.to_string())
        }
        error => Failure::new(Code::Internal, error.to_string()),
    }
}

/// An asset as it is told, on the command line and over HTTP.
pub(crate) fn asset_json(asset: &Asset) -> Value {
    json!({
        "asset_id": asset.id,
        "name": asset.name,
        "bytes": asset.bytes,
        "sha256": hex::text(&asset.sha256),
        "media": asset.media,
        "created_at": rfc3339(asset.created),
    })
}
