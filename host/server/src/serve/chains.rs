//! Chains for renders, from the configuration or as they were pinned.

use std::collections::BTreeMap;
use std::sync::Arc;

use render::catalogue::Code;
use render::chain::{Chain, Link, Pin};
use render::failure::Failure;
use render::load_error;
use render::request::Container;
use render::service::{Chains, Loading};
use stage::Terms;
use stage::model::Stage;

use crate::setup::Setup;

/// The chains of one configuration. Compiled plugins stay with the engine, so a chain costs the
/// reading of its files.
#[derive(Clone)]
pub(crate) struct ConfiguredChains(pub(crate) Arc<Setup>);

impl Chains for ConfiguredChains {
    // All tenants have the same chains.
    fn configured(&self, _tenant: &str, container: Container) -> Loading {
        let setup = Arc::clone(&self.0);
        Box::pin(async move { setup.chain(container).await })
    }

    fn pinned(&self, pins: BTreeMap<Stage, Pin>, components: BTreeMap<Stage, Vec<u8>>) -> Loading {
        let setup = Arc::clone(&self.0);
        Box::pin(async move { pinned(&setup, pins, components).await })
    }
}

/// What a person was shown goes on with the parameters and grants of then; limits protect the host
/// and are those of now.
async fn pinned(
    setup: &Setup,
    pins: BTreeMap<Stage, Pin>,
    mut components: BTreeMap<Stage, Vec<u8>>,
) -> Result<Chain, Failure> {
    let mut links = BTreeMap::new();
    for (stage, pin) in pins {
        let component = components.remove(&stage).unwrap_or_default();
        let plugin =
            setup.engine.load(&component).await.map_err(|error| load_error(&pin.name, &error))?;
        if *plugin.digest() != pin.digest {
            let message = format!("The stored plugin `{}` is not the one that asked.", pin.name);
            return Err(Failure::new(Code::Internal, message));
        }
        let Terms { limits, .. } = setup.config.terms(&pin.name);
        let terms = Terms { limits, grants: pin.grants };
        let component = Arc::new(component);
        let link = Link::new(stage, &pin.name, plugin, component, &pin.parameters, terms)?;
        links.insert(stage, link);
    }
    Chain::new(links)
}
