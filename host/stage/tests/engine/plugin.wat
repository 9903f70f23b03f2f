;; A plugin for the mux stage. The parts between braces are filled in by the tests.
(module
  (import "video-render:stage/manifest@0.1.0" "[constructor]manifest" (func $manifest (param i32 i32 i32 i32) (result i32)))
  (import "video-render:stage/manifest@0.1.0" "[method]manifest.set-parameters" (func $set-parameters (param i32 i32 i32)))
  (import "video-render:stage/manifest@0.1.0" "[method]manifest.add-container" (func $add-container (param i32 i32 i32)))
  (import "video-render:stage/job@0.1.0" "[resource-drop]job" (func $drop-job (param i32)))
  (import "video-render:stage/job@0.1.0" "[resource-drop]resumption" (func $drop-resumption (param i32)))
  (import "video-render:stage/job@0.1.0" "[method]job.warn" (func $warn (param i32 i32 i32 i32 i32)))
  (import "video-render:stage/job@0.1.0" "[method]resumption.shown-plan" (func $shown-plan (param i32) (result i32)))
  (import "video-render:stage/job@0.1.0" "[method]resumption.state" (func $state (param i32 i32)))
  (import "video-render:stage/plans@0.1.0" "[constructor]raster" (func $raster (param i32 i32 i32 i32 i32 i32 i32 i32) (result i32)))
  (import "video-render:stage/plans@0.1.0" "[constructor]image" (func $image (param i32 i32) (result i32)))
  (import "video-render:stage/plans@0.1.0" "[method]image.write-rect" (func $write-rect (param i32 i32 i32 i32 i32 i32 i32)))
  (import "video-render:stage/plans@0.1.0" "[constructor]mux-plan" (func $mux-plan (param i32 i32) (result i32)))
  (import "video-render:stage/plans@0.1.0" "[constructor]watermark-plan" (func $watermark-plan (result i32)))
  (import "video-render:stage/plans@0.1.0" "[static]plan.from-mux" (func $from-mux (param i32) (result i32)))
  (import "video-render:stage/plans@0.1.0" "[static]plan.from-watermark" (func $from-watermark (param i32) (result i32)))
  (import "video-render:stage/outcome@0.1.0" "[constructor]question" (func $question (param i32 i32) (result i32)))
  (import "video-render:stage/outcome@0.1.0" "[static]fault.failed" (func $failed (param i32 i32) (result i32)))
  (import "video-render:stage/outcome@0.1.0" "[static]fault.declined" (func $declined (result i32)))
  (import "video-render:stage/outcome@0.1.0" "[static]verdict.ready" (func $ready (param i32) (result i32)))
  (import "video-render:stage/outcome@0.1.0" "[static]verdict.suspend" (func $suspend (param i32 i32 i32 i32 i32) (result i32)))
  (import "video-render:stage/outcome@0.1.0" "[static]verdict.fault" (func $fault (param i32) (result i32)))
  (import "video-render:stage/packets@0.1.0" "[resource-drop]packet" (func $drop-packet (param i32)))
  (import "video-render:stage/output@0.1.0" "[method]sink.write" (func $write (param i32 i32 i32)))
  (import "video-render:stage/output@0.1.0" "[method]sink.create-spool" (func $create-spool (param i32) (result i32)))
  (import "video-render:stage/output@0.1.0" "[method]sink.append-spool" (func $append-spool (param i32 i32)))
  (import "video-render:stage/output@0.1.0" "[method]spool.append" (func $append (param i32 i32)))
  (import "[export]video-render:stage/muxing@0.1.0" "[resource-new]muxer" (func $new-muxer (param i32) (result i32)))
  (import "wasi:cli/stderr@0.2.0" "get-stderr" (func $stderr (result i32)))
  (import "wasi:cli/exit@0.2.0" "exit" (func $exit (param i32)))
  (import "wasi:io/streams@0.2.0" "[method]output-stream.blocking-write-and-flush" (func $print (param i32 i32 i32 i32)))

  (import "wasi:filesystem/preopens@0.2.0" "get-directories" (func $get-directories (param i32)))
  (import "wasi:filesystem/types@0.2.0" "[method]descriptor.create-directory-at" (func $create-directory-at (param i32 i32 i32 i32)))

  (memory (export "memory") 2)
  (data (i32.const 0) "test-plugin")
  (data (i32.const 16) "1.0.0")
  (data (i32.const 32) "video/mp4")
  (data (i32.const 48) "Is this right?")
  (data (i32.const 64) "text_cut")
  (data (i32.const 80) "The text was cut.")
  (data (i32.const 112) "video/webm")
  (data (i32.const 128) "[header]")
  (data (i32.const 144) "oh no\0a")
  (data (i32.const 160) "{schema}")

  (global $free (mut i32) (i32.const 65536))
  (global $sink (mut i32) (i32.const 0))
  (global $spool (mut i32) (i32.const 0))

  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
    (global.get $free)
    (global.set $free (i32.and (i32.add (global.get $free) (i32.add (local.get 3) (i32.const 7))) (i32.const -8))))

  (func $plan (result i32)
    (call $from-mux (call $mux-plan (i32.const 32) (i32.const 9))))

  (func $deep (param i32) (result i32)
    (i32.add (i32.const 1) (call $deep (i32.add (local.get 0) (i32.const 1)))))

  ;; A frame of 1 KiB on a stack that ends at address 0, as compiled languages have.
  (func $deep-in-memory (param i32)
    (i32.store (local.get 0) (i32.const 1))
    (call $deep-in-memory (i32.sub (local.get 0) (i32.const 1024))))

  (func (export "video-render:stage/plugin@0.1.0#describe") (result i32)
    (local $manifest i32)
    (local.set $manifest (call $manifest (i32.const 0) (i32.const 11) (i32.const 16) (i32.const 5)))
    {describe}
    (local.get $manifest))

  (func (export "video-render:stage/mux@0.1.0#start") (param $job i32) (result i32)
    (local $i i32)
    {start}
    (call $drop-job (local.get $job))
    {verdict})

  (func (export "video-render:stage/mux@0.1.0#resume") (param $job i32) (param $resumption i32) (result i32)
    (local $plan i32)
    (call $drop-job (local.get $job))
    (local.set $plan (call $shown-plan (local.get $resumption)))
    ;; The state comes back as pointer and length at 1024.
    (call $state (local.get $resumption) (i32.const 1024))
    (call $drop-resumption (local.get $resumption))
    {resume})

  (func (export "video-render:stage/muxing@0.1.0#[static]muxer.begin") (param $job i32) (param i32 i32) (param $sink i32) (result i32)
    {begin}
    (call $drop-job (local.get $job))
    (global.set $sink (local.get $sink))
    (global.set $spool (call $create-spool (local.get $sink)))
    (i32.store (i32.const 1040) (i32.const 0))
    (i32.store (i32.const 1044) (call $new-muxer (i32.const 1)))
    (i32.const 1040))

  (func (export "video-render:stage/muxing@0.1.0#[method]muxer.write") (param $self i32) (param $packet i32) (result i32)
    (call $append (global.get $spool) (local.get $packet))
    (call $drop-packet (local.get $packet))
    (i32.store (i32.const 1040) (i32.const 0))
    {write}
    (i32.const 1040))

  (func (export "video-render:stage/muxing@0.1.0#[method]muxer.finish") (param $self i32) (result i32)
    (call $write (global.get $sink) (i32.const 128) (i32.const 8))
    (call $append-spool (global.get $sink) (global.get $spool))
    (i32.store (i32.const 1040) (i32.const 0))
    {finish}
    (i32.const 1040)))
