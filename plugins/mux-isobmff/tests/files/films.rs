//! Generated films, taken apart and written again.

use serde_json::Value;
use stage_sdk::{Colour, Size, Track, TrackFormat};

use crate::support::clip::{Clip, Written, generate};
use crate::support::{boxes, probe, readers};

const CONTAINERS: [&str; 2] = ["mp4", "mov"];
const X264: &str = "-c:v libx264 -preset veryfast -bf 2 -g 30 -colorspace bt709 \
    -color_primaries bt709 -color_trc bt709 -color_range tv";

/// What ffprobe says of a stream and must say again.
const SAME: [&str; 18] = [
    "codec_name",
    "profile",
    "width",
    "height",
    "pix_fmt",
    "time_base",
    "nb_frames",
    "sample_aspect_ratio",
    "r_frame_rate",
    "avg_frame_rate",
    "sample_rate",
    "channels",
    "channel_layout",
    "color_range",
    "color_space",
    "color_primaries",
    "color_transfer",
    "has_b_frames",
];

/// What must hold of every film that was written.
fn check(clip: &Clip, written: &Written) {
    probe::decodes_cleanly(&written.path);
    for stream in 0..clip.tracks.len() {
        let start = clip.tracks[stream].start.cast_signed();
        let moved = |(pts, dts, duration, flags)| (pts + start, dts + start, duration, flags);
        let source: Vec<_> = probe::packets(&clip.probe, stream).into_iter().map(moved).collect();
        let mut found = probe::packets(&written.probe, stream);
        if start > 0 {
            // ffmpeg takes the media's length for the end of the last packet, and does not move it.
            found.last_mut().unwrap().2 = source.last().unwrap().2;
        }
        assert_eq!(found, source, "stream {stream}");
        for name in SAME {
            let facts = |probe: &Value| probe["streams"][stream][name].clone();
            assert_eq!(facts(&written.probe), facts(&clip.probe), "{name} of stream {stream}");
        }
        let map = format!("0:{stream}");
        assert_eq!(probe::checksum(&written.path, &map), probe::checksum(&clip.path, &map));
    }
    if written.path.extension().unwrap() == "mp4" {
        readers::lenient_agrees(clip, written);
        readers::strict_agrees(clip, written);
    } else if !clip.tracks.iter().any(has_high_rate) {
        readers::lenient_agrees(clip, written);
    }
}

/// Neither reader knows the description that QuickTime has for such sound.
fn has_high_rate(track: &Track) -> bool {
    matches!(track.format, TrackFormat::Audio { sample_rate: 65_536.., .. })
}

fn stream(written: &Written, stream: usize) -> &Value {
    &written.probe["streams"][stream]
}

#[test]
fn reordered_frames_and_sound_keep_their_times() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip = generate(
        dir.path(),
        &format!(
            "-f lavfi -i testsrc2=s=320x180:r=30000/1001:d=4 -f lavfi -i sine=d=4:r=48000 {X264} -c:a aac"
        ),
    );
    assert!(clip.packets.iter().any(|(packet, _)| packet.dts < 0), "the film has B-frames");
    for container in CONTAINERS {
        let written = clip.write(container, &[]);
        check(&clip, &written);
        assert_eq!(stream(&written, 0)["start_time"], "0.000000");
        assert_eq!(stream(&written, 1)["start_time"], "0.000000");
        assert_eq!(stream(&written, 0)["color_primaries"], "bt709");
        assert_eq!(stream(&written, 0)["codec_tag_string"], "avc1");
    }
}

#[test]
fn late_sound_begins_when_it_should() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut clip = generate(
        dir.path(),
        &format!(
            "-f lavfi -i testsrc2=s=320x180:r=25:d=3 -f lavfi -i sine=d=2:r=44100 {X264} -c:a aac"
        ),
    );
    clip.delay(1, 30_870 + 1);
    for container in CONTAINERS {
        let written = clip.write(container, &[]);
        check(&clip, &written);
        assert_eq!(stream(&written, 1)["start_pts"], 30_871, "not rounded to the video's clock");
        assert_eq!(stream(&written, 1)["start_time"], "0.700023");
    }
}

#[test]
fn late_pictures_begin_when_they_should() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut clip = generate(
        dir.path(),
        &format!(
            "-f lavfi -i testsrc2=s=320x180:r=24:d=2 -f lavfi -i sine=d=3:r=48000 {X264} -c:a aac"
        ),
    );
    let second = u64::from(clip.tracks[0].timescale);
    clip.delay(0, second / 2);
    for container in CONTAINERS {
        let written = clip.write(container, &[]);
        check(&clip, &written);
        assert_eq!(stream(&written, 0)["start_time"], "0.500000");
    }
}

#[test]
fn one_frame_without_sound_is_a_film() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip =
        generate(dir.path(), &format!("-f lavfi -i testsrc2=s=320x180:r=25 -frames:v 1 {X264}"));
    for container in CONTAINERS {
        let written = clip.write(container, &[]);
        check(&clip, &written);
        assert_eq!(written.probe["format"]["duration"], "0.040000");
        assert_eq!(written.probe["streams"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn surround_sound_keeps_its_channels_and_a_high_rate_its_rate() {
    if !probe::available() {
        return;
    }
    for (source, layout, channels, rate) in [
        ("anoisesrc=d=2:r=48000,aformat=channel_layouts=5.1", "5.1", 6, 48_000),
        ("anoisesrc=d=2:r=96000,aformat=channel_layouts=stereo", "stereo", 2, 96_000),
        ("anoisesrc=d=2:r=8000,aformat=channel_layouts=mono", "mono", 1, 8000),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let clip = generate(
            dir.path(),
            &format!(
                "-f lavfi -i testsrc2=s=320x180:r=60:d=2 -f lavfi -i {source} {X264} -c:a aac"
            ),
        );
        assert_eq!(clip.tracks[1].format, TrackFormat::Audio { sample_rate: rate, channels });
        for container in CONTAINERS {
            let written = clip.write(container, &[]);
            check(&clip, &written);
            assert_eq!(stream(&written, 1)["channel_layout"], layout);
            assert_eq!(stream(&written, 1)["sample_rate"], rate.to_string());
        }
    }
}

#[test]
fn several_languages_are_alternatives_of_which_the_first_is_on() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip = generate(
        dir.path(),
        &format!(
            "-f lavfi -i testsrc2=s=320x180:r=25:d=1 -f lavfi -i sine=d=1:r=48000 \
             -f lavfi -i sine=d=1:r=48000:f=880 -map 0 -map 1 -map 2 \
             -metadata:s:a:0 language=deu -metadata:s:a:1 language=jpn {X264} -c:a aac"
        ),
    );
    for container in CONTAINERS {
        let written = clip.write(container, &[]);
        check(&clip, &written);
        let language = |place| stream(&written, place)["tags"]["language"].clone();
        assert_eq!(
            (language(0), language(1), language(2)),
            ("und".into(), "deu".into(), "jpn".into())
        );
        let default = |place| stream(&written, place)["disposition"]["default"].clone();
        assert_eq!((default(0), default(1), default(2)), (1.into(), 1.into(), 0.into()));
    }
}

#[test]
fn title_artist_and_copyright_are_kept_and_nothing_else() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip = generate(dir.path(), &format!("-f lavfi -i testsrc2=s=320x180:r=25:d=1 {X264}"));
    let tags = [
        ("title", "Ein Film über größere Dinge — 映画"),
        ("artist", "Somebody"),
        ("copyright", "© 2026 Somebody"),
        ("comment", "secret"),
        ("location", "+48.1371+011.5754/"),
        ("com.apple.quicktime.location.iso6709", "+48.1371+011.5754/"),
        ("make", "Phone"),
        ("encoder", "secret"),
        ("creation_time", "2026-01-01T00:00:00Z"),
    ];
    for container in CONTAINERS {
        let written = clip.write(container, &tags);
        check(&clip, &written);
        let found = written.probe["format"]["tags"].as_object().unwrap();
        for (name, text) in &tags[..3] {
            assert_eq!(found[*name], *text);
        }
        let others: Vec<_> =
            found.keys().filter(|name| !tags[..3].iter().any(|(t, _)| t == *name)).collect();
        assert_eq!(others, ["compatible_brands", "major_brand", "minor_version"]);
        let text = String::from_utf8_lossy(&written.bytes);
        assert!(!text.contains("secret") && !text.contains("+48.1371"));
    }
}

#[test]
fn the_index_comes_first_and_the_brand_is_the_containers() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip = generate(dir.path(), &format!("-f lavfi -i testsrc2=s=320x180:r=25:d=1 {X264}"));
    for (container, brand) in [("mp4", "isom"), ("mov", "qt  ")] {
        let written = clip.write(container, &[]);
        let order: Vec<_> =
            boxes::children(&written.bytes).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(order, [*b"ftyp", *b"moov", *b"mdat"]);
        assert_eq!(written.probe["format"]["tags"]["major_brand"], brand);
        assert_eq!(
            clip.write(container, &[]).bytes,
            written.bytes,
            "the same again is the same file"
        );
    }
}

#[test]
fn sound_that_reaches_beyond_its_promise_is_not_presented_to_its_end() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut clip = generate(
        dir.path(),
        &format!(
            "-f lavfi -i testsrc2=s=320x180:r=25:d=2 -f lavfi -i sine=d=2:r=48000 {X264} -c:a aac"
        ),
    );
    // As from an encoder that is not told where its input ends: whole packets, one promise.
    let (last, _) = clip.packets.iter_mut().rev().find(|(packet, _)| packet.track == 1).unwrap();
    last.duration = 1024;
    assert!(last.pts.cast_unsigned() + 1024 > clip.tracks[1].duration);
    for container in CONTAINERS {
        let written = clip.write(container, &[]);
        probe::decodes_cleanly(&written.path);
        if container == "mp4" {
            readers::strict_agrees(&clip, &written);
        }
        assert_eq!(stream(&written, 1)["duration"], "2.000000");
        assert_eq!(written.probe["format"]["duration"], "2.000000");
    }
}

#[test]
fn uneven_frame_times_are_kept() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip = generate(
        dir.path(),
        &format!(
            "-f lavfi -i testsrc2=s=320x180:r=50:d=2 -vf select='not(mod(n\\,7))+not(mod(n\\,3))' -vsync vfr {X264}"
        ),
    );
    for container in CONTAINERS {
        check(&clip, &clip.write(container, &[]));
    }
}

#[test]
fn the_colour_is_told_as_each_container_tells_it() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut clip = generate(
        dir.path(),
        "-f lavfi -i testsrc2=s=320x180:r=25:d=1 -c:v libx264 -preset veryfast",
    );
    let colr = |written: &Written| {
        let path: [&[u8; 4]; 8] =
            [b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsd", b"avc1", b"colr"];
        boxes::find(&written.bytes, &path).map(<[u8]>::to_vec)
    };
    let mut tag = |primaries, transfer, matrix, full_range| {
        let colour = Colour { primaries, transfer, matrix, full_range };
        clip.tracks[0].format = TrackFormat::Video { size: Size::new(320, 180), colour };
        CONTAINERS.map(|container| clip.write(container, &[]))
    };
    let full = tag(9, 16, 9, true);
    assert_eq!(colr(&full[0]).unwrap(), b"nclx\0\x09\0\x10\0\x09\x80");
    assert_eq!(colr(&full[1]).unwrap(), b"nclc\0\x09\0\x10\0\x09");
    for written in &full {
        assert_eq!(stream(written, 0)["color_space"], "bt2020nc");
        assert_eq!(stream(written, 0)["color_transfer"], "smpte2084");
    }
    let unspecified = tag(2, 2, 2, false);
    assert_eq!((colr(&unspecified[0]), colr(&unspecified[1])), (None, None));
}

#[test]
fn jpeg_pictures_are_named_as_each_container_names_them() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip = generate(
        dir.path(),
        "-f lavfi -i testsrc2=s=320x180:r=30000/1001:d=1 -f lavfi -i sine=d=1:r=48000 \
         -c:v mjpeg -color_range pc -c:a aac",
    );
    for (container, tag) in [("mp4", "mp4v"), ("mov", "jpeg")] {
        let written = clip.write(container, &[]);
        probe::decodes_cleanly(&written.path);
        for stream in 0..2 {
            let source = probe::packets(&clip.probe, stream);
            assert_eq!(probe::packets(&written.probe, stream), source, "stream {stream}");
            let map = format!("0:{stream}");
            assert_eq!(probe::checksum(&written.path, &map), probe::checksum(&clip.path, &map));
        }
        let picture = stream(&written, 0);
        assert_eq!(picture["codec_name"], "mjpeg");
        assert_eq!(picture["codec_tag_string"], tag);
        assert_eq!(picture["avg_frame_rate"], "30000/1001");
        assert_eq!(
            (&picture["color_range"], &picture["pix_fmt"]),
            (&"pc".into(), &"yuvj420p".into())
        );
        assert_eq!(picture["sample_aspect_ratio"], "1:1");
        assert_eq!(picture["color_space"], "bt470bg");
    }
}
