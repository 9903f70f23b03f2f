use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use stage::model::Stage;
use stage::{Digest, Engine, EngineConfig, LoadError, PluginFault};

use super::plugin::{Parts, engine};
use crate::common::{contract, dummy, edited};

async fn refused(bytes: &[u8]) -> LoadError {
    match engine().load(bytes).await {
        Ok(plugin) => panic!("{} was loaded", plugin.manifest().name),
        Err(error) => error,
    }
}

fn wat(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap()
}

#[tokio::test]
async fn a_plugin_says_what_it_is() {
    let parts = Parts {
        describe: "(call $add-container (local.get $manifest) (i32.const 38) (i32.const 3))
            (call $set-parameters (local.get $manifest) (i32.const 160) (i32.const 75))"
            .into(),
        schema: r#"{"type":"object","properties":{"top":{"type":"integer","default":7}}}      "#,
        ..Parts::default()
    };
    let (engine, bytes) = (engine(), parts.build());
    let plugin = engine.load(&bytes).await.unwrap();
    assert_eq!(*plugin.digest(), Digest::of(&bytes));
    let manifest = plugin.manifest();
    assert_eq!((&*manifest.name, &*manifest.version), ("test-plugin", "1.0.0"));
    assert_eq!(manifest.containers, ["mp4"]);
    assert_eq!(manifest.parameters.as_ref().unwrap()["properties"]["top"]["default"], 7);
    assert_eq!(plugin.stages().iter().copied().collect::<Vec<_>>(), [Stage::Mux]);
    assert!(plugin.imports().contains(&"video-render:stage/plans@0.1.0".to_owned()));
    assert!(plugin.imports().is_sorted());
    assert_eq!(plugin.check_parameters(&serde_json::Value::Null).unwrap()["top"], 7);
    let error = plugin.check_parameters(&serde_json::json!({"top": "x"})).unwrap_err();
    assert_eq!(error.pointer, "/top");
    assert_eq!(engine.live_instances(), 0);
}

#[tokio::test]
async fn the_same_bytes_are_one_plugin() {
    let (engine, bytes) = (engine(), Parts::default().build());
    let (first, second) = (engine.load(&bytes).await.unwrap(), engine.load(&bytes).await.unwrap());
    assert!(std::ptr::eq(first.manifest(), second.manifest()));
}

#[tokio::test]
async fn what_is_no_component_is_named_so() {
    for bytes in [&b""[..], b"\0asm", b"not wasm at all", b"\0asm\x0d\0\x02\0"] {
        assert!(matches!(refused(bytes).await, LoadError::NotAComponent { .. }), "{bytes:?}");
    }
    let error = refused(&wat("(module)")).await.to_string();
    assert!(error.contains("core module"), "{error}");
}

#[tokio::test]
async fn a_damaged_component_is_refused() {
    let mut bytes = Parts::default().build();
    bytes.truncate(bytes.len() / 2);
    assert!(matches!(refused(&bytes).await, LoadError::Compile { .. }));
}

#[tokio::test]
async fn a_component_that_is_too_large_is_not_read() {
    let config = EngineConfig { max_component_bytes: 100, ..EngineConfig::default() };
    let bytes = Parts::default().build();
    match Engine::new(config).unwrap().load(&bytes).await.err() {
        Some(LoadError::TooLarge { allowed: 100, size }) => assert_eq!(size, bytes.len()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_import_that_is_not_granted_is_named() {
    for import in ["wasi:sockets/tcp@0.2.0", "wasi:http/outgoing-handler@0.2.0", "acme:gpu/cards"] {
        let bytes = wat(&format!(r#"(component (import "{import}" (instance)))"#));
        match refused(&bytes).await {
            LoadError::UngrantedImport { import: named } => assert_eq!(named, import),
            other => panic!("{other:?}"),
        }
    }
    let bytes = wat(r#"(component (import "launch" (func)))"#);
    assert!(matches!(refused(&bytes).await, LoadError::UngrantedImport { .. }));
}

#[tokio::test]
async fn what_the_baseline_does_not_have_is_named() {
    let bytes = wat(
        r#"(component (import "wasi:cli/run@0.2.0" (instance (export "run" (func (result (result)))))))"#,
    );
    let error = refused(&bytes).await.to_string();
    assert!(error.contains("wasi:cli/run"), "{error}");
}

#[tokio::test]
async fn a_component_of_another_world_is_refused() {
    let of_no_world = wat("(component)");
    let of_no_stage = dummy(&contract(), "stage-plugin");
    let start = "start: func(job: borrow<job>) -> verdict;";
    let other_start = edited(&contract(), start, "start: func(job: borrow<job>) -> u32;");
    let of_other_types = dummy(&other_start, "encode-plugin");
    let of_one_half = |other| dummy(&edited(&contract(), other, ""), "mux-plugin");
    let finish = "finish: func() -> result<_, fault>;";
    let other_finish = edited(&contract(), finish, "finish: func();");
    let alone = |stage, work| {
        let (opening, world) =
            (format!("world frame-{work}-plugin {{"), format!("frame-{work}-plugin"));
        let with = format!("{opening}\n    include {stage}-plugin;");
        let without = format!("{opening}\n    include stage-plugin;");
        dummy(&edited(&contract(), &with, &without), &world)
    };
    let flush = "flush: func() -> result<list<frame>, fault>;";
    let other_flush = edited(&contract(), flush, "flush: func();");
    let track = "track: func() -> result<encoded-track, fault>;";
    let other_track = edited(&contract(), track, "track: func() -> encoded-track;");
    for (bytes, reason) in [
        (of_no_world, "video-render:stage/plugin"),
        (of_no_stage, "neither encode nor watermark nor mux"),
        (of_other_types, "its interface encode"),
        (of_one_half("export muxing;"), "mux without muxing"),
        (of_one_half("export mux;"), "muxing without mux"),
        (dummy(&other_finish, "mux-plugin"), "its interface muxing"),
        (alone("watermark", "filter"), "frame-filter without watermark"),
        (alone("encode", "encoder"), "frame-encoder without encode"),
        (dummy(&other_flush, "frame-filter-plugin"), "its interface frame-filter"),
        (dummy(&other_track, "frame-encoder-plugin"), "its interface frame-encoder"),
    ] {
        match refused(&bytes).await {
            LoadError::WrongWorld { message } => assert!(message.contains(reason), "{message}"),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_newer_contract_is_named() {
    let version = "video-render:stage@0.1.1;";
    let other_track = edited(&contract(), version, "video-render:stage@0.2.0;");
    let later = edited(&contract(), version, "video-render:stage@0.1.7;");
    let with_more = edited(&later, "resource raster {", "resource raster { more: func();");
    for (files, at) in [(other_track, "@0.2.0"), (with_more, "@0.1.7")] {
        match refused(&dummy(&files, "every-stage")).await {
            LoadError::NewerContract { name, has } => {
                assert!(name.ends_with(at), "{name}");
                assert_eq!(has, "0.1.1");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_later_minor_is_welcome_as_long_as_it_wants_nothing_new() {
    let later = edited(&contract(), "video-render:stage@0.1.1;", "video-render:stage@0.1.7;");
    // It links and is asked what it is; that it only traps is another matter.
    let error = refused(&dummy(&later, "every-stage")).await;
    assert!(matches!(error, LoadError::Describe(PluginFault::Trap { .. })), "{error}");
}

#[tokio::test]
async fn a_plugin_must_describe_itself_properly() {
    let no_name =
        "(drop (call $manifest (i32.const 48) (i32.const 14) (i32.const 16) (i32.const 5)))";
    let no_version =
        "(drop (call $manifest (i32.const 0) (i32.const 11) (i32.const 0) (i32.const 11)))";
    let no_schema = "(call $set-parameters (local.get $manifest) (i32.const 0) (i32.const 11))";
    let endless = "(loop (br 0))";
    for (describe, reason) in [
        (no_name, "lower-case words joined by hyphens"),
        (no_version, "not a semantic version"),
        (no_schema, "schema is not usable"),
        (endless, "plugin_time limit"),
    ] {
        let parts = Parts { describe: describe.into(), ..Parts::default() };
        match refused(&parts.build()).await {
            LoadError::Describe(fault) => assert!(fault.to_string().contains(reason), "{fault}"),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn proposals_that_no_plugin_needs_are_off() {
    for module in [
        "(module (memory 1 1 shared))",
        "(module (memory i64 1))",
        "(module (memory 1) (memory 1))",
        "(module (tag))",
        "(module (type (struct)))",
        "(module (func $f return_call $f))",
        "(module (func (param v128) local.get 0 local.get 0 i8x16.relaxed_swizzle drop))",
    ] {
        let component = wat(&format!("(component (core {})", &module[1..]));
        assert!(matches!(refused(&component).await, LoadError::Compile { .. }), "{module}");
    }
}

#[tokio::test]
async fn compiled_plugins_are_kept_for_the_owner_alone() {
    let dir = tempfile::tempdir().unwrap();
    let cache_dir = dir.path().join("compiled");
    let config = EngineConfig { cache_dir: Some(cache_dir.clone()), ..EngineConfig::default() };
    let bytes = Parts::default().build();
    for _ in 0..2 {
        Engine::new(config.clone()).unwrap().load(&bytes).await.unwrap();
    }
    assert_eq!(std::fs::metadata(&cache_dir).unwrap().permissions().mode() & 0o777, 0o700);
    assert!(std::fs::read_dir(&cache_dir).unwrap().next().is_some());

    std::fs::set_permissions(&cache_dir, Permissions::from_mode(0o770)).unwrap();
    let error = Engine::new(config).err().unwrap().to_string();
    assert!(error.contains("others can write"), "{error}");
}
