//! Tool results: the structured answer, the same as text, and what a person is
//! to see.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use contract::answers::{self, Film, State};
use contract::envelope::Envelope;
use mcp::Caller;
use mcp::model::{Annotations, Content, Meta, ResourceLink, Role, ToolResult};
use render::request::Container;
use render::service::{View, rfc3339};
use serde_json::{Value, json};
use store::ArtifactKind;

use super::{Agents, Download, thumbnail};

/// The key of a download address in a resource's `_meta`.
pub(super) const DOWNLOAD_META: &str = "com.video-render/download_url";

/// A result that is no more than its structure, and the same as text.
pub(super) fn plain(structured: &Value) -> ToolResult {
    ToolResult {
        content: vec![Content::text(structured.to_string())],
        structured: Some(structured.clone()),
        ..ToolResult::default()
    }
}

impl Agents {
    /// An error as a tool's result.
    pub(super) fn error(&self, caller: &Caller, envelope: &Envelope) -> ToolResult {
        let structured = envelope.to_json(&caller.request_id, &self.fingerprint);
        ToolResult { is_error: true, ..plain(&structured) }
    }

    /// How a render that is over has ended.
    pub(super) fn outcome(&self, caller: &Caller, view: &View) -> ToolResult {
        match (view.film(), view.envelope()) {
            (Some(film), _) => self.film(view, &film),
            (None, Some(envelope)) => self.error(caller, &envelope),
            (None, None) => ToolResult::error("The render ended without a film."),
        }
    }

    fn film(&self, view: &View, film: &Film) -> ToolResult {
        let download = self.film_download(view);
        let mut result = plain(&answers::completed(&view.render.id, film));
        result.content.push(download_text(&download));
        result.content.push(Content::ResourceLink(link(view, film, &download)));
        result
    }

    pub(super) fn film_download(&self, view: &View) -> Download {
        let render = &view.render;
        self.downloads.download(&render.tenant, &render.id, ArtifactKind::Output, render.expires)
    }

    /// A render's status as a tool's result; a failed render's is a success.
    pub(super) async fn status_result(&self, caller: &Caller, view: &View) -> ToolResult {
        let status = view.status(&caller.request_id, &self.fingerprint, Vec::new());
        let mut result = plain(&status.to_json());
        match view.state() {
            State::Completed => {
                let download = self.film_download(view);
                result.content.push(download_text(&download));
                if let Some(film) = view.film() {
                    result.content.push(Content::ResourceLink(link(view, &film, &download)));
                }
            }
            State::AwaitingWatermarkApproval => {
                result.content.extend(self.preview_image(caller, view).await);
            }
            _ => {}
        }
        result
    }

    /// The preview as a picture for the person, made small.
    async fn preview_image(&self, caller: &Caller, view: &View) -> Option<Content> {
        let who = super::caller(&caller.principal).ok()?;
        let opened = self.service.artifact(who, &view.render.id, ArtifactKind::Preview).await;
        let (_, mut file) = opened.ok()?;
        let small = tokio::task::spawn_blocking(move || {
            let mut png = Vec::new();
            std::io::Read::read_to_end(&mut file, &mut png).ok()?;
            thumbnail::of(&png)
        });
        Some(Content::Image {
            data: STANDARD.encode(small.await.ok()??),
            mime_type: "image/png".to_owned(),
            annotations: Some(Annotations { audience: vec![Role::User], ..Annotations::default() }),
        })
    }
}

fn download_text(download: &Download) -> Content {
    Content::text(format!("Download until {}: {}", download.expires_at, download.url))
}

/// The film as a resource, named for people.
fn link(view: &View, film: &Film, download: &Download) -> ResourceLink {
    let id = &view.render.id;
    let media_type = film.output_format.parse::<Container>().map(Container::media_type).ok();
    let size = format!("{}×{} {}", film.width, film.height, film.output_format);
    let description = match view.mark_in_words().filter(|_| film.watermark_applied) {
        Some(mark) => format!("{size}, {mark}."),
        None => format!("{size}."),
    };
    let mut meta = Meta::new();
    meta.insert(DOWNLOAD_META.to_owned(), json!(download.url));
    ResourceLink {
        uri: answers::film_uri(id),
        name: format!("{id}.{}", film.output_format),
        description: Some(description),
        mime_type: media_type.map(str::to_owned),
        annotations: Some(Annotations {
            audience: vec![Role::User],
            priority: Some(0.9),
            last_modified: Some(rfc3339(view.render.updated)),
        }),
        meta,
        ..ResourceLink::default()
    }
}
