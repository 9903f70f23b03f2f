//! A track: its header, its edits, its media.

use super::movie::matrix;
use super::streams::Rates;
use super::tables::{self, OffsetWidth};
use super::{Kind, Writer, audio, packed, version_for, video};
use crate::chunks::Chunks;
use crate::container::Container;
use crate::edits::{Edit, EditList, Presentation};
use crate::samples::SampleTable;
use crate::track::{Media, Track};

/// A finished track and where it goes.
pub(crate) struct Layout<'a> {
    pub(crate) container: Container,
    /// Its number in the file, from 1.
    pub(crate) number: usize,
    /// Whether a player that plays one track of each kind plays this one.
    pub(crate) enabled: bool,
    pub(crate) track: &'a Track,
    pub(crate) presentation: Presentation,
    pub(crate) edits: &'a EditList,
    pub(crate) samples: &'a SampleTable,
    pub(crate) chunks: &'a Chunks,
}

/// The whole of a track, its chunks beginning at `payload_start` in the file.
pub(crate) fn track(w: &mut Writer, layout: &Layout<'_>, payload_start: u64, width: OffsetWidth) {
    w.nest(*b"trak", |w| {
        header(w, layout);
        w.nest(*b"edts", |w| edit_list(w, layout.edits));
        w.nest(*b"mdia", |w| {
            media_header(w, layout);
            media_handler(w, layout);
            w.nest(*b"minf", |w| {
                kind_header(w, layout);
                data_reference(w);
                w.nest(*b"stbl", |w| {
                    descriptions(w, layout);
                    tables::samples(w, layout.samples);
                    tables::chunks(w, layout.chunks, payload_start, width);
                    if layout.track.media.is_audio() {
                        tables::roll_distance(w, layout.samples);
                    }
                });
            });
        });
    });
}

fn header(w: &mut Writer, layout: &Layout<'_>) {
    let version = version_for(layout.edits.duration);
    // In the movie, and enabled or not.
    let flags = 2 | u32::from(layout.enabled);
    w.full(*b"tkhd", version, flags, |w| {
        w.time(version, 0);
        w.time(version, 0);
        w.narrow32(layout.number);
        w.zeros(4);
        w.time(version, layout.edits.duration);
        w.zeros(8);
        w.u16(0); // layer
        // Tracks of one group are alternatives; 0 is no group.
        w.u16(layout.track.media.is_audio().into());
        w.u16(if layout.track.media.is_audio() { 0x0100 } else { 0 }); // volume
        w.zeros(2);
        matrix(w);
        let (width, height) = match layout.track.media {
            Media::Avc { width, height, .. } | Media::Jpeg { width, height, .. } => (width, height),
            Media::Aac { .. } => (0, 0),
        };
        w.u32(u32::from(width) << 16);
        w.u32(u32::from(height) << 16);
    });
}

fn edit_list(w: &mut Writer, list: &EditList) {
    // Of the media time only half of the values are times: it has a sign.
    let entered = |edit: &Edit| edit.media_time.unwrap_or(0).saturating_mul(2);
    let largest = list.edits.iter().map(|edit| entered(edit).max(edit.duration)).max();
    let version = version_for(largest.unwrap_or(0));
    w.full(*b"elst", version, 0, |w| {
        w.narrow32(list.edits.len());
        for edit in &list.edits {
            w.time(version, edit.duration);
            // An empty edit has the media time -1.
            let empty = if version == 0 { u32::MAX.into() } else { u64::MAX };
            w.time(version, edit.media_time.unwrap_or(empty));
            w.u32(0x0001_0000); // rate 1
        }
    });
}

fn media_header(w: &mut Writer, layout: &Layout<'_>) {
    // Players take this for the track's length, so it is that of its samples, as elsewhere. It
    // leaves out that reordered samples end later than they are decoded.
    let duration = layout.samples.length.max(layout.presentation.duration);
    let version = version_for(duration);
    w.full(*b"mdhd", version, 0, |w| {
        w.time(version, 0);
        w.time(version, 0);
        w.u32(layout.track.timescale);
        w.time(version, duration);
        w.u16(packed(layout.track.language));
        w.zeros(2);
    });
}

fn media_handler(w: &mut Writer, layout: &Layout<'_>) {
    let (kind, name) = match layout.track.media {
        Media::Avc { .. } | Media::Jpeg { .. } => (*b"vide", "VideoHandler"),
        Media::Aac { .. } => (*b"soun", "SoundHandler"),
    };
    match layout.container {
        Container::Mp4 => handler(w, [0; 4], kind, [0; 4], |w| {
            w.raw(name.as_bytes());
            w.u8(0);
        }),
        Container::Mov => handler(w, *b"mhlr", kind, [0; 4], |w| counted(w, name)),
    }
}

/// A handler. QuickTime tells media handlers from data handlers by `component`; elsewhere it is 0.
pub(super) fn handler(
    w: &mut Writer,
    component: Kind,
    kind: Kind,
    maker: Kind,
    name: impl FnOnce(&mut Writer),
) {
    w.full(*b"hdlr", 0, 0, |w| {
        w.raw(&component);
        w.raw(&kind);
        w.raw(&maker);
        w.zeros(8);
        name(w);
    });
}

/// A name with its length before it, as QuickTime writes names.
fn counted(w: &mut Writer, name: &str) {
    w.u8(u8::try_from(name.len()).unwrap_or(0));
    w.raw(name.as_bytes());
}

fn kind_header(w: &mut Writer, layout: &Layout<'_>) {
    match layout.track.media {
        Media::Avc { .. } | Media::Jpeg { .. } => w.full(*b"vmhd", 0, 1, |w| w.zeros(8)),
        Media::Aac { .. } => w.full(*b"smhd", 0, 0, |w| w.zeros(4)),
    }
    if layout.container == Container::Mov {
        handler(w, *b"dhlr", *b"url ", [0; 4], |w| counted(w, "DataHandler"));
    }
}

/// The samples are in this file.
fn data_reference(w: &mut Writer) {
    w.nest(*b"dinf", |w| {
        w.full(*b"dref", 0, 0, |w| {
            w.u32(1);
            w.full(*b"url ", 0, 1, |_| ());
        });
    });
}

fn descriptions(w: &mut Writer, layout: &Layout<'_>) {
    let Layout { container, track, samples, .. } = layout;
    let rates = Rates::of(&samples.rate, track.timescale);
    w.full(*b"stsd", 0, 0, |w| {
        w.u32(1);
        match &track.media {
            Media::Avc { width, height, colour, config } => {
                let picture = video::Picture { size: (*width, *height), colour: *colour, rates };
                video::avc(w, *container, &picture, config);
            }
            Media::Jpeg { width, height, colour } => {
                let picture = video::Picture { size: (*width, *height), colour: *colour, rates };
                video::jpeg(w, *container, &picture);
            }
            Media::Aac { sample_rate, channels, config } => {
                let sound = audio::Sound { sample_rate: *sample_rate, channels: *channels, config };
                audio::aac(w, *container, &sound, rates);
            }
        }
    });
}
