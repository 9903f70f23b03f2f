//! Takes real files apart, has them written again, and asks independent readers about the result.

pub(crate) mod boxes;
pub(crate) mod clip;
pub(crate) mod probe;
pub(crate) mod readers;

use std::collections::BTreeMap;

use stage_sdk::{Job, NoParameters, Request, Size, Source, SourceVideo};

/// A job that asks for a container, from a source with these tags.
pub(crate) fn job(container: &str, tags: &[(&str, &str)]) -> Job<NoParameters> {
    let tags: BTreeMap<_, _> =
        tags.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let video = SourceVideo::new("avc1", Size::new(320, 180));
    let request = Request::new(container, Size::new(1280, 720));
    Job::new(Source::new(vec![video], vec![]).with_tags(tags), request, NoParameters {})
}
