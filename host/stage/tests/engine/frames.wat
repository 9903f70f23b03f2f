;; A plugin for the encode and watermark stages that works on frames. The parts between braces are
;; filled in by the tests.
(module
  (import "video-render:stage/manifest@0.1.1" "[constructor]manifest" (func $manifest (param i32 i32 i32 i32) (result i32)))
  (import "video-render:stage/manifest@0.1.1" "[method]manifest.add-mark" (func $add-mark (param i32 i32 i32)))
  (import "video-render:stage/job@0.1.1" "[resource-drop]job" (func $drop-job (param i32)))
  (import "video-render:stage/job@0.1.1" "[method]job.warn" (func $warn (param i32 i32 i32 i32 i32)))
  (import "video-render:stage/job@0.1.1" "[method]job.request" (func $request (param i32) (result i32)))
  (import "video-render:stage/job@0.1.1" "[method]request.watermark-image" (func $watermark-image (param i32 i32)))
  (import "video-render:stage/assets@0.1.1" "[method]blob.size" (func $blob-size (param i32) (result i64)))
  (import "video-render:stage/assets@0.1.1" "[method]blob.read" (func $blob-read (param i32 i64 i32 i32)))
  (import "video-render:stage/plans@0.1.1" "[constructor]image" (func $image (param i32 i32) (result i32)))
  (import "video-render:stage/plans@0.1.1" "[method]image.write-rect" (func $write-image (param i32 i32 i32 i32 i32 i32 i32)))
  (import "video-render:stage/plans@0.1.1" "[constructor]watermark-plan" (func $watermark-plan (result i32)))
  (import "video-render:stage/plans@0.1.1" "[method]watermark-plan.want-frames" (func $want-frames (param i32 i32)))
  (import "video-render:stage/plans@0.1.1" "[static]plan.from-watermark" (func $from-watermark (param i32) (result i32)))
  (import "video-render:stage/outcome@0.1.1" "[static]fault.failed" (func $failed (param i32 i32) (result i32)))
  (import "video-render:stage/outcome@0.1.1" "[static]verdict.ready" (func $ready (param i32) (result i32)))
  (import "video-render:stage/frames@0.1.1" "[resource-drop]frame" (func $drop-frame (param i32)))
  (import "video-render:stage/frames@0.1.1" "[resource-drop]pass" (func $drop-pass (param i32)))
  (import "video-render:stage/frames@0.1.1" "[method]pass.first" (func $first (param i32) (result i64)))
  (import "video-render:stage/frames@0.1.1" "[method]pass.frames" (func $frames (param i32 i32)))
  (import "video-render:stage/frames@0.1.1" "[method]frame.index" (func $index (param i32) (result i64)))
  (import "video-render:stage/frames@0.1.1" "[method]frame.layout" (func $layout (param i32) (result i32)))
  (import "video-render:stage/frames@0.1.1" "[method]frame.planes" (func $planes (param i32 i32)))
  (import "video-render:stage/frames@0.1.1" "[method]frame.read-rect" (func $read-rect (param i32 i32 i32 i32 i32 i32 i32)))
  (import "video-render:stage/frames@0.1.1" "[method]frame.write-rect" (func $write-rect (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "video-render:stage/frames@0.1.1" "[method]frame.fill-rect" (func $fill-rect (param i32 i32 i32 i32 i32 i32 i32)))
  (import "video-render:stage/frames@0.1.1" "[method]frame.blit" (func $blit (param i32 i32 i32 i32)))
  (import "video-render:stage/frames@0.1.1" "[method]frame.retain" (func $retain (param i32) (result i32)))
  (import "video-render:stage/packets@0.1.1" "[static]packet.make" (func $make (param i64 i64 i32 i32 i32 i32) (result i32)))
  (import "video-render:stage/encoding@0.1.1" "[resource-drop]encoding-task" (func $drop-task (param i32)))
  (import "video-render:stage/encoding@0.1.1" "[method]encoding-task.frame-duration" (func $frame-duration (param i32) (result i32)))
  (import "video-render:stage/encoding@0.1.1" "[constructor]encoded-track" (func $encoded-track (param i32 i32) (result i32)))
  (import "video-render:stage/encoding@0.1.1" "[method]encoded-track.set-codec-config" (func $set-config (param i32 i32 i32)))
  (import "[export]video-render:stage/frame-filter@0.1.1" "[resource-new]filter" (func $new-filter (param i32) (result i32)))
  (import "[export]video-render:stage/frame-encoder@0.1.1" "[resource-new]encoder" (func $new-encoder (param i32) (result i32)))

  ;; Enough for a plane of 1080p and what is read of it.
  (memory (export "memory") 300)
  (data (i32.const 0) "test-plugin")
  (data (i32.const 16) "1.0.0")
  (data (i32.const 32) "mjpg")
  (data (i32.const 64) "text_cut")
  (data (i32.const 80) "The text was cut.")
  (data (i32.const 128) "[packet]")
  (data (i32.const 144) "image")

  ;; What a call allocates is forgotten with the next; what is kept lies below.
  (global $free (mut i32) (i32.const 8388608))
  (global $kept (mut i32) (i32.const 0))
  (global $step (mut i64) (i64.const 0))

  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
    (global.get $free)
    (global.set $free (i32.and (i32.add (global.get $free) (i32.add (local.get 3) (i32.const 7))) (i32.const -8))))

  (func (export "video-render:stage/plugin@0.1.1#describe") (result i32)
    (local $manifest i32)
    (local.set $manifest (call $manifest (i32.const 0) (i32.const 11) (i32.const 16) (i32.const 5)))
    {describe}
    (local.get $manifest))

  (func (export "video-render:stage/encode@0.1.1#start") (param i32) (result i32) unreachable)
  (func (export "video-render:stage/encode@0.1.1#resume") (param i32 i32) (result i32) unreachable)
  (func (export "video-render:stage/watermark@0.1.1#resume") (param i32 i32) (result i32) unreachable)
  (func (export "video-render:stage/watermark@0.1.1#start") (param $job i32) (result i32)
    (local $plan i32)
    (local.set $plan (call $watermark-plan))
    {start}
    (call $drop-job (local.get $job))
    (call $ready (call $from-watermark (local.get $plan))))

  ;; Results: whether it is a fault at 1000, what it is from 1004 on, the handles of a list from 1024
  ;; on. A list has one handle unless a test stores another length.
  (func $listed
    (i32.store (i32.const 1000) (i32.const 0))
    (i32.store (i32.const 1004) (i32.const 1024))
    (i32.store (i32.const 1008) (i32.const 1)))

  (func $made (param $handle i32) (result i32)
    (i32.store (i32.const 1000) (i32.const 0))
    (i32.store (i32.const 1004) (local.get $handle))
    (i32.const 1000))

  (func (export "video-render:stage/frame-filter@0.1.1#[static]filter.begin") (param $job i32) (param $pass i32) (result i32)
    {filter-begin}
    (call $drop-job (local.get $job))
    (call $drop-pass (local.get $pass))
    (call $made (call $new-filter (i32.const 1))))

  (func (export "video-render:stage/frame-filter@0.1.1#[method]filter.push") (param $self i32) (param $frame i32) (result i32)
    (local $image i32)
    (global.set $free (i32.const 8388608))
    (call $listed)
    (i32.store (i32.const 1024) (local.get $frame))
    {filter-push}
    (i32.const 1000))

  (func (export "video-render:stage/frame-filter@0.1.1#[method]filter.flush") (param $self i32) (result i32)
    (call $listed)
    (i32.store (i32.const 1008) (i32.const 0))
    {filter-flush}
    (i32.const 1000))

  (func (export "video-render:stage/frame-encoder@0.1.1#[static]encoder.begin") (param $job i32) (param $task i32) (result i32)
    (global.set $step (i64.extend_i32_u (call $frame-duration (local.get $task))))
    {encoder-begin}
    (call $drop-job (local.get $job))
    (call $drop-task (local.get $task))
    (call $made (call $new-encoder (i32.const 1))))

  (func (export "video-render:stage/frame-encoder@0.1.1#[method]encoder.track") (param $self i32) (result i32)
    (local $track i32)
    (local.set $track (call $encoded-track (i32.const 32) (i32.const 4)))
    (call $set-config (local.get $track) (i32.const 128) (i32.const 3))
    (call $made (local.get $track)))

  ;; A packet of 8 bytes, presented and decoded at these times.
  (func $packet (param $pts i64) (param $dts i64) (result i32)
    (call $make (local.get $pts) (local.get $dts) (i32.wrap_i64 (global.get $step)) (i32.const 1) (i32.const 128) (i32.const 8)))

  (func (export "video-render:stage/frame-encoder@0.1.1#[method]encoder.push") (param $self i32) (param $frame i32) (result i32)
    (local $time i64)
    (global.set $free (i32.const 8388608))
    (call $listed)
    (local.set $time (i64.mul (call $index (local.get $frame)) (global.get $step)))
    {encoder-push}
    (i32.const 1000))

  (func (export "video-render:stage/frame-encoder@0.1.1#[method]encoder.flush") (param $self i32) (result i32)
    (call $listed)
    (i32.store (i32.const 1008) (i32.const 0))
    {encoder-flush}
    (i32.const 1000)))
