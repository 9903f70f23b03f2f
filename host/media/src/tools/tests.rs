use std::os::unix::fs::PermissionsExt;

use super::*;

/// What a tool prints: `name`, and the libavcodec that it was built with and runs with.
fn answer(name: &str, built: &str, found: &str) -> String {
    format!(
        "ffmpeg version {name} Copyright (c) 2000-2026 the FFmpeg developers\n\
         built with gcc 12\nlibavutil      57. 28.100 / 57. 28.100\n\
         libavcodec     {built} / {found}\nlibavformat    59. 27.100 / 59. 27.100\n"
    )
}

fn judged(name: &str, found: &str) -> Result<(), MediaError> {
    judge(Tool::Ffmpeg, &answer(name, found, found), Path::new("/opt/ffmpeg"))
}

#[test]
fn versions_that_will_do() {
    for (name, libavcodec) in [
        ("5.1.9-0+deb12u1", "59. 37.100"),
        ("5.1", "59. 37.100"),
        ("n6.1.1", "60. 31.102"),
        ("7.0.2-static", "61.  3.100"),
        ("N-109542-g1bf1aa2", "59. 56.100"),
        ("2024-05-20-git-127ded5078-full_build", "61.  5.104"),
        ("git-2023-01-01", "59. 55.103"),
    ] {
        assert!(judged(name, libavcodec).is_ok(), "{name}");
    }
}

#[test]
fn versions_that_are_too_old() {
    for (name, libavcodec) in [
        ("5.0.3", "59. 18.100"),
        ("4.4.2-0ubuntu0.22.04.1", "58.134.100"),
        ("N-107000-gabcdef0", "59. 33.100"),
        ("git-2016-01-01", "57. 22.100"),
    ] {
        let error = judged(name, libavcodec).unwrap_err();
        assert!(matches!(error, MediaError::ToolTooOld { .. }), "{name}");
        let sentence = error.to_string();
        assert!(sentence.contains(name) && sentence.contains("install"), "{sentence}");
    }
}

#[test]
fn the_library_that_is_found_counts() {
    let answer = answer("5.1", "59. 37.100", "59. 18.100");
    let error = judge(Tool::Ffmpeg, &answer, Path::new("/x")).unwrap_err();
    assert!(matches!(error, MediaError::ToolTooOld { .. }));
}

#[test]
fn another_program_is_no_ffmpeg() {
    for answer in ["", "GNU bash, version 5.2\n", "ffprobe version 5.1\n", "ffmpeg version\n"] {
        let error = judge(Tool::Ffmpeg, answer, Path::new("/opt/other")).unwrap_err();
        assert!(matches!(error, MediaError::ToolMissing { .. }), "{answer:?}");
        assert!(error.to_string().contains("/opt/other"), "{error}");
    }
}

#[test]
fn a_configured_path_must_be_a_program() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("ffmpeg");
    let find = |path: &Path| Tools::find(Some(path), Some(path));
    for path in [directory.path(), &file] {
        let error = find(path).unwrap_err();
        assert!(matches!(error, MediaError::ToolMissing { .. }), "{error}");
        assert!(error.to_string().contains("install ffmpeg 5.1"), "{error}");
    }
    std::fs::write(&file, "").unwrap();
    let error = find(&file).unwrap_err();
    assert!(matches!(error, MediaError::ToolMissing { .. }), "not executable: {error}");

    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).unwrap();
    let link = directory.path().join("link");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let real = file.canonicalize().unwrap();
    assert_eq!(find(&link).unwrap(), Tools { ffmpeg: real.clone(), ffprobe: real });
}
