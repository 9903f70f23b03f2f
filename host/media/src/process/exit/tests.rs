use super::*;

fn exit(status: i32, said: &str) -> Exit {
    Exit { tool: Tool::Ffmpeg, status: ExitStatus::from_raw(status), stderr_tail: said.to_owned() }
}

/// The wait status of a process that ended with `code`.
fn code(code: i32) -> i32 {
    code << 8
}

#[test]
fn zero_is_fine() {
    assert!(exit(code(0), "a warning").check(&JailLimits::default()).is_ok());
}

#[test]
fn the_last_line_is_the_message() {
    let error =
        exit(code(1), "much before\nInvalid data found\n  \n").check(&JailLimits::default());
    assert_eq!(error.unwrap_err().to_string(), "ffmpeg failed: Invalid data found");
    let said = "[info] a\n[h264 @ 0x1] [error] Invalid data found\n[verbose] that was all\n";
    let error = exit(code(1), said).check(&JailLimits::default());
    assert_eq!(error.unwrap_err().to_string(), "ffmpeg failed: Invalid data found");
    let long = exit(code(1), &"ß".repeat(10_000));
    assert_eq!(long.message().chars().count(), MESSAGE);
}

#[test]
fn silence_is_described() {
    assert_eq!(exit(code(1), "").message(), "ffmpeg ended with exit status: 1");
    let killed = exit(Signal::SIGKILL as i32, " \n").message();
    assert!(killed.contains("signal: 9"), "{killed}");
}

#[test]
fn limits_are_named() {
    let limits = JailLimits { cpu_seconds: 7, memory_bytes: 9, ..JailLimits::default() };
    let budget = |exit: Exit| match exit.check(&limits) {
        Err(MediaError::Budget { allowed, .. }) => allowed,
        other => panic!("{other:?}"),
    };
    assert_eq!(budget(exit(Signal::SIGXCPU as i32, "")), 7);
    assert_eq!(budget(exit(code(255), "")), 7);
    assert_eq!(budget(exit(code(1), "Error: Cannot allocate memory\nmore")), 9);
    assert_eq!(budget(exit(code(0), "Error: Cannot allocate memory")), 9);
}

#[test]
fn only_the_jail_refuses() {
    let said = format!("{REFUSED_MARK}no landlock\n");
    let message = exit(code(125), &said).refusal().unwrap().to_string();
    assert_eq!(message, "the jail for ffmpeg is not available: no landlock");
    assert!(exit(code(1), &said).refusal().is_none(), "ffmpeg that quotes a title");
    assert!(exit(code(125), "something else").refusal().is_none());
}

#[test]
fn what_cannot_be_decoded_is_the_sources_fault() {
    let limits = JailLimits::default();
    let gave_up = "[error] Error while decoding stream #0:1: Invalid data found\n";
    let nothing = "[error] Cannot determine format of input stream 0:1 after EOF\n";
    for exit in [exit(code(69), gave_up), exit(code(1), gave_up), exit(code(1), nothing)] {
        let error = exit.check(&limits).unwrap_err();
        assert!(matches!(error, MediaError::Unreadable { .. }), "{error}");
    }
    // It was put up with, and something else ended the run.
    let other = exit(code(1), &format!("{gave_up}[error] Error writing trailer\n"));
    assert!(matches!(other.check(&limits), Err(MediaError::Encoder { .. })));
}
