//! Overlay pictures as ffmpeg reads them: in the raster's own colour, so that it converts nothing
//! and only blends.

use std::io::{Seek, SeekFrom, Write};

use picture::{Mark, MarkColour};

use crate::MediaError;
use crate::composition::Overlay;
use crate::units::Colour;

/// The samples of `overlay` for a raster in `colour`.
pub(crate) fn mark(overlay: &Overlay, colour: Colour) -> Result<Mark, MediaError> {
    let Colour { matrix, full_range, .. } = colour;
    Mark::new(
        &overlay.rgba,
        overlay.size.into(),
        overlay.at.into(),
        MarkColour { matrix, full_range },
    )
    .map_err(|error| MediaError::host("preparing an overlay", error))
}

/// An unnamed file with `bytes`, to be read from the beginning.
pub(crate) fn file(bytes: &[u8]) -> Result<std::fs::File, MediaError> {
    let failed = |error: &dyn std::fmt::Display| MediaError::host("storing a picture", error);
    let flags = nix::sys::memfd::MFdFlags::MFD_CLOEXEC;
    let memory = nix::sys::memfd::memfd_create(c"picture", flags).map_err(|e| failed(&e))?;
    let mut file = std::fs::File::from(memory);
    file.write_all(bytes).map_err(|error| failed(&error))?;
    file.seek(SeekFrom::Start(0)).map_err(|error| failed(&error))?;
    Ok(file)
}
