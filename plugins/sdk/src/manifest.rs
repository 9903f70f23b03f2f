//! What a plugin says about itself.

use schemars::JsonSchema;
use serde::Deserialize;

/// Name, version, parameters, containers and marks of a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) parameters: Option<String>,
    pub(crate) containers: Vec<String>,
    pub(crate) marks: Vec<String>,
}

impl Manifest {
    /// A plugin without parameters that serves every container. The name is
    /// lower-case words joined by hyphens, the version semantic;
    /// [`manifest!`](crate::manifest) takes both from Cargo.toml.
    pub fn new(name: &str, version: &str) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
            parameters: None,
            containers: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// Describes the parameters by the type that they are read into. Give the
    /// struct `#[serde(default, deny_unknown_fields)]`: the host wants a
    /// default for every property.
    ///
    /// ```
    /// use stage_sdk::{Manifest, schemars::{self, JsonSchema}};
    ///
    /// #[derive(serde::Deserialize, serde::Serialize, JsonSchema, Default)]
    /// #[serde(default, deny_unknown_fields)]
    /// struct Settings {
    ///     /// In percent.
    ///     #[schemars(range(min = 0, max = 50))]
    ///     margin: u8,
    /// }
    ///
    /// let manifest = Manifest::new("edge", "1.0.0").parameters::<Settings>();
    /// assert!(manifest.schema().is_some_and(|schema| schema.contains("margin")));
    /// ```
    pub fn parameters<P: JsonSchema>(mut self) -> Self {
        self.parameters = Some(schemars::schema_for!(P).as_value().to_string());
        self
    }

    /// Adds a container that the plugin can serve, such as `mp4`.
    pub fn container(mut self, name: &str) -> Self {
        self.containers.push(name.into());
        self
    }

    /// Adds a kind of mark that a watermark plugin can draw: `text` or `image`.
    /// A plugin that names none draws text; a request for another kind never
    /// reaches it.
    pub fn mark(mut self, kind: &str) -> Self {
        self.marks.push(kind.into());
        self
    }

    /// The JSON Schema of the parameters.
    pub fn schema(&self) -> Option<&str> {
        self.parameters.as_deref()
    }
}

/// A [`Manifest`] with the name and the version of the crate that calls it.
#[macro_export]
macro_rules! manifest {
    () => {
        $crate::Manifest::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
    };
}

/// The parameters of a plugin that has none.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct NoParameters {}
