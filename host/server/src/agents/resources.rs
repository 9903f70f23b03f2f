//! Films, previews and the summary of the server as resources.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use contract::catalogue::Code;
use contract::envelope::Envelope;
use contract::failure::Failure;
use contract::{answers, summary};
use mcp::model::{
    Annotations, Body, Meta, Page, Resource, ResourceContents, ResourceTemplate, Role,
};
use mcp::{Caller, RpcError};
use render::service::rfc3339;
use serde_json::json;
use store::{Artifact, ArtifactKind, PageRequest};

use super::tools::OTHER;
use super::{Agents, VERSION};

/// How many resources a page lists.
const PAGE: u32 = 50;

/// What an address names.
enum Named<'a> {
    Summary,
    Artifact(&'a str, ArtifactKind),
}

fn named(uri: &str) -> Option<Named<'_>> {
    if uri == summary::URI {
        return Some(Named::Summary);
    }
    let (id, what) = uri.strip_prefix("video://renders/")?.split_once('/')?;
    let kind = match what {
        "output" => ArtifactKind::Output,
        "watermark-preview.png" => ArtifactKind::Preview,
        _ => return None,
    };
    Some(Named::Artifact(id, kind))
}

fn uri_of(render_id: &str, kind: ArtifactKind) -> String {
    match kind {
        ArtifactKind::Output => answers::film_uri(render_id),
        ArtifactKind::Preview => answers::preview_uri(render_id),
    }
}

/// The patterns of addresses.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template =
        |kind, name: &str, description: &str, mime_type: Option<&str>| ResourceTemplate {
            uri_template: uri_of("{render_id}", kind),
            name: name.to_owned(),
            description: Some(description.to_owned()),
            mime_type: mime_type.map(str::to_owned),
            ..ResourceTemplate::default()
        };
    vec![
        template(ArtifactKind::Output, "film", "The finished film of a render.", None),
        template(
            ArtifactKind::Preview,
            "watermark-preview",
            "The frame that a person is asked to approve.",
            Some("image/png"),
        ),
    ]
}

impl Agents {
    pub(super) async fn resources(
        &self,
        caller: &Caller,
        cursor: Option<&str>,
    ) -> Result<Page<Resource>, RpcError> {
        let who = super::caller(&caller.principal)?;
        let request = PageRequest { cursor: cursor.map(str::to_owned), limit: PAGE };
        let page =
            self.service.artifacts(who, request).await.map_err(|failure| match failure.code {
                Code::InvalidField => RpcError::invalid_params(failure.message),
                _ => self.rpc_error(caller, &Envelope::new(failure)),
            })?;
        let first = cursor.is_none().then(|| summary_resource(&self.fingerprint));
        let items = page.items.iter().map(|artifact| self.resource(artifact));
        Ok(Page { items: first.into_iter().chain(items).collect(), next: page.next })
    }

    fn resource(&self, artifact: &Artifact) -> Resource {
        let Artifact { render, kind, media_type, bytes, created, .. } = artifact;
        let (name, description) = match kind {
            ArtifactKind::Output => (format!("{render} film"), "The finished film of a render."),
            ArtifactKind::Preview => {
                (format!("{render} preview"), "The frame that a person is asked to approve.")
            }
        };
        Resource {
            uri: uri_of(render, *kind),
            name,
            description: Some(description.to_owned()),
            mime_type: Some(media_type.clone()),
            size: Some(*bytes),
            annotations: Some(Annotations {
                audience: vec![Role::User],
                last_modified: Some(rfc3339(*created)),
                ..Annotations::default()
            }),
            ..Resource::default()
        }
    }

    pub(super) async fn is_readable(&self, caller: &Caller, uri: &str) -> Result<(), RpcError> {
        match named(uri) {
            Some(Named::Summary) => Ok(()),
            Some(Named::Artifact(id, _)) => {
                let who = super::caller(&caller.principal)?;
                let found = self.service.render(who, id).await;
                found.map(drop).map_err(|failure| self.unreadable(caller, uri, failure))
            }
            None => Err(RpcError::resource_not_found(uri)),
        }
    }

    pub(super) async fn read(
        &self,
        caller: &Caller,
        uri: &str,
    ) -> Result<Vec<ResourceContents>, RpcError> {
        let (mime_type, body) = match named(uri) {
            Some(Named::Summary) => {
                let whole = summary::whole(VERSION, &self.uploads);
                ("application/json".to_owned(), Body::Text(whole.to_string()))
            }
            Some(Named::Artifact(id, kind)) => self.artifact(caller, uri, id, kind).await?,
            None => return Err(RpcError::resource_not_found(uri)),
        };
        let uri = uri.to_owned();
        Ok(vec![ResourceContents { uri, mime_type: Some(mime_type), body, meta: Meta::new() }])
    }

    async fn artifact(
        &self,
        caller: &Caller,
        uri: &str,
        id: &str,
        kind: ArtifactKind,
    ) -> Result<(String, Body), RpcError> {
        let who = super::caller(&caller.principal)?;
        let opened = self.service.artifact(who, id, kind).await;
        let (artifact, mut file) =
            opened.map_err(|failure| self.unreadable(caller, uri, failure))?;
        if artifact.bytes > self.inline_bytes {
            return Err(self.too_large(caller, &artifact).await);
        }
        let read = tokio::task::spawn_blocking(move || {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut file, &mut bytes).map(|_| STANDARD.encode(bytes))
        });
        let blob = read.await.ok().and_then(Result::ok).ok_or_else(RpcError::internal)?;
        Ok((artifact.media_type, Body::Blob(blob)))
    }

    /// The error of a file that no answer carries, with where it can be fetched.
    async fn too_large(&self, caller: &Caller, artifact: &Artifact) -> RpcError {
        let message = format!(
            "The file has {} bytes and a read carries {} at most; fetch it from its download address.",
            artifact.bytes, self.inline_bytes
        );
        let mut failure = Failure::new(Code::TooLargeToInline, message);
        let who = super::caller(&caller.principal);
        if let Ok(who) = who
            && let Ok(view) = self.service.render(who, &artifact.render).await
        {
            let Artifact { tenant, render, kind, .. } = artifact;
            let expires = view.render.expires;
            let download = self.downloads.download(tenant, render, *kind, expires);
            failure = failure
                .with("download_url", download.url)
                .with("expires_at", download.expires_at)
                .with("bytes", artifact.bytes);
        }
        let data = Envelope::new(failure.clone()).to_json(&caller.request_id, &self.fingerprint);
        RpcError::new(OTHER, failure.message).with_data(data)
    }

    fn unreadable(&self, caller: &Caller, uri: &str, failure: Failure) -> RpcError {
        match failure.code {
            Code::RenderNotFound | Code::RenderExpired => RpcError::resource_not_found(uri),
            _ => self.rpc_error(caller, &Envelope::new(failure)),
        }
    }
}

fn summary_resource(fingerprint: &str) -> Resource {
    let mut meta = Meta::new();
    meta.insert("com.video-render/fingerprint".into(), json!(fingerprint));
    Resource {
        uri: summary::URI.to_owned(),
        name: "capabilities".to_owned(),
        description: Some("What this server does and does not do, in JSON.".to_owned()),
        mime_type: Some("application/json".to_owned()),
        meta,
        ..Resource::default()
    }
}
