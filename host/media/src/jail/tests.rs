use super::*;

fn spec() -> Spec {
    Spec {
        parent: 1,
        limits: JailLimits::default(),
        landlock: Landlock::Required,
        descriptors: vec![3, 4],
        readable: vec![3],
    }
}

#[test]
fn what_the_host_writes_the_jail_reads() {
    let text = OsString::from(serde_json::to_string(&spec()).unwrap());
    assert_eq!(Spec::parse(Some(&text)).unwrap(), spec());
}

// None of these gets as far as giving anything up, so they can run in this process.
#[test]
fn a_wrong_command_line_is_refused() {
    let text = serde_json::to_string(&spec()).unwrap();
    for args in [vec![], vec!["{}"], vec!["ffmpeg", "-version"], vec![text.as_str()]] {
        let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
        let Err(error) = enter(args.clone());
        assert!(matches!(error, JailError::Usage(_)), "{args:?}: {error}");
    }
}
