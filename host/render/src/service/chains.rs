//! Which plugins make which container for whom.

use std::collections::BTreeMap;
use std::future::Future;

use stage::model::Stage;

use crate::chain::{Chain, Pin};
use crate::failure::Failure;
use crate::request::Container;

/// A chain that is being loaded.
pub type Loading = std::pin::Pin<Box<dyn Future<Output = Result<Chain, Failure>> + Send>>;

/// Finds chains.
pub trait Chains: Send + Sync {
    /// The chain of a tenant for a container, as it is configured now.
    fn configured(&self, tenant: &str, container: Container) -> Loading;

    /// The chain that was pinned when a question was asked, from the bytes of
    /// its components, whatever is configured now.
    fn pinned(&self, pins: BTreeMap<Stage, Pin>, components: BTreeMap<Stage, Vec<u8>>) -> Loading;
}
