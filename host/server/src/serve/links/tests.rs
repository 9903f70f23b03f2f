use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;

use super::*;

#[derive(Clone, Default)]
struct Hands(Arc<AtomicU64>);

impl Clock for Hands {
    fn now(&self) -> Millis {
        Millis(self.0.load(Ordering::Relaxed))
    }
}

const HOUR: u64 = 3_600_000;

fn links(dir: &std::path::Path, clock: &Hands) -> Links {
    let keys = Keys::open(dir).unwrap();
    Links::new("https://example.com/video/", keys, Duration::from_hours(1), Box::new(clock.clone()))
}

fn target(tenant: &str) -> Target {
    Target { tenant: tenant.into(), render: "abc".into(), kind: ArtifactKind::Output }
}

fn ticket(url: &str) -> &str {
    url.strip_prefix("https://example.com/video/artifacts/").unwrap().split('/').next().unwrap()
}

#[test]
fn a_link_leads_to_its_target_until_it_expires() {
    let (dir, clock) = (tempfile::tempdir().unwrap(), Hands::default());
    let links = links(dir.path(), &clock);
    for kind in [ArtifactKind::Output, ArtifactKind::Preview] {
        let target = Target { kind, ..target("studio / ü") };
        clock.0.store(1500, Ordering::Relaxed);
        let (url, expires) = links.download_url(&target, Millis(24 * HOUR));
        assert_eq!(expires, Millis(HOUR + 1000), "whole seconds");
        assert!(url.is_ascii() && !url.contains(['?', '&', '%', ' ', '+', '=']), "{url}");
        clock.0.store(HOUR + 999, Ordering::Relaxed);
        assert_eq!(links.read(ticket(&url)), Ok(target.clone()));
        clock.0.store(HOUR + 1000, Ordering::Relaxed);
        assert_eq!(links.read(ticket(&url)), Err(Refused::Expired(target)));
    }
}

#[test]
fn a_link_does_not_outlive_what_it_leads_to() {
    let (dir, clock) = (tempfile::tempdir().unwrap(), Hands::default());
    let links = links(dir.path(), &clock);
    assert_eq!(links.download_url(&target("t"), Millis(5999)).1, Millis(5000));
}

#[test]
fn a_changed_link_is_forged() {
    let (dir, clock) = (tempfile::tempdir().unwrap(), Hands::default());
    let links = links(dir.path(), &clock);
    let (url, _) = links.download_url(&target("t"), Millis(HOUR));
    let ticket = ticket(&url);
    for at in 0..ticket.len() {
        let other = if ticket.as_bytes()[at] == b'A' { "B" } else { "A" };
        let changed = format!("{}{other}{}", &ticket[..at], &ticket[at + 1..]);
        assert_eq!(links.read(&changed), Err(Refused::Forged), "{at}");
    }
    for cut in 0..ticket.len() {
        assert_eq!(links.read(&ticket[..cut]), Err(Refused::Forged));
    }
    assert_eq!(links.read(&format!("{ticket}A")), Err(Refused::Forged));
    // Another server's key.
    let elsewhere = tempfile::tempdir().unwrap();
    assert_eq!(self::links(elsewhere.path(), &clock).read(ticket), Err(Refused::Forged));
}

#[test]
fn a_key_counts_until_it_was_changed_twice() {
    let (dir, clock) = (tempfile::tempdir().unwrap(), Hands::default());
    let links = links(dir.path(), &clock);
    let (url, _) = links.download_url(&target("t"), Millis(HOUR));
    rotate(dir.path()).unwrap();
    assert_eq!(links.read(ticket(&url)), Ok(target("t")));
    let (newer, _) = links.download_url(&target("t"), Millis(HOUR));
    assert_ne!(newer, url);
    rotate(dir.path()).unwrap();
    assert_eq!(links.read(ticket(&url)), Err(Refused::Forged));
    assert_eq!(links.read(ticket(&newer)), Ok(target("t")));
    // The next server has the same keys.
    assert_eq!(self::links(dir.path(), &clock).read(ticket(&newer)), Ok(target("t")));
}

#[test]
fn the_key_is_for_its_owner_alone() {
    let (dir, clock) = (tempfile::tempdir().unwrap(), Hands::default());
    drop(links(dir.path(), &clock));
    let file = dir.path().join("links.key");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    assert!(Keys::open(dir.path()).is_err_and(|failure| failure.message.contains("others")));
    for wrong in ["", "00\n", "zz"] {
        fs::write(&file, wrong).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        assert!(Keys::open(dir.path()).is_err(), "{wrong:?}");
    }
}

proptest! {
    #[test]
    fn what_a_link_says_is_read_back(tenant in ".{0,40}", render in "[a-z2-7]{0,30}", seconds: u64) {
        let target = Target { tenant, render, kind: ArtifactKind::Preview };
        prop_assert_eq!(parse(&payload(&target, seconds)), Some((target, seconds)));
    }

    #[test]
    fn nothing_else_is_read(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        if let Some((target, seconds)) = parse(&bytes) {
            prop_assert_eq!(payload(&target, seconds), bytes);
        }
    }
}
