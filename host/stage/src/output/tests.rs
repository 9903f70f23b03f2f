use std::io::Read;

use super::*;

fn output(dir: &tempfile::TempDir) -> Output {
    let file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(dir.path().join("out"))
        .unwrap();
    Output::new(file, dir.path().to_owned())
}

#[tokio::test]
async fn the_file_has_what_was_written_in_the_order_of_the_calls() {
    let dir = tempfile::tempdir().unwrap();
    let mut output = output(&dir);
    let (mut first, mut second) = (output.create_spool().unwrap(), output.create_spool().unwrap());
    output.append_to(&mut first, b"one").unwrap();
    output.append_to(&mut second, b"two").unwrap();
    output.append_to(&mut first, b"three").unwrap();
    output.write(b"head").unwrap();
    output.append_spool(second).await.unwrap();
    output.write(b"-").unwrap();
    output.append_spool(first).await.unwrap();
    output.write(b"tail").unwrap();

    let mut written = output.finish(vec![]).unwrap();
    let mut text = String::new();
    written.file.rewind().unwrap();
    written.file.read_to_string(&mut text).unwrap();
    assert_eq!(text, "headtwo-onethreetail");
    assert_eq!((written.bytes, written.plugin_bytes), (20, 9));
}

#[tokio::test]
async fn what_is_in_a_spool_can_be_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let mut output = output(&dir);
    let mut spool = output.create_spool().unwrap();
    output.write_to(&mut spool, b"size????").unwrap();
    output.append_to(&mut spool, b"packet").unwrap();
    spool.patch(4, b"0006").unwrap();
    output.append_to(&mut spool, b"packet").unwrap();
    spool.patch(14, b"P").unwrap();
    for (position, bytes) in [(15, 6), (21, 0), (u64::MAX, 1)] {
        let error = spool.patch(position, &vec![0; bytes]).unwrap_err();
        assert!(matches!(&error, Stop::Contract(rule) if rule.contains("pass the end")), "{error}");
    }
    spool.patch(20, b"").unwrap();
    output.append_spool(spool).await.unwrap();

    let mut written = output.finish(vec![]).unwrap();
    let mut text = String::new();
    written.file.rewind().unwrap();
    written.file.read_to_string(&mut text).unwrap();
    assert_eq!(text, "size0006packetPacket");
    assert_eq!((written.bytes, written.plugin_bytes), (20, 8));
}

#[tokio::test]
async fn file_and_spools_share_one_limit() {
    let dir = tempfile::tempdir().unwrap();
    let mut output = output(&dir).limited(10);
    let mut spool = output.create_spool().unwrap();
    output.write(&[0; 4]).unwrap();
    output.append_to(&mut spool, &[0; 6]).unwrap();
    for result in [output.write(&[0]), output.append_to(&mut spool, &[0])] {
        assert!(matches!(
            result,
            Err(Stop::Limit { limit: LimitKind::Output, allowed: 10, used: 11 })
        ));
    }
    output.append_spool(spool).await.unwrap();
    assert_eq!(output.finish(vec![]).unwrap().bytes, 10);
}

#[test]
fn a_discarded_spool_gives_its_room_back() {
    let dir = tempfile::tempdir().unwrap();
    let mut output = output(&dir).limited(10);
    for _ in 0..2 * MAX_SPOOLS {
        let mut spool = output.create_spool().unwrap();
        output.append_to(&mut spool, &[0; 10]).unwrap();
        output.discard(spool);
    }
}

#[test]
fn spools_are_limited_because_each_holds_a_file_open() {
    let dir = tempfile::tempdir().unwrap();
    let mut output = output(&dir);
    let spools: Vec<_> = (0..MAX_SPOOLS).map(|_| output.create_spool().unwrap()).collect();
    assert!(matches!(output.create_spool(), Err(Stop::Contract(_))));
    assert_eq!(spools.len(), MAX_SPOOLS);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "spools have no names");
}

#[test]
fn a_full_disk_is_recognisable() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut output = Output::new(full, std::env::temp_dir());
    let error = match output.write(&vec![0; 2 * BUFFER_BYTES]) {
        Err(Stop::Storage(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}
