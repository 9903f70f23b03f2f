use std::process::Command;
use std::sync::LazyLock;

use proptest::prelude::*;

use super::{Event, Header, Malformed, Reader};

/// What ffmpeg writes of `source` with `options`.
fn made(source: &str, options: &str) -> Vec<u8> {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-nostdin", "-f", "lavfi", "-i", source])
        .args(options.split(' '))
        .args(["-f", "mp4", "-movflags", "+empty_moov+default_base_moof"])
        .args(["-frag_duration", "500000", "-"])
        .output()
        .expect("ffmpeg starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// 30 frames with B-frames, in three fragments.
static STREAM: LazyLock<Vec<u8>> = LazyLock::new(|| {
    made("testsrc2=s=64x48:r=25:d=1.2", "-c:v libx264 -bf 2 -video_track_timescale 12800")
});

/// Sound of six channels.
static OPUS: LazyLock<Vec<u8>> =
    LazyLock::new(|| made("anoisesrc=d=0.2:r=48000,aformat=channel_layouts=5.1", "-c:a libopus"));

/// Reads `chunks` to the end.
fn read<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<Event>, Malformed> {
    let mut reader = Reader::default();
    let mut events = Vec::new();
    for chunk in chunks {
        reader.push(chunk);
        while let Some(event) = reader.next()? {
            events.push(event);
        }
    }
    reader.finish()?;
    Ok(events)
}

#[test]
fn a_track_and_its_samples() {
    let events = read([&STREAM[..]]).unwrap();
    let Some((Event::Header(header), samples)) = events.split_first() else { panic!() };
    assert!(header.codec.starts_with("avc1."), "{}", header.codec);
    assert_eq!(header.timescale, 12800);
    // Version 1 and the profile that the codec's name says.
    assert_eq!(header.codec_config[0], 1);
    assert_eq!(format!("{:02x}", header.codec_config[1]), header.codec[5..7]);
    assert_eq!(samples.len(), 30);
    let mut times = Vec::new();
    for (number, event) in (0..).zip(samples) {
        let Event::Sample(sample) = event else { panic!("a second header") };
        assert_eq!((sample.dts, sample.duration), (number * 512, 512));
        assert_eq!(sample.is_sync, number == 0);
        // One or more units, each behind its length.
        let length = u32::from_be_bytes(*sample.data.first_chunk().unwrap());
        assert!(length as usize + 4 <= sample.data.len());
        times.push(sample.pts);
    }
    let first = times[0];
    times.sort_unstable();
    assert!(times.into_iter().eq((0..30).map(|number| first + number * 512)));
}

/// The header of a stream.
fn header(stream: &[u8]) -> Header {
    let mut events = read([stream]).unwrap();
    let Event::Header(header) = events.swap_remove(0) else { panic!("no header first") };
    header
}

#[test]
fn every_codec_has_its_name_and_configuration() {
    let opus = header(&OPUS);
    assert_eq!((opus.codec.as_str(), opus.timescale, opus.priming), ("opus", 48000, Some(312)));
    // Six channels by mapping family 1: four streams, two of them of two channels.
    assert_eq!((opus.codec_config[1], &opus.codec_config[10..13]), (6, &[1, 4, 2][..]));
    assert_eq!(opus.codec_config.len(), 13 + 6);
    let vp9 = "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -pix_fmt yuv420p";
    let vp9 = header(&made("testsrc2=s=64x48:r=25:d=0.2", vp9));
    assert_eq!((vp9.codec.as_str(), vp9.priming), ("vp09.00.10.08", None));
    // Version 1, flags, profile 0, level 1.0.
    assert_eq!(vp9.codec_config[..6], [1, 0, 0, 0, 0, 10]);
    let av1 = "-c:v libsvtav1 -preset 12 -pix_fmt yuv420p";
    let av1 = header(&made("testsrc2=s=64x64:r=25:d=0.2", av1));
    assert!(av1.codec.starts_with("av01.0.") && av1.codec.ends_with("M.08"), "{}", av1.codec);
    assert_eq!(av1.codec_config[0], 0x81);
}

#[test]
fn a_run_that_claims_millions_of_samples_is_refused() {
    let full = |kind: &[u8; 4], payload: &[u8]| {
        let size = u32::try_from(payload.len() + 8).unwrap();
        [&size.to_be_bytes()[..], kind, payload].concat()
    };
    let wide = |kind: &[u8; 4], payload: &[u8]| {
        let size = u64::try_from(payload.len() + 16).unwrap();
        [&1_u32.to_be_bytes()[..], kind, &size.to_be_bytes(), payload].concat()
    };
    let run = full(b"trun", &[&[0; 4][..], &16_000_000_u32.to_be_bytes()].concat());
    let parts = [full(b"tfhd", &[0, 2, 0, 0, 0, 0, 0, 1]), full(b"tfdt", &[0; 8]), run].concat();
    let sequence = full(b"mfhd", &[0; 8]);
    for traf in [full(b"traf", &parts), wide(b"traf", &parts)] {
        let moof = full(b"moof", &[&sequence[..], &traf].concat());
        let error = read([&STREAM[..], &moof]).unwrap_err();
        assert_eq!(error.to_string(), "a fragment of too many samples");
    }
}

#[test]
fn a_length_without_its_bytes_takes_no_memory() {
    let mut reader = Reader::default();
    // A moov of almost 4 GiB.
    reader.push(&[0xff, 0xff, 0xff, 0xff, b'm', b'o', b'o', b'v']);
    assert!(reader.next().is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_chunking_gives_the_same(cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20)) {
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(STREAM.len())).collect();
        cuts.sort_unstable();
        cuts.push(STREAM.len());
        let mut at = 0;
        let chunks: Vec<_> = cuts
            .into_iter()
            .map(|cut| { let chunk = &STREAM[at..cut]; at = cut; chunk })
            .collect();
        prop_assert_eq!(read(chunks), read([&STREAM[..]]));
    }

    #[test]
    fn a_cut_is_noticed(cut in any::<prop::sample::Index>()) {
        let whole = read([&STREAM[..]]).unwrap().len();
        // At the end of a fragment nothing is missing but fragments, and those are counted.
        if let Ok(events) = read([&STREAM[..cut.index(STREAM.len())]]) {
            prop_assert!(events.len() < whole || cut.index(STREAM.len()) > STREAM.len() - 200);
        }
    }

    #[test]
    fn damage_is_survived(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        within in 1..4000_usize,
    ) {
        for mut stream in [STREAM.clone(), OPUS.clone()] {
            for (at, value) in &damage {
                let at = at.index(within.min(stream.len()));
                stream[at] = *value;
            }
            // Whatever it says, it says it without panicking.
            let _: Result<_, _> = read([&stream[..]]);
        }
    }

    #[test]
    fn junk_is_survived(junk in prop::collection::vec(any::<u8>(), 0..400)) {
        let _: Result<_, _> = read([&junk[..]]);
    }
}
