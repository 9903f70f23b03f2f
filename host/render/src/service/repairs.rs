//! What helps after an error: a call that may be made as it stands, with all
//! of the caller's intent that still holds.

use contract::arguments::{RenderArguments, Watermark};
use contract::catalogue::Code;
use contract::envelope::{Envelope, Repair};
use contract::tools;

/// The envelope with what helps a render that was asked for like this.
pub(super) fn with_repair(envelope: Envelope, asked: Option<&RenderArguments>) -> Envelope {
    let Some(asked) = asked else { return envelope };
    match repair(envelope.failure.code, asked) {
        Some(repair) => envelope.repair(repair),
        None => envelope,
    }
}

fn repair(code: Code, asked: &RenderArguments) -> Option<Repair> {
    let again = |step| Some(Repair::call(step, tools::RENDER, asked.to_arguments()));
    match code {
        Code::WatermarkRejected => {
            let elsewhere = RenderArguments { watermark: moved(&asked.watermark), ..asked.clone() };
            let arguments = elsewhere.to_arguments();
            Some(Repair {
                alternative: Some(
                    "Ask the person what should change, or render without a watermark.",
                ),
                ..Repair::call("rerender_with_new_watermark", tools::RENDER, arguments)
            })
        }
        Code::RenderFailed | Code::Internal | Code::StorageFull => again("retry_render"),
        Code::ApprovalExpired => again("render_and_answer_in_time"),
        Code::Cancelled => again("render_again"),
        Code::RenderExpired => again("render_again"),
        Code::RateLimited | Code::QuotaExceeded => again("retry_later"),
        Code::SourceNotFound | Code::UnsupportedSource => {
            Some(Repair::step("name_another_source_asset"))
        }
        _ => None,
    }
}

/// The same mark at another place, so that the next preview is another one.
fn moved(mark: &Watermark) -> Watermark {
    let other = |position: &str| match position {
        "top_right" => "bottom_right".to_owned(),
        _ => "top_right".to_owned(),
    };
    match mark {
        Watermark::None => Watermark::None,
        Watermark::Text { text, position } => {
            Watermark::Text { text: text.clone(), position: other(position) }
        }
        Watermark::Image { image_asset_id, position } => {
            Watermark::Image { image_asset_id: image_asset_id.clone(), position: other(position) }
        }
    }
}
