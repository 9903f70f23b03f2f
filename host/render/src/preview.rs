//! The picture that a question is about, made as the output will be made.

use media::{Ffmpeg, Input, Source};
use stage::Pass;

use crate::failure::Failure;
use crate::faults::{media_error, plugin_fault};
use crate::plans::Plans;
use crate::runner::{Shown, Worker};

/// A picture to show.
pub(crate) struct Preview {
    /// A PNG.
    pub(crate) png: Vec<u8>,
    /// The frame of the raster that it shows.
    pub(crate) frame: u64,
    /// What was shown, where a plugin worked on the frame: the run has to show
    /// it again. Where none does, it cannot but do so.
    pub(crate) shown: Option<Shown>,
}

/// Renders one frame by these plans.
pub(crate) async fn render(
    ffmpeg: &Ffmpeg,
    input: &Input,
    source: &Source,
    plans: &Plans,
    watermark: Worker<'_>,
) -> Result<Preview, Failure> {
    let composition = plans.composition()?;
    let Some(look_ahead) = plans.frames().look_ahead else {
        let preview = ffmpeg.preview(input, source, &composition).await.map_err(media_error)?;
        return Ok(Preview { png: preview.png, frame: preview.frame, shown: None });
    };
    // What becomes of a frame depends on no more than it and the look-ahead.
    let count = look_ahead.saturating_add(1);
    let frames = ffmpeg.preview_frames(input, source, &composition, count).await;
    let frames = frames.map_err(media_error)?;
    let pass = Pass {
        first: frames.first().map_or(0, |frame| frame.index),
        frames: u64::try_from(frames.len()).ok(),
    };
    let Worker { link, job } = watermark;
    let filter = link.plugin.begin_filter(job, pass, look_ahead, &link.terms).await;
    let mut filter = filter.map_err(plugin_fault)?;
    let mut made = Vec::new();
    for frame in frames {
        made.extend(filter.push(frame).await.map_err(plugin_fault)?);
    }
    let (rest, _) = filter.flush().await.map_err(plugin_fault)?;
    let frame = made.into_iter().chain(rest).next().ok_or_else(|| {
        Failure::new(crate::catalogue::Code::Internal, "The preview has no frame.")
    })?;
    let png = ffmpeg.picture(&frame, composition.colour).await.map_err(media_error)?;
    Ok(Preview { png, frame: frame.index, shown: Some(Shown::of(&frame)) })
}
