use super::*;
use crate::catalogue::Code;

fn request(text: &str) -> Request {
    Request {
        input: "in.mp4".into(),
        output: "out.mp4".into(),
        overwrite: false,
        container: Container::default(),
        resolution: Resolution::default(),
        watermark: Mark::Text(text.to_owned()),
        position: Position::default(),
        approval_required: true,
    }
}

#[test]
fn the_text_is_limited_in_characters_not_bytes() {
    assert!(request(&"ש".repeat(200)).check().is_ok());
    let failure = request(&"a".repeat(10_000)).check().unwrap_err();
    assert_eq!(failure.code, Code::InvalidField);
    assert_eq!(failure.details["field"], "watermark.text");
    assert!(failure.message.contains("10000") && failure.message.contains("200"), "{failure}");
}

#[test]
fn an_empty_text_is_no_text() {
    for text in ["", "  ", "\n"] {
        assert_eq!(request(text).check().unwrap_err().code, Code::InvalidField, "{text:?}");
    }
}

#[test]
fn words_read_back() {
    for value in Container::ALL {
        assert_eq!(value.to_string().parse(), Ok(*value));
    }
    for value in Resolution::ALL {
        assert_eq!(value.to_string().parse(), Ok(*value));
    }
    for value in Position::ALL {
        assert_eq!(value.to_string().parse(), Ok(*value));
    }
    assert!("avi".parse::<Container>().unwrap_err().contains("mp4, webm, mov"));
}

#[test]
fn defaults_are_those_of_the_tool() {
    assert_eq!(Container::default().to_string(), "mp4");
    assert_eq!(Resolution::default().to_string(), "1080p");
    assert_eq!(Position::default().to_string(), "bottom_right");
}
