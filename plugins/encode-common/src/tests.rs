use super::*;
use stage_sdk::{Fault, Job, NoParameters, Request, Size, Source, SourceVideo};

pub(crate) fn video(width: u32, height: u32) -> SourceVideo {
    SourceVideo::new("avc1", Size::new(width, height))
}

pub(crate) fn job(video: SourceVideo) -> Job<NoParameters> {
    let request = Request::new("mp4", Size::new(1920, 1080));
    Job::new(Source::new(vec![video], vec![]), request, NoParameters {})
}

#[test]
fn hdr_is_refused_in_words() {
    for (transfer, name) in [(16, "PQ"), (18, "HLG")] {
        let mut track = video(1920, 1080);
        track.colour.transfer = transfer;
        let Err(Fault::UnsupportedSource { message }) = refuse_hdr(&track) else {
            panic!("HDR went through");
        };
        assert!(message.contains(name));
    }
    assert!(refuse_hdr(&video(1920, 1080)).is_ok());
}

#[test]
fn other_containers_are_refused_by_name() {
    let Err(Fault::InvalidField { field, message }) =
        refuse_other_container(&["mp4", "mov", "webm"], "avi")
    else {
        panic!("avi went through");
    };
    assert_eq!(field, "output_format");
    assert_eq!(message, "This encoder serves mp4, mov and webm, not avi.");
    assert!(refuse_other_container(&["webm"], "webm").is_ok());
    let only = refuse_other_container(&["webm"], "mp4").unwrap_err();
    assert!(format!("{only:?}").contains("serves webm, not mp4"));
}
