//! Takes real files apart, has them written again, and asks independent readers about the result.

#[path = "../../../../mux-isobmff/tests/files/support/boxes.rs"]
pub(crate) mod boxes;
pub(crate) mod clip;
pub(crate) mod elements;
#[path = "../../../../mux-isobmff/tests/files/support/probe.rs"]
pub(crate) mod probe;
pub(crate) mod reader;

use std::collections::BTreeMap;

use stage_sdk::{Job, NoParameters, Request, Size, Source, SourceVideo};

/// A job that asks for webm, from a source with these tags.
pub(crate) fn job(tags: &[(&str, &str)]) -> Job<NoParameters> {
    let tags: BTreeMap<_, _> =
        tags.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let video = SourceVideo::new("avc1", Size::new(320, 180));
    let request = Request::new("webm", Size::new(1280, 720));
    Job::new(Source::new(vec![video], vec![]).with_tags(tags), request, NoParameters {})
}
