//! Generated films, taken apart and written again.

use std::process::Command;

use serde_json::Value;

use crate::support::clip::{Clip, Written, generate};
use crate::support::{elements, probe, reader};

const VP9: &str = "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -row-mt 1 -g 30 \
    -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv";
const OPUS: &str = "-c:a libopus -b:a 64k";

/// What ffprobe says of a stream and must say again.
const SAME: [&str; 12] = [
    "codec_name",
    "profile",
    "width",
    "height",
    "pix_fmt",
    "sample_aspect_ratio",
    "sample_rate",
    "channels",
    "channel_layout",
    "color_range",
    "color_space",
    "color_primaries",
];

/// What must hold of every film that was written.
fn check(clip: &Clip, written: &Written) {
    probe::decodes_cleanly(&written.path);
    reader::agrees(clip, written);
    for (stream, track) in clip.tracks.iter().enumerate() {
        for name in SAME {
            let facts = |probe: &Value| probe["streams"][stream][name].clone();
            assert_eq!(facts(&written.probe), facts(&clip.probe), "{name} of stream {stream}");
        }
        let map = format!("0:{stream}");
        if track.priming == 0 {
            assert_eq!(probe::checksum(&written.path, &map), probe::checksum(&clip.path, &map));
        } else {
            assert_eq!(samples(written, stream), track.duration, "as long as it was promised");
        }
    }
    let ends = clip.tracks.iter().map(|t| (t.start + t.duration) as f64 / f64::from(t.timescale));
    let duration: f64 = written.probe["format"]["duration"].as_str().unwrap().parse().unwrap();
    let longest = ends.fold(0.0, f64::max);
    assert!((duration - longest).abs() < 0.001, "{duration} for {longest}");
}

/// How many samples of sound are presented.
fn samples(written: &Written, stream: usize) -> u64 {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(&written.path)
        .args(["-map", &format!("0:{stream}"), "-ac", "1", "-f", "s16le", "-"])
        .output()
        .unwrap();
    output.stdout.len() as u64 / 2
}

fn stream(written: &Written, stream: usize) -> &Value {
    &written.probe["streams"][stream]
}

#[test]
fn pictures_and_sound_keep_their_times() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip = generate(
        dir.path(),
        &format!(
            "-f lavfi -i testsrc2=s=320x180:r=30000/1001:d=4 -f lavfi -i sine=d=4:r=48000 {VP9} {OPUS}"
        ),
    );
    let written = clip.write(&[]);
    check(&clip, &written);
    assert_eq!(stream(&written, 0)["start_time"], "0.000000");
    assert_eq!(stream(&written, 0)["avg_frame_rate"], "30000/1001");
    assert_eq!(stream(&written, 0)["r_frame_rate"], "30000/1001");
    assert_eq!(stream(&written, 0)["color_transfer"], "bt709");
    // The delay lies before 0, so that what is heard begins there.
    assert_eq!(stream(&written, 1)["start_time"], "-0.007000");
    assert_eq!(clip.write(&[]).bytes, written.bytes, "the same again is the same file");
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
            "-f lavfi -i testsrc2=s=320x180:r=25:d=3 -f lavfi -i sine=d=2:r=48000 {VP9} {OPUS}"
        ),
    );
    clip.delay(1, 33_600);
    let written = clip.write(&[]);
    check(&clip, &written);
    // 700 ms less the delay of 6.5 ms.
    let (begins, ..) = probe::packets(&written.probe, 1)[0];
    assert!(matches!(begins, 693 | 694), "{begins}");
}

#[test]
fn late_pictures_begin_when_they_should_and_sound_before_them_is_kept() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut clip = generate(
        dir.path(),
        &format!(
            "-f lavfi -i testsrc2=s=320x180:r=24:d=2 -f lavfi -i sine=d=7:r=48000 {VP9} {OPUS}"
        ),
    );
    let second = u64::from(clip.tracks[0].timescale);
    clip.delay(0, second * 7 / 2);
    let written = clip.write(&[]);
    check(&clip, &written);
    assert_eq!(stream(&written, 0)["start_time"], "3.500000");
}

#[test]
fn one_frame_without_sound_is_a_film() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip =
        generate(dir.path(), &format!("-f lavfi -i testsrc2=s=320x180:r=25 -frames:v 1 {VP9}"));
    let written = clip.write(&[]);
    check(&clip, &written);
    assert_eq!(written.probe["format"]["duration"], "0.040000");
    assert_eq!(written.probe["streams"].as_array().unwrap().len(), 1);
}

#[test]
fn mono_and_surround_sound_keep_their_channels() {
    if !probe::available() {
        return;
    }
    for (layout, channels) in [("mono", 1), ("5.1", 6), ("7.1", 8)] {
        let dir = tempfile::tempdir().unwrap();
        let clip = generate(
            dir.path(),
            &format!(
                "-f lavfi -i testsrc2=s=320x180:r=60:d=1 \
                 -f lavfi -i anoisesrc=d=1:r=48000,aformat=channel_layouts={layout} {VP9} {OPUS} -mapping_family {}",
                if channels > 2 { 1 } else { 0 }
            ),
        );
        let written = clip.write(&[]);
        check(&clip, &written);
        assert_eq!(stream(&written, 1)["channels"], channels);
    }
}

#[test]
fn av1_is_passed_on_with_its_record() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip = generate(
        dir.path(),
        "-f lavfi -i testsrc2=s=320x180:r=25:d=1 -c:v libaom-av1 -cpu-used 8 -usage realtime -g 10",
    );
    let written = clip.write(&[]);
    check(&clip, &written);
    let file = reader::open(&written);
    assert_eq!(file.tracks()[0].codec_id(), "V_AV1");
    assert_eq!(file.tracks()[0].codec_private(), Some(&clip.tracks[0].codec_config[..]));
}

#[test]
fn several_languages_are_alternatives_of_which_the_first_is_the_default() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip = generate(
        dir.path(),
        &format!(
            "-f lavfi -i testsrc2=s=320x180:r=25:d=1 -f lavfi -i sine=d=1:r=48000 \
             -f lavfi -i sine=d=1:r=48000:f=880 -map 0 -map 1 -map 2 \
             -metadata:s:a:0 language=deu -metadata:s:a:1 language=jpn {VP9} {OPUS}"
        ),
    );
    let written = clip.write(&[]);
    check(&clip, &written);
    // ffprobe calls an undetermined language by no name; Matroska has German by another.
    let language = |place| stream(&written, place)["tags"]["language"].clone();
    assert_eq!((language(0), language(1), language(2)), (Value::Null, "ger".into(), "jpn".into()));
    let default = |place| stream(&written, place)["disposition"]["default"].clone();
    assert_eq!((default(0), default(1), default(2)), (1.into(), 1.into(), 0.into()));
}

#[test]
fn title_artist_and_copyright_are_kept_and_nothing_else() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip = generate(dir.path(), &format!("-f lavfi -i testsrc2=s=320x180:r=25:d=1 {VP9}"));
    let tags = [
        ("title", "Ein Film über größere Dinge — 映画"),
        ("artist", "Somebody"),
        ("copyright", "© 2026 Somebody"),
        ("comment", "secret"),
        ("location", "+48.1371+011.5754/"),
        ("encoder", "secret"),
        ("creation_time", "2026-01-01T00:00:00Z"),
    ];
    let written = clip.write(&tags);
    check(&clip, &written);
    let found = written.probe["format"]["tags"].as_object().unwrap();
    for (name, text) in &tags[..3] {
        let key = found.keys().find(|key| key.eq_ignore_ascii_case(name)).unwrap();
        assert_eq!(found[key], *text);
    }
    // The writer's name is the one thing more.
    assert_eq!(found.len(), 4, "{found:?}");
    let text = String::from_utf8_lossy(&written.bytes);
    assert!(!text.contains("secret") && !text.contains("+48.1371"));
}

#[test]
fn the_index_comes_before_the_clusters_and_the_seek_head_names_every_part() {
    if !probe::available() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let clip = generate(
        dir.path(),
        &format!(
            "-f lavfi -i testsrc2=s=320x180:r=25:d=3 -f lavfi -i sine=d=3:r=48000 {VP9} {OPUS}"
        ),
    );
    let written = clip.write(&[("artist", "Somebody")]);
    let whole = elements::children(&written.bytes);
    assert_eq!(whole.iter().map(|part| part.id).collect::<Vec<_>>(), [0x1a45_dfa3, 0x1853_8067]);
    let segment = whole[1].content;
    let parts = elements::children(segment);
    let mut order: Vec<_> = parts.iter().map(|part| part.id).collect();
    order.dedup();
    assert_eq!(
        order,
        [0x114d_9b74, 0x1549_a966, 0x1654_ae6b, 0x1254_c367, 0x1c53_bb6b, 0x1f43_b675]
    );
    let seeks = elements::all(segment, &[0x114d_9b74, 0x4dbb]);
    let told = seeks.iter().map(|seek| {
        let [id, position] = elements::children(seek.content)[..] else { panic!() };
        (id.number() as u32, position.number() as usize)
    });
    let found = parts[1..5].iter().map(|part| (part.id, part.position));
    assert_eq!(told.collect::<Vec<_>>(), found.collect::<Vec<_>>());
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
            "-f lavfi -i testsrc2=s=320x180:r=25:d=2 -f lavfi -i sine=d=1.99:r=48000 {VP9} {OPUS}"
        ),
    );
    // As from an encoder that is not told where its input ends: whole packets, one promise.
    let (last, _) = clip.packets.iter_mut().rev().find(|(packet, _)| packet.track == 1).unwrap();
    last.duration = 960;
    assert!(last.pts.cast_unsigned() + 960 > clip.tracks[1].duration);
    check(&clip, &clip.write(&[]));
}
