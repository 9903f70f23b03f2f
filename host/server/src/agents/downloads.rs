//! Addresses at which films can be fetched.

use store::{ArtifactKind, Millis};

/// An address and until when it works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Download {
    /// The address.
    pub(crate) url: String,
    /// Until when it works, by RFC 3339.
    pub(crate) expires_at: String,
}

/// Makes addresses. They are made when they are told and never kept.
pub(crate) trait Downloads: Send + Sync {
    /// The address of what a render has made. It works no longer than the
    /// render is kept.
    fn download(
        &self,
        tenant: &str,
        render_id: &str,
        kind: ArtifactKind,
        render_expires: Millis,
    ) -> Download;
}
