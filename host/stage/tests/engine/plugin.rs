//! A plugin written by hand, and what it is asked.

use std::collections::BTreeMap;
use std::sync::Arc;

use stage::model::{Anchor, Job, Request, Size, Source};
use stage::{Engine, EngineConfig, Limits, Plugin, Terms};
use wit_parser::Resolve;

use crate::common::{encode, here, push, wit_files};

/// What a plugin of the mux stage does differently; each part is WAT for [`plugin.wat`].
pub(super) struct Parts {
    pub(super) describe: String,
    pub(super) schema: &'static str,
    pub(super) start: String,
    pub(super) verdict: &'static str,
    pub(super) resume: &'static str,
    pub(super) begin: &'static str,
    pub(super) write: &'static str,
    pub(super) finish: &'static str,
}

pub(super) const READY: &str = "(call $ready (call $plan))";

impl Default for Parts {
    fn default() -> Self {
        Self {
            describe: String::new(),
            schema: "",
            start: String::new(),
            verdict: READY,
            resume: "(call $ready (local.get $plan))",
            begin: "",
            write: "",
            finish: "",
        }
    }
}

impl Parts {
    /// A plugin that does this before it answers.
    pub(super) fn starting(start: impl Into<String>) -> Self {
        Self { start: start.into(), ..Self::default() }
    }

    /// A plugin that answers so.
    pub(super) fn answering(verdict: &'static str) -> Self {
        Self { verdict, ..Self::default() }
    }

    pub(super) fn build(&self) -> Vec<u8> {
        let text = include_str!("plugin.wat")
            .replace("{schema}", &self.schema.replace('"', "\\22"))
            .replace("{describe}", &self.describe)
            .replace("{start}", &self.start)
            .replace("{verdict}", self.verdict)
            .replace("{resume}", self.resume)
            .replace("{begin}", self.begin)
            .replace("{write}", self.write)
            .replace("{finish}", self.finish);
        let mut resolve = Resolve::default();
        push(&mut resolve, &[("wasi.wit".into(), include_str!("wasi.wit").into())]);
        // The first release: that the host serves it is thereby tested with everything else.
        let mut files = wit_files(&here("tests/snapshot/stage-0.1.0"));
        let world = "world under-test { include mux-plugin; \
                     import wasi:cli/stderr@0.2.0; import wasi:cli/exit@0.2.0; \
                     import wasi:filesystem/preopens@0.2.0; }";
        files.push(("under-test.wit".into(), world.into()));
        let package = push(&mut resolve, &files);
        encode(&resolve, package, "under-test", wat::parse_str(text).unwrap())
    }

    pub(super) async fn load(&self, engine: &Engine) -> Plugin {
        engine.load(&self.build()).await.unwrap()
    }
}

pub(super) fn engine() -> Engine {
    Engine::new(EngineConfig::default()).unwrap()
}

pub(super) fn limited(limits: Limits) -> Terms {
    Terms { limits, ..Terms::default() }
}

pub(super) fn job() -> Job {
    Job {
        source: Arc::new(Source { video: vec![], audio: vec![], tags: BTreeMap::new() }),
        request: Arc::new(Request {
            container: "mp4".into(),
            bounds: Size { width: 1920, height: 1080 },
            watermark_text: None,
            watermark_image: None,
            watermark_anchor: Anchor { x: 0.5, y: 0.5 },
            approval_required: false,
        }),
        parameters: serde_json::json!({}),
        encode_plan: None,
    }
}
