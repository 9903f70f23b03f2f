use super::*;
use crate::request::{Container, Mark, Position, Resolution};

fn request(input: &Path, output: &Path, overwrite: bool) -> Request {
    Request {
        input: input.to_owned(),
        output: output.to_owned(),
        overwrite,
        container: Container::default(),
        resolution: Resolution::default(),
        watermark: Mark::None,
        position: Position::default(),
        approval_required: true,
    }
}

fn code(input: &Path, output: &Path, overwrite: bool) -> Option<Code> {
    check_output(&request(input, output, overwrite)).err().map(|failure| failure.code)
}

#[test]
fn an_output_is_refused_before_work_is_done() {
    let dir = tempfile::tempdir().unwrap();
    let [input, there] = ["in.mp4", "there.mp4"].map(|name| dir.path().join(name));
    for file in [&input, &there] {
        fs::write(file, "x").unwrap();
    }
    let link = dir.path().join("link.mp4");
    fs::hard_link(&input, &link).unwrap();

    assert_eq!(code(&input, &dir.path().join("new.mp4"), false), None);
    assert_eq!(code(&input, &there, false), Some(Code::OutputExists));
    assert_eq!(code(&input, &there, true), None);
    assert_eq!(code(&input, &input, true), Some(Code::OutputUnwritable));
    assert_eq!(
        code(&input, &link, true),
        Some(Code::OutputUnwritable),
        "another name of the source"
    );
    assert_eq!(code(&input, dir.path(), true), Some(Code::OutputUnwritable));
    assert_eq!(code(&input, Path::new("/dev/null"), true), Some(Code::OutputUnwritable));
    assert_eq!(code(&input, &dir.path().join("no/new.mp4"), false), Some(Code::OutputUnwritable));
    assert_eq!(code(&input, &input.join("new.mp4"), false), Some(Code::OutputUnwritable));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3, "nothing is left behind");
}
