//! Which plugin fills which stage, for each container.

use std::path::Path;

use render::request::Container;
use serde::Deserialize;
use stage::model::Stage;

/// Which plugin fills which stage: a name in the plugin folder, or a path that
/// ends in `.wasm`, relative to the configuration file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ChainConfig {
    encode: String,
    watermark: String,
    mux: String,
    /// Where a container has other plugins than the rest.
    mp4: Others,
    mov: Others,
    webm: Others,
}

/// The plugins that one container has instead.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Others {
    encode: Option<String>,
    watermark: Option<String>,
    mux: Option<String>,
}

impl Default for ChainConfig {
    fn default() -> Self {
        Self {
            encode: "encode-standard".into(),
            watermark: "watermark-overlay".into(),
            mux: "mux-isobmff".into(),
            mp4: Others::default(),
            mov: Others::default(),
            webm: Others { mux: Some("mux-webm".into()), ..Others::default() },
        }
    }
}

impl ChainConfig {
    fn others(&self, container: Container) -> &Others {
        match container {
            Container::Mp4 => &self.mp4,
            Container::Mov => &self.mov,
            Container::Webm => &self.webm,
        }
    }

    /// Whether the operator has set a plugin for this container alone: somebody wants it made.
    pub(crate) fn is_set_for(&self, container: Container) -> bool {
        let others = self.others(container);
        *others != Others::default() && others != Self::default().others(container)
    }

    /// The plugin of a stage in the chain for a container.
    pub(crate) fn plugin(&self, stage: Stage, container: Container) -> &str {
        let others = self.others(container);
        let (own, all) = match stage {
            Stage::Encode => (&others.encode, &self.encode),
            Stage::Watermark => (&others.watermark, &self.watermark),
            Stage::Mux => (&others.mux, &self.mux),
        };
        own.as_deref().unwrap_or(all)
    }

    /// Every entry of every chain, as it is written.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &str> {
        Container::ALL.iter().flat_map(|container| {
            Stage::ALL.map(|stage| self.plugin(stage, *container)).into_iter()
        })
    }

    /// Takes relative paths from this folder.
    pub(super) fn start_paths_at(&mut self, folder: &Path) {
        let Self { encode, watermark, mux, mp4, mov, webm } = self;
        let own = [mp4, mov, webm].into_iter().flat_map(|others| {
            [&mut others.encode, &mut others.watermark, &mut others.mux].into_iter().flatten()
        });
        for entry in own.chain([encode, watermark, mux]) {
            if is_path(entry) {
                *entry = folder.join(&*entry).to_string_lossy().into_owned();
            }
        }
    }
}

/// Whether a chain entry names a file rather than a plugin of the folder.
pub(crate) fn is_path(entry: &str) -> bool {
    Path::new(entry).extension().is_some_and(|extension| extension == "wasm")
}
