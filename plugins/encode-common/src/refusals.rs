//! What no encode stage here can render.

use stage_sdk::{Fault, SourceVideo};

/// Refuses a container that is not one of those that a plugin serves.
///
/// # Errors
/// The fault to return.
pub fn refuse_other_container(served: &[&str], container: &str) -> Result<(), Fault> {
    if served.contains(&container) {
        return Ok(());
    }
    let served = match served.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => served.concat(),
    };
    let message = format!("This encoder serves {served}, not {container}.");
    Err(Fault::invalid_field("output_format", message))
}

/// Refuses HDR: without tone mapping its picture would come out grey and washed out.
///
/// # Errors
/// The fault to return.
pub fn refuse_hdr(video: &SourceVideo) -> Result<(), Fault> {
    if !video.colour.is_hdr() {
        return Ok(());
    }
    let curve = if video.colour.transfer == 16 { "PQ" } else { "HLG" };
    Err(Fault::unsupported_source(format!(
        "The source is HDR video ({curve}), which cannot be rendered yet; convert it to SDR \
         (BT.709) first."
    )))
}
