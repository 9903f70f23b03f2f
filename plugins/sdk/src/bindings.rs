//! What `wit-bindgen` makes of `wit/`: the host's objects in [`host`], and for
//! each world a module with the traits and the macro that export a stage.
//!
//! Plugins have no business here; they use the crate's own types.
#![allow(
    unsafe_code,
    unreachable_pub,
    missing_docs,
    clippy::all,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::allow_attributes_without_reason,
    reason = "generated code: calls across the component boundary are raw calls"
)]

/// The host's objects, one set shared by all stages.
pub mod host {
    wit_bindgen::generate!({
        path: "../../wit",
        inline: "
            package video-render:sdk;
            world host {
                import video-render:stage/types@0.1.1;
                import video-render:stage/source@0.1.1;
                import video-render:stage/plans@0.1.1;
                import video-render:stage/assets@0.1.1;
                import video-render:stage/job@0.1.1;
                import video-render:stage/outcome@0.1.1;
                import video-render:stage/manifest@0.1.1;
                import video-render:stage/packets@0.1.1;
                import video-render:stage/output@0.1.1;
                import video-render:stage/frames@0.1.1;
                import video-render:stage/encoding@0.1.1;
            }",
        world: "host",
        generate_all,
        pub_export_macro: true,
    });
    pub use video_render::stage::{
        assets, encoding, frames, job, manifest, outcome, output, packets, plans, source, types,
    };
}

/// One interface that a component exports, as a world of its own: the worlds
/// of `wit/` all export `plugin`, and one crate can hold its macro only once.
macro_rules! exported {
    ($interface:ident, $world:literal, $wit:literal $(, $uses:literal: $path:path)*) => {
        /// The trait and the macro that export this interface.
        pub mod $interface {
            wit_bindgen::generate!({
                path: "../../wit",
                inline: $wit,
                world: $world,
                generate_all,
                pub_export_macro: true,
                with: {$($uses: $path,)*},
            });
            pub use exports::video_render::stage::$interface::*;
        }
    };
}

exported!(
    plugin,
    "exports-plugin",
    "package video-render:sdk; world exports-plugin { export video-render:stage/plugin@0.1.1; }",
    "video-render:stage/manifest@0.1.1": super::host::manifest
);
exported!(
    encode,
    "exports-encode",
    "package video-render:sdk; world exports-encode { export video-render:stage/encode@0.1.1; }",
    "video-render:stage/types@0.1.1": super::host::types,
    "video-render:stage/source@0.1.1": super::host::source,
    "video-render:stage/plans@0.1.1": super::host::plans,
    "video-render:stage/assets@0.1.1": super::host::assets,
    "video-render:stage/job@0.1.1": super::host::job,
    "video-render:stage/outcome@0.1.1": super::host::outcome
);
exported!(
    watermark,
    "exports-watermark",
    "package video-render:sdk; world exports-watermark { export video-render:stage/watermark@0.1.1; }",
    "video-render:stage/types@0.1.1": super::host::types,
    "video-render:stage/source@0.1.1": super::host::source,
    "video-render:stage/plans@0.1.1": super::host::plans,
    "video-render:stage/assets@0.1.1": super::host::assets,
    "video-render:stage/job@0.1.1": super::host::job,
    "video-render:stage/outcome@0.1.1": super::host::outcome
);
exported!(
    mux,
    "exports-mux",
    "package video-render:sdk; world exports-mux { export video-render:stage/mux@0.1.1; }",
    "video-render:stage/types@0.1.1": super::host::types,
    "video-render:stage/source@0.1.1": super::host::source,
    "video-render:stage/plans@0.1.1": super::host::plans,
    "video-render:stage/assets@0.1.1": super::host::assets,
    "video-render:stage/job@0.1.1": super::host::job,
    "video-render:stage/outcome@0.1.1": super::host::outcome
);
exported!(
    muxing,
    "exports-muxing",
    "package video-render:sdk; world exports-muxing { export video-render:stage/muxing@0.1.1; }",
    "video-render:stage/types@0.1.1": super::host::types,
    "video-render:stage/source@0.1.1": super::host::source,
    "video-render:stage/plans@0.1.1": super::host::plans,
    "video-render:stage/assets@0.1.1": super::host::assets,
    "video-render:stage/job@0.1.1": super::host::job,
    "video-render:stage/outcome@0.1.1": super::host::outcome,
    "video-render:stage/packets@0.1.1": super::host::packets,
    "video-render:stage/output@0.1.1": super::host::output
);
exported!(
    frame_filter,
    "exports-frame-filter",
    "package video-render:sdk; world exports-frame-filter { export video-render:stage/frame-filter@0.1.1; }",
    "video-render:stage/types@0.1.1": super::host::types,
    "video-render:stage/source@0.1.1": super::host::source,
    "video-render:stage/plans@0.1.1": super::host::plans,
    "video-render:stage/assets@0.1.1": super::host::assets,
    "video-render:stage/job@0.1.1": super::host::job,
    "video-render:stage/outcome@0.1.1": super::host::outcome,
    "video-render:stage/frames@0.1.1": super::host::frames
);
exported!(
    frame_encoder,
    "exports-frame-encoder",
    "package video-render:sdk; world exports-frame-encoder { export video-render:stage/frame-encoder@0.1.1; }",
    "video-render:stage/types@0.1.1": super::host::types,
    "video-render:stage/source@0.1.1": super::host::source,
    "video-render:stage/plans@0.1.1": super::host::plans,
    "video-render:stage/assets@0.1.1": super::host::assets,
    "video-render:stage/job@0.1.1": super::host::job,
    "video-render:stage/outcome@0.1.1": super::host::outcome,
    "video-render:stage/packets@0.1.1": super::host::packets,
    "video-render:stage/frames@0.1.1": super::host::frames,
    "video-render:stage/encoding@0.1.1": super::host::encoding
);
