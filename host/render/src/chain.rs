//! Which plugin fills which stage, with what parameters, limits and grants.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use stage::model::Stage;
use stage::{Digest, Grants, Plugin, Terms};

use crate::catalogue::Code;
use crate::failure::Failure;
use crate::request::{Container, Mark};

/// One filled place in the chain.
#[derive(Clone)]
pub struct Link {
    /// The name by which the operator put it in the chain.
    pub name: String,
    /// The loaded plugin.
    pub plugin: Plugin,
    /// The component's bytes, kept for suspensions.
    pub component: std::sync::Arc<Vec<u8>>,
    /// Its parameters, checked and with defaults filled in.
    pub parameters: Value,
    /// Its limits and grants.
    pub terms: Terms,
}

impl Link {
    /// Fits a loaded plugin into a stage.
    ///
    /// # Errors
    ///
    /// `plugin_unusable` if the plugin does not fill the stage,
    /// `config_invalid` if its parameters do not fit its schema.
    pub fn new(
        stage: Stage,
        name: &str,
        plugin: Plugin,
        component: std::sync::Arc<Vec<u8>>,
        given: &Value,
        terms: Terms,
    ) -> Result<Self, Failure> {
        if !plugin.stages().contains(&stage) {
            let fills: Vec<String> = plugin.stages().iter().map(ToString::to_string).collect();
            let message = format!(
                "The plugin `{name}` cannot fill the {stage} stage; it is made for: {}.",
                fills.join(", ")
            );
            return Err(Failure::new(Code::PluginUnusable, message));
        }
        let parameters = plugin.check_parameters(given).map_err(|error| {
            Failure::new(
                Code::ConfigInvalid,
                format!("The parameters of `{name}` are wrong: {error}."),
            )
        })?;
        Ok(Self { name: name.to_owned(), plugin, component, parameters, terms })
    }

    /// What a suspension pins of this link.
    #[must_use]
    pub fn pin(&self) -> Pin {
        Pin {
            name: self.name.clone(),
            digest: *self.plugin.digest(),
            parameters: self.parameters.clone(),
            grants: self.terms.grants.clone(),
        }
    }
}

/// A link as it was when a question was asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pin {
    /// The name in the chain.
    pub name: String,
    /// The component's digest.
    pub digest: Digest,
    /// The parameters, defaults filled in.
    pub parameters: Value,
    /// The grants.
    pub grants: Grants,
}

/// A plugin for every stage.
#[derive(Clone)]
pub struct Chain {
    links: BTreeMap<Stage, Link>,
}

impl Chain {
    /// A chain of these links.
    ///
    /// # Errors
    ///
    /// `internal` if a stage is left empty.
    pub fn new(links: BTreeMap<Stage, Link>) -> Result<Self, Failure> {
        let chain = Self { links };
        for stage in Stage::ALL {
            chain.link(stage)?;
        }
        Ok(chain)
    }

    /// The link of a stage.
    ///
    /// # Errors
    ///
    /// `internal` if it is empty, which [`Chain::new`] rules out.
    pub fn link(&self, stage: Stage) -> Result<&Link, Failure> {
        self.links.get(&stage).ok_or_else(|| {
            Failure::new(Code::Internal, format!("The chain has no plugin for the {stage} stage."))
        })
    }

    /// The links in the order in which they decide.
    pub fn links(&self) -> impl Iterator<Item = (Stage, &Link)> {
        self.links.iter().map(|(stage, link)| (*stage, link))
    }

    /// Refuses a container that a plugin of the chain does not serve.
    ///
    /// # Errors
    ///
    /// `config_invalid` with the stage and the plugin.
    pub fn check_container(&self, container: Container) -> Result<(), Failure> {
        for (stage, link) in &self.links {
            let served = &link.plugin.manifest().containers;
            if !served.is_empty() && !served.contains(&container.to_string()) {
                let message = format!(
                    "The chain cannot make {container}: the {stage} plugin `{}` serves only {}.",
                    link.name,
                    served.join(", ")
                );
                return Err(Failure::new(Code::ConfigInvalid, message));
            }
        }
        Ok(())
    }

    /// Refuses a mark of a kind that the watermark plugin cannot draw.
    ///
    /// # Errors
    ///
    /// `invalid_field` with the plugin.
    pub fn check_mark(&self, mark: &Mark) -> Result<(), Failure> {
        let link = self.link(Stage::Watermark)?;
        match mark.kind() {
            Some(kind) if !link.plugin.draws(kind) => {
                let message = format!(
                    "The watermark plugin `{}` of this chain cannot draw a mark of the kind {kind}.",
                    link.name
                );
                Err(Failure::invalid_field(mark.field(), message)
                    .with("stage", Stage::Watermark.to_string())
                    .with("plugin", link.name.clone()))
            }
            _ => Ok(()),
        }
    }

    /// What a suspension pins.
    #[must_use]
    pub fn pins(&self) -> BTreeMap<Stage, Pin> {
        self.links.iter().map(|(stage, link)| (*stage, link.pin())).collect()
    }
}
