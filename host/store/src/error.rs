//! What can go wrong in the store.

/// A result of the store.
pub type Result<T> = std::result::Result<T, Error>;

/// Why the store did not do it. Nothing has changed then, with one exception:
/// after [`Error::Io`] from a commit it is unknown until the store is opened
/// again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such thing, or it is somebody else's: nobody can tell which.
    #[error("There is no such {0}.")]
    NotFound(&'static str),
    /// The render was there and its time is over. Only its own tenant is told,
    /// and only for a day.
    #[error("The render has expired.")]
    Expired,
    /// Somebody else has changed the render since it was read, or the attempt
    /// is not the latest one any more. Whoever gets this has lost the render.
    #[error("The render has been changed by somebody else.")]
    LostRace,
    /// The asset is the source or the mark of a render that has not ended.
    #[error("The asset is used by a render that has not ended.")]
    InUse,
    /// There are as many as are allowed.
    #[error("There are already {at_most} {what}, and no more are allowed.")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many are allowed.
        at_most: u32,
    },
    /// An argument that cannot be; a mistake of the caller.
    #[error("{0}")]
    Invalid(String),
    /// The disk, or a quota on it, is full.
    #[error("The disk that holds the data directory is full.")]
    Full,
    /// Another process holds the data directory or the database.
    #[error("{0}")]
    Locked(String),
    /// The data directory was written by a newer version of the program.
    #[error(
        "The data directory has format {found}, and this version knows {known} at most; use the version that wrote it."
    )]
    TooNew {
        /// The format of the data.
        found: i64,
        /// The newest one that this version knows.
        known: i64,
    },
    /// The database is damaged or is not ours.
    #[error("The database is damaged or is not one of this program: {0}")]
    Corrupt(String),
    /// The store is closing.
    #[error("The store is closing.")]
    Closed,
    /// The file system or the database failed.
    #[error("The store failed: {0}")]
    Io(String),
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        use std::io::ErrorKind as Kind;
        match error.kind() {
            Kind::StorageFull | Kind::QuotaExceeded => Self::Full,
            _ => Self::Io(error.to_string()),
        }
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode as Code;
        let told = error.to_string();
        match error.sqlite_error_code() {
            Some(Code::DiskFull) => Self::Full,
            Some(Code::DatabaseBusy | Code::DatabaseLocked) => Self::Locked(
                "Another process keeps the database locked; try again when it is done.".into(),
            ),
            Some(Code::DatabaseCorrupt | Code::NotADatabase) => Self::Corrupt(told),
            _ => Self::Io(told),
        }
    }
}
