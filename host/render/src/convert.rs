//! Where the plugin engine's types and the codec engine's types meet.
//!
//! `stage` and `media` know nothing of each other. A plan is turned into a
//! composition here, and only what the host can really do gets through: a
//! codec's name becomes one of the encoders or a failure.

use media::{AudioCodec, Composition, TrackPlan, VideoCodec, VideoEncoder};
use stage::model::{self, EncodePlan, PlannedTrack, WatermarkPlan};

use crate::catalogue::Code;
use crate::failure::Failure;

/// The source as the stages see it.
pub(crate) fn source(source: &media::Source) -> model::Source {
    model::Source {
        video: source.video.iter().map(source_video).collect(),
        audio: source.audio.iter().map(source_audio).collect(),
        tags: source.tags.clone(),
    }
}

fn source_video(video: &media::VideoStream) -> model::SourceVideo {
    model::SourceVideo {
        id: video.stream,
        codec: video.codec.clone(),
        display_size: size(video.display_size),
        display_aspect: rational(video.display_aspect),
        frame_rate: rational(video.frame_rate),
        constant_frame_rate: video.constant_frame_rate,
        colour: colour(video.colour),
    }
}

fn source_audio(audio: &media::AudioStream) -> model::SourceAudio {
    model::SourceAudio {
        id: audio.stream,
        codec: audio.codec.clone(),
        sample_rate: audio.sample_rate,
        channels: audio.channels,
    }
}

/// What the codec engine must make of the two plans.
///
/// # Errors
///
/// `plugin_failed` if the encode plan names a codec that cannot be encoded.
pub(crate) fn composition(
    encode: &EncodePlan,
    watermark: &WatermarkPlan,
) -> Result<Composition, Failure> {
    let raster = &encode.raster;
    Ok(Composition {
        size: media::Size { width: raster.size.width, height: raster.size.height },
        frame_rate: media::Rational {
            numerator: raster.frame_rate.numerator,
            denominator: raster.frame_rate.denominator,
        },
        colour: media_colour(raster.colour),
        overlays: watermark.overlays.iter().map(overlay).collect(),
        tracks: encode.tracks.iter().map(track_plan).collect::<Result<_, _>>()?,
    })
}

fn overlay(overlay: &model::Overlay) -> media::Overlay {
    media::Overlay {
        rgba: overlay.image.rgba.clone(),
        size: media::Size { width: overlay.image.size.width, height: overlay.image.size.height },
        at: media::Point { x: overlay.at.x, y: overlay.at.y },
    }
}

fn track_plan(track: &PlannedTrack) -> Result<TrackPlan, Failure> {
    Ok(match track {
        PlannedTrack::Video { source, encoding } => TrackPlan::Video {
            stream: *source,
            codec: match sample_entry(&encoding.codec) {
                "avc1" => VideoCodec::H264,
                "vp09" => VideoCodec::Vp9,
                "av01" => VideoCodec::Av1,
                // What a plugin makes is its own business.
                _ if encoding.wants_frames => VideoCodec::H264,
                _ => return Err(unknown_codec("video", &encoding.codec)),
            },
            rate: match encoding.rate_control {
                model::RateControl::Default => media::RateControl::Default,
                model::RateControl::ConstantQuality(quantizer) => {
                    media::RateControl::ConstantQuality(quantizer)
                }
                model::RateControl::Lossless => media::RateControl::Lossless,
            },
            effort: encoding.effort,
            keyframe_interval: encoding.keyframe_interval,
            copy: encoding.copy,
            encoder: if encoding.wants_frames { VideoEncoder::Given } else { VideoEncoder::Host },
        },
        PlannedTrack::Audio { source, encoding } => TrackPlan::Audio {
            stream: *source,
            codec: match encoding.codec.as_str() {
                "mp4a" | "mp4a.40" | "mp4a.40.2" => AudioCodec::Aac,
                "opus" | "Opus" => AudioCodec::Opus,
                _ => return Err(unknown_codec("audio", &encoding.codec)),
            },
            sample_rate: encoding.sample_rate,
            channels: encoding.channels,
            bit_rate: encoding.bit_rate,
            copy: encoding.copy,
        },
    })
}

/// The first element of an RFC 6381 codec name.
fn sample_entry(codec: &str) -> &str {
    codec.split('.').next().unwrap_or_default()
}

fn unknown_codec(kind: &str, codec: &str) -> Failure {
    let codec: String = codec.escape_default().to_string();
    let message = format!(
        "The encode plugin asks for the {kind} codec `{codec}`, which this host cannot encode."
    );
    Failure::new(Code::PluginFailed, message).with("codec", codec)
}

/// A track as the muxer sees it.
pub(crate) fn track(track: &media::Track) -> model::Track {
    model::Track {
        codec: track.codec.clone(),
        timescale: track.timescale,
        codec_config: track.codec_config.clone(),
        start: track.start,
        priming: track.priming,
        duration: track.duration,
        language: track.language.clone(),
        format: match &track.format {
            media::TrackFormat::Video { size: pixels, colour: tags } => {
                model::TrackFormat::Video { size: size(*pixels), colour: colour(*tags) }
            }
            media::TrackFormat::Audio { sample_rate, channels } => {
                model::TrackFormat::Audio { sample_rate: *sample_rate, channels: *channels }
            }
        },
    }
}

/// A packet as the muxer sees it.
pub(crate) fn packet(packet: media::Packet) -> model::Packet {
    model::Packet {
        track: packet.track,
        pts: packet.pts,
        dts: packet.dts,
        duration: packet.duration,
        is_sync: packet.is_sync,
        data: packet.data,
    }
}

/// A packet that an encode plugin has made.
pub(crate) fn media_packet(packet: model::Packet) -> media::Packet {
    media::Packet {
        track: packet.track,
        pts: packet.pts,
        dts: packet.dts,
        duration: packet.duration,
        is_sync: packet.is_sync,
        data: packet.data,
    }
}

fn size(size: media::Size) -> model::Size {
    model::Size { width: size.width, height: size.height }
}

fn rational(ratio: media::Rational) -> model::Rational {
    model::Rational { numerator: ratio.numerator, denominator: ratio.denominator }
}

fn colour(colour: media::Colour) -> model::Colour {
    model::Colour {
        primaries: colour.primaries,
        transfer: colour.transfer,
        matrix: colour.matrix,
        full_range: colour.full_range,
    }
}

fn media_colour(colour: model::Colour) -> media::Colour {
    media::Colour {
        primaries: colour.primaries,
        transfer: colour.transfer,
        matrix: colour.matrix,
        full_range: colour.full_range,
    }
}

#[cfg(test)]
mod tests;
