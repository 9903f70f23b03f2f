//! Assets: files that a tenant brought.

use std::fs::File;

use serde_json::Value;

use crate::Reply;
use crate::clock::Millis;
use crate::draft::{Draft, Upload};
use crate::error::Result;
use crate::page::{Page, PageRequest};

/// A file to become an asset.
#[derive(Clone, Debug)]
pub struct NewAsset {
    /// Who will own it.
    pub tenant: String,
    /// Which identity brings it.
    pub owner: String,
    /// What its owner calls it.
    pub name: String,
    /// What a look into it has shown.
    pub media: Value,
    /// What the bytes must hash to, where that was promised.
    pub sha256: Option<[u8; 32]>,
}

/// An asset.
#[derive(Clone, Debug, PartialEq)]
pub struct Asset {
    /// Its id: `as_` and 26 characters of `[a-z2-7]`, 130 bits of chance.
    pub id: String,
    /// Who owns it.
    pub tenant: String,
    /// Which identity brought it.
    pub owner: String,
    /// What its owner calls it.
    pub name: String,
    /// What a look into it has shown.
    pub media: Value,
    /// The hash of its bytes.
    pub sha256: [u8; 32],
    /// Its size.
    pub bytes: u64,
    /// When it was added.
    pub created: Millis,
}

/// A tenant's assets. The same bytes are kept once within a tenant, however
/// many assets they are. Errors beside those named as for [`Renders`].
///
/// [`Renders`]: crate::Renders
pub trait Assets: Send + Sync {
    /// An empty file on the store's own disk, for something that is being
    /// made; its name ends in `suffix`. A short call that blocks.
    ///
    /// # Errors
    ///
    /// `Full` or `Io`.
    fn draft(&self, suffix: &str) -> Result<Draft>;

    /// Begins or takes up an upload of bytes with this hash. A short call that
    /// blocks.
    ///
    /// # Errors
    ///
    /// `Locked` while somebody else is at the same upload; `Full` or `Io`.
    fn upload(&self, tenant: &str, sha256: &[u8; 32]) -> Result<Upload>;

    /// Keeps a file as an asset. `Invalid` if its bytes are not those that were
    /// promised.
    fn add_asset(&self, asset: NewAsset, file: Draft) -> Reply<Asset>;

    /// An asset of the tenant; `NotFound`.
    fn asset(&self, tenant: &str, id: &str) -> Reply<Asset>;

    /// An asset of the tenant, opened for reading; `NotFound`. The file stays
    /// readable while it is open, even if the asset is removed.
    fn open_asset(&self, tenant: &str, id: &str) -> Reply<(Asset, File)>;

    /// The newest asset of the tenant with these bytes.
    fn asset_of(&self, tenant: &str, sha256: [u8; 32]) -> Reply<Option<Asset>>;

    /// The tenant's assets, newest first.
    fn assets(&self, tenant: &str, page: PageRequest) -> Reply<Page<Asset>>;

    /// Removes an asset; `NotFound`, or `InUse` while a render needs it.
    fn remove_asset(&self, tenant: &str, id: &str) -> Reply<()>;
}
