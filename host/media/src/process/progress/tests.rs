use proptest::prelude::*;

use super::*;

/// What ffmpeg 5.1 prints, shortened.
const REPORT: &str = "frame=120\nfps=59.94\nstream_0_0_q=28.0\nbitrate=N/A\ntotal_size=4711\n\
    out_time_us=4004000\nout_time_ms=4004000\nout_time=00:00:04.004000\ndup_frames=0\n\
    drop_frames=0\nspeed=   2x\nprogress=continue\n";

fn whole() -> Progress {
    Progress { frame: 120, fps: 59.94, speed: 2.0, out_time_us: Some(4_004_000), done: false }
}

#[test]
fn reads_a_report() {
    assert_eq!(ProgressParser::default().push(REPORT.as_bytes()), Some(whole()));
}

#[test]
fn gives_the_latest_of_several_reports() {
    let two = format!("{REPORT}frame=240\nprogress=end\n");
    let last = Progress { frame: 240, done: true, ..whole() };
    assert_eq!(ProgressParser::default().push(two.as_bytes()), Some(last));
}

#[test]
fn what_is_not_available_stays_as_it_was() {
    let mut parser = ProgressParser::default();
    let start = "frame=0\nfps=0.00\nout_time_us=N/A\nspeed=N/A\nprogress=continue\n";
    assert_eq!(parser.push(start.as_bytes()), Some(Progress::default()));
    parser.push(REPORT.as_bytes());
    assert_eq!(parser.push(start.as_bytes()), Some(Progress { frame: 0, fps: 0.0, ..whole() }));
}

#[test]
fn nonsense_is_passed_over() {
    let mut parser = ProgressParser::default();
    let long = "x".repeat(10_000);
    let nonsense = format!(
        "frame=many\nfps=inf\nspeed=-1x\nout_time_us=-9223372036854775807\nno equals sign\n=\n\
         {long}=1\nframe={long}\n\u{fffd}\0=\0\n"
    );
    assert_eq!(parser.push(nonsense.as_bytes()), None);
    assert_eq!(parser.push(b"\xff\xfe=\xff\nprogress=continue\n"), Some(Progress::default()));
    assert_eq!(parser.push(REPORT.as_bytes()), Some(whole()), "a line that is too long ends");
}

proptest! {
    #[test]
    fn arbitrary_bytes_do_no_harm(chunks in prop::collection::vec(any::<Vec<u8>>(), 0..20)) {
        let mut parser = ProgressParser::default();
        for chunk in &chunks {
            parser.push(chunk);
            prop_assert!(parser.line.len() <= LINE);
        }
        parser.push(b"\n");
        prop_assert_eq!(parser.push(REPORT.as_bytes()), Some(whole()));
    }

    #[test]
    fn where_the_bytes_are_cut_does_not_matter(cuts in prop::collection::vec(1_usize..40, 1..40)) {
        let mut parser = ProgressParser::default();
        let mut seen = None;
        let mut rest = REPORT.as_bytes();
        for cut in cuts.iter().cycle() {
            let (now, later) = rest.split_at((*cut).min(rest.len()));
            seen = parser.push(now).or(seen);
            rest = later;
            if rest.is_empty() {
                break;
            }
        }
        prop_assert_eq!(seen, Some(whole()));
    }
}
