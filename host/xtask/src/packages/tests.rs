use super::*;

#[test]
fn debian_and_its_descendants_are_known() {
    assert!(descends_from_debian("PRETTY_NAME=\"Debian\"\nID=debian\n"));
    assert!(descends_from_debian("ID=ubuntu\nID_LIKE=debian\n"));
    assert!(descends_from_debian("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"));
    assert!(!descends_from_debian("ID=fedora\nVERSION_ID=42\n"));
    assert!(!descends_from_debian("BUG_REPORT_ID=debian\n"));
}

#[test]
fn chromium_is_a_package_of_debian_itself() {
    assert!(is_debian_itself("PRETTY_NAME=\"Debian\"\nID=debian\n"));
    assert!(!is_debian_itself("ID=ubuntu\nID_LIKE=debian\n"));
}

#[test]
fn versions_are_compared_as_numbers() {
    let names = ["lld-9", "lld-22", "lld-14", "lld", "lld-22-doc"];
    assert_eq!(newest_numbered("lld-", names.into_iter()).as_deref(), Some("lld-22"));
    assert_eq!(newest_numbered("lld-", ["lld"].into_iter()), None);
}
