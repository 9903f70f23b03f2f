//! The contract in `wit/` as Rust.

// The world is the host's own: it has every optional export as well, which no plugin needs to have.

wasmtime::component::bindgen!({
    path: "../../wit",
    inline: "
        package video-render:host;

        world every-export {
            include video-render:stage/every-stage@0.1.1;
            include video-render:stage/frame-filter-plugin@0.1.1;
            include video-render:stage/frame-encoder-plugin@0.1.1;
        }
    ",
    world: "video-render:host/every-export",
    imports: {
        "video-render:stage/output.[method]sink.append-spool": async | trappable,
        "video-render:stage/assets.[method]blob.read": async | trappable,
        default: trappable,
    },
    exports: { default: async },
    with: {
        "video-render:stage/types": crate::host::types,
        "video-render:stage/source.source": crate::host::handles::SourceHandle,
        "video-render:stage/source.source-video": crate::model::SourceVideo,
        "video-render:stage/source.source-audio": crate::model::SourceAudio,
        "video-render:stage/plans.raster": crate::model::Raster,
        "video-render:stage/plans.video-encoding": crate::model::VideoEncoding,
        "video-render:stage/plans.audio-encoding": crate::model::AudioEncoding,
        "video-render:stage/plans.encode-plan": crate::model::EncodePlan,
        "video-render:stage/plans.image": crate::model::Image,
        "video-render:stage/plans.overlay": crate::model::Overlay,
        "video-render:stage/plans.watermark-plan": crate::model::WatermarkPlan,
        "video-render:stage/plans.mux-plan": crate::model::MuxPlan,
        "video-render:stage/plans.plan": crate::model::Plan,
        "video-render:stage/assets.blob": crate::model::Blob,
        "video-render:stage/job.job": crate::host::handles::JobHandle,
        "video-render:stage/job.request": crate::host::handles::RequestHandle,
        "video-render:stage/job.resumption": crate::model::Resumption,
        "video-render:stage/outcome.question": crate::host::handles::QuestionHandle,
        "video-render:stage/outcome.fault": crate::host::handles::FaultHandle,
        "video-render:stage/outcome.verdict": crate::host::handles::VerdictHandle,
        "video-render:stage/manifest.manifest": crate::host::handles::ManifestHandle,
        "video-render:stage/packets.track": crate::model::Track,
        "video-render:stage/packets.video-format": crate::host::handles::VideoFormat,
        "video-render:stage/packets.audio-format": crate::host::handles::AudioFormat,
        "video-render:stage/packets.packet": crate::model::Packet,
        "video-render:stage/frames.frame": crate::host::handles::FrameHandle,
        "video-render:stage/frames.pass": crate::filter::Pass,
        "video-render:stage/encoding.encoding-task": crate::encoder::EncodingTask,
        "video-render:stage/encoding.encoded-track": crate::encoder::EncodedTrack,
        "video-render:stage/output.sink": crate::host::handles::SinkHandle,
        "video-render:stage/output.spool": crate::host::handles::SpoolHandle,
    },
});
