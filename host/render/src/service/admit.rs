//! From a call to an admitted render.

use std::time::Duration;

use contract::answers::Notice;
use contract::arguments::{RenderArguments, Watermark};
use contract::catalogue::Code;
use contract::envelope::{Envelope, Repair};
use contract::fields::{self, FieldError};
use contract::tools;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use store::{Admitted, Idempotency};

use super::repairs;
use super::view::store_failure;
use super::{AssetKind, Caller, Scope, Service, View};
use crate::failure::Failure;

/// How the caller wants to follow the render, as far as admission has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// How long the render is to be kept, from now on.
    pub ttl: Option<Duration>,
    /// Whether the caller can follow tasks or be asked, so that a question
    /// reaches a person.
    pub can_be_asked: bool,
}

/// An admitted render.
#[derive(Clone, Debug)]
pub struct Admission {
    /// The render: a new one, or the one that the same call made before.
    pub view: View,
    /// What this caller cannot do by itself.
    pub notices: Vec<Notice>,
}

impl Service {
    /// Admits a render. `arguments` are checked by the very schema that clients
    /// are shown.
    ///
    /// # Errors
    ///
    /// An envelope with what helps; nothing has been admitted then.
    pub async fn admit(
        &self,
        caller: &Caller,
        arguments: &Value,
        wish: Wish,
    ) -> Result<Admission, Box<Envelope>> {
        caller.need(&[Scope::RenderWrite]).map_err(plain)?;
        caller.need(&[Scope::AssetRead, Scope::AssetWrite]).map_err(plain)?;
        let asked =
            RenderArguments::read(arguments).map_err(|wrong| wrong_fields(&wrong, arguments))?;
        self.check_assets(caller, &asked).await.map_err(|failure| {
            Box::new(repairs::with_repair(Envelope::new(failure), Some(&asked)))
        })?;
        let request = json!(asked);
        let ttl = self.ttl(wish.ttl);
        let admitted = self.inner.store.admit(store::Admission {
            tenant: caller.tenant.clone(),
            owner: caller.identity.clone(),
            step: "admitted".into(),
            assets: assets_of(&asked),
            ttl,
            idempotency: asked.idempotency_key.clone().map(|key| Idempotency {
                key,
                arguments: Sha256::digest(request.to_string()).into(),
            }),
            at_most: Some(self.inner.settings.open_renders),
            request,
        });
        let render = match admitted.await.map_err(|error| plain(store_failure(&error)))? {
            Admitted::Created(render) => {
                self.inner.queue.add(render.id.clone(), render.version);
                *render
            }
            Admitted::Existing(render) => *render,
            Admitted::Conflict => return Err(conflict(&asked)),
            Admitted::TooMany => {
                return Err(too_many(&asked, self.room_in(&caller.tenant).await));
            }
            Admitted::NoAsset(id) => return Err(plain(no_source(&id))),
        };
        let notices = notices(&render.id, &asked, wish);
        Ok(Admission { view: View::of(self, render), notices })
    }

    /// How long a render is kept: as asked, between the floor and the cap.
    fn ttl(&self, asked: Option<Duration>) -> Duration {
        let settings = &self.inner.settings;
        asked.unwrap_or(settings.ttl).clamp(settings.ttl_floor.min(settings.ttl), settings.ttl)
    }

    /// Refuses assets that are not there or are of the wrong kind.
    async fn check_assets(&self, caller: &Caller, asked: &RenderArguments) -> Result<(), Failure> {
        let source = &asked.source_asset_id;
        match self.asset_kind(&caller.tenant, source).await? {
            Some(AssetKind::Video) => {}
            Some(AssetKind::Image) => {
                let message = format!("The asset {source} is a picture, not a video.");
                return Err(
                    Failure::new(Code::UnsupportedSource, message).with("field", "source_asset_id")
                );
            }
            None => return Err(no_source(source)),
        }
        let Watermark::Image { image_asset_id, .. } = &asked.watermark else { return Ok(()) };
        let what = match self.asset_kind(&caller.tenant, image_asset_id).await? {
            Some(AssetKind::Image) => return Ok(()),
            Some(AssetKind::Video) => "is a video, not a picture",
            None => "does not exist",
        };
        let message = format!("The watermark image {image_asset_id} {what}.");
        Err(Failure::invalid_field("watermark.image_asset_id", message))
    }
}

fn plain(failure: Failure) -> Box<Envelope> {
    Box::new(Envelope::new(failure))
}

fn no_source(id: &str) -> Failure {
    let message = format!("The source {id} is not an asset of this tenant.");
    Failure::new(Code::SourceNotFound, message).with("field", "source_asset_id")
}

fn assets_of(asked: &RenderArguments) -> Vec<String> {
    let mut assets = vec![asked.source_asset_id.clone()];
    if let Watermark::Image { image_asset_id, .. } = &asked.watermark {
        assets.push(image_asset_id.clone());
    }
    assets
}

/// All wrong fields at once, with the same call made right where that can be
/// done without guessing what was meant.
fn wrong_fields(wrong: &[FieldError], arguments: &Value) -> Box<Envelope> {
    let failure = fields::failure(wrong)
        .unwrap_or_else(|| Failure::new(Code::InvalidField, "The arguments are wrong."));
    let envelope = Envelope::new(failure);
    let repair = match mended(wrong, arguments) {
        Some(arguments) => Repair::call("correct_arguments", tools::RENDER, arguments),
        None => Repair::step("correct_arguments"),
    };
    Box::new(envelope.repair(repair))
}

/// The arguments without what is wrong, and an example where a text is
/// missing; none if they still do not fit.
fn mended(wrong: &[FieldError], arguments: &Value) -> Option<Value> {
    let mut mended = arguments.as_object()?.clone();
    for FieldError { field, .. } in wrong {
        match field.split_once('.') {
            Some(("watermark", "text")) => {
                let mark = mended.get_mut("watermark")?.as_object_mut()?;
                mark.insert("text".into(), json!("CONFIDENTIAL"));
            }
            Some((outer, inner)) => {
                mended.get_mut(outer)?.as_object_mut()?.remove(inner);
            }
            None => {
                mended.remove(field);
            }
        }
    }
    mended.remove("idempotency_key");
    let mended = Value::Object(mended);
    RenderArguments::read(&mended).is_ok().then_some(mended)
}

fn conflict(asked: &RenderArguments) -> Box<Envelope> {
    let message = "The idempotency_key was used for other arguments within the last 30 minutes.";
    let repair = Repair::call("use_another_key", tools::RENDER, asked.to_arguments());
    Box::new(Envelope::new(Failure::new(Code::IdempotencyConflict, message)).repair(repair))
}

fn too_many(asked: &RenderArguments, room_in: Duration) -> Box<Envelope> {
    let message = "Too many renders of this tenant have not ended yet.";
    let envelope = Envelope::new(Failure::new(Code::RateLimited, message));
    let wait = u64::try_from(room_in.as_millis()).unwrap_or(u64::MAX);
    Box::new(repairs::with_repair(envelope.retry_after_ms(wait), Some(asked)))
}

/// What a caller is told that can neither follow tasks nor be asked.
fn notices(render_id: &str, asked: &RenderArguments, wish: Wish) -> Vec<Notice> {
    if wish.can_be_asked || !asked.require_watermark_approval {
        return Vec::new();
    }
    vec![Notice {
        code: Code::CapabilityNotNegotiated,
        message: "The render will wait for approval; ask the person and pass the answer on.".into(),
        repair: Repair::call(
            "approve_watermark",
            tools::APPROVE,
            json!({ "render_id": render_id, "approved": true }),
        ),
    }]
}
