use std::fs::File;
use std::io::{ErrorKind, Read, Seek};

use bytes::Bytes;
use stage::model::{Packet, Size, Track, TrackFormat, Warning};
use stage::{Engine, LimitKind, Limits, Muxer, Output, PluginFault};

use super::plugin::{Parts, engine, job, limited};

fn track() -> Track {
    Track {
        codec: "avc1.640028".into(),
        timescale: 25,
        codec_config: vec![1],
        start: 0,
        priming: 0,
        duration: 3,
        language: None,
        format: TrackFormat::Video {
            size: Size { width: 2, height: 2 },
            colour: stage::model::Colour {
                primaries: 1,
                transfer: 1,
                matrix: 1,
                full_range: false,
            },
        },
    }
}

fn packet(data: &'static [u8]) -> Packet {
    let data = Bytes::from_static(data);
    Packet { track: 0, pts: 0, dts: 0, duration: 1, is_sync: true, data }
}

async fn begin_file(engine: &Engine, parts: Parts, file: File, limits: Limits) -> Muxer {
    let plugin = parts.load(engine).await;
    let output = Output::new(file, std::env::temp_dir());
    plugin.begin_mux(&job(), vec![track()], output, &limited(limits)).await.unwrap()
}

fn temporary() -> File {
    tempfile::tempfile().unwrap()
}

#[tokio::test]
async fn a_file_is_headers_and_then_the_packets() {
    let engine = engine();
    let mut muxer = begin_file(&engine, Parts::default(), temporary(), Limits::default()).await;
    assert_eq!(engine.live_instances(), 1);
    for data in [b"one ", b"two ", b"six."] {
        muxer.write(packet(data)).await.unwrap();
    }
    let mut written = muxer.finish().await.unwrap();
    assert_eq!(engine.live_instances(), 0);
    let mut text = String::new();
    written.file.rewind().unwrap();
    written.file.read_to_string(&mut text).unwrap();
    assert_eq!(text, "[header]one two six.");
    assert_eq!((written.bytes, written.plugin_bytes), (20, 8));
}

#[tokio::test]
async fn what_is_said_when_a_file_begins_comes_with_it() {
    let engine = engine();
    let begin =
        "(call $warn (local.get $job) (i32.const 64) (i32.const 8) (i32.const 80) (i32.const 17))";
    let parts = Parts { begin, ..Parts::default() };
    let muxer = begin_file(&engine, parts, temporary(), Limits::default()).await;
    let written = muxer.finish().await.unwrap();
    let warning = Warning { code: "text_cut".into(), message: "The text was cut.".into() };
    assert_eq!(written.warnings, [warning]);
}

#[tokio::test]
async fn an_endless_output_is_stopped() {
    let engine = engine();
    let parts = Parts {
        finish: "(loop (call $write (global.get $sink) (i32.const 0) (i32.const 65536)) (br 0))",
        ..Parts::default()
    };
    let limits = Limits { output_bytes: 1 << 20, ..Limits::default() };
    match begin_file(&engine, parts, temporary(), limits).await.finish().await {
        Err(PluginFault::Limit { limit: LimitKind::Output, allowed, used, .. }) => {
            assert_eq!((allowed, used), (1 << 20, 8 + (16 << 16)));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(engine.live_instances(), 0);
}

#[tokio::test]
async fn a_full_disk_is_not_the_plugins_fault() {
    let engine = engine();
    let full = File::options().write(true).open("/dev/full").unwrap();
    match begin_file(&engine, Parts::default(), full, Limits::default()).await.finish().await {
        Err(PluginFault::Storage(error)) => assert_eq!(error.kind(), ErrorKind::StorageFull),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn plugin_time_is_for_the_whole_file() {
    let engine = engine();
    let parts = Parts { write: "(loop (br 0))", ..Parts::default() };
    let limits = Limits { mux_time_ms: 30, ..Limits::default() };
    let mut muxer = begin_file(&engine, parts, temporary(), limits).await;
    match muxer.write(packet(b"x")).await {
        Err(PluginFault::Limit { limit: LimitKind::Time, allowed: 30, used: 40, .. }) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(engine.live_instances(), 0);
    let error = muxer.write(packet(b"x")).await.unwrap_err().to_string();
    assert!(error.contains("has ended"), "{error}");
}

// Calls are far shorter than a tick and far apart; none of the time between them may count.
#[tokio::test]
async fn time_between_packets_is_not_the_plugins() {
    let engine = engine();
    let limits = Limits { mux_time_ms: 30, ..Limits::default() };
    let mut muxer = begin_file(&engine, Parts::default(), temporary(), limits).await;
    for _ in 0..20 {
        tokio::time::sleep(std::time::Duration::from_millis(15)).await;
        muxer.write(packet(b"x")).await.unwrap();
    }
    muxer.finish().await.unwrap();
}

#[tokio::test]
async fn a_call_that_is_given_up_takes_its_instance_with_it() {
    let engine = engine();
    let parts = Parts { write: "(loop (br 0))", ..Parts::default() };
    let mut muxer = begin_file(&engine, parts, temporary(), Limits::default()).await;
    let short = std::time::Duration::from_millis(30);
    assert!(tokio::time::timeout(short, muxer.write(packet(b"x"))).await.is_err());
    assert_eq!(engine.live_instances(), 0);
    assert!(muxer.finish().await.is_err());
}
