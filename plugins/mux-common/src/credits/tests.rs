use super::*;

#[test]
fn only_what_is_listed_and_there_is_kept() {
    let tags = [
        ("title", "A film"),
        ("artist", " "),
        ("comment", "shot at home"),
        ("location", "+48.1+011.5/"),
        ("com.apple.quicktime.model", "phone"),
        ("encoder", "Lavf59.27.100"),
        ("copyright", "© 2026"),
    ];
    let credits = Credits::gather(|name| {
        tags.iter().find(|(tag, _)| *tag == name).map(|(_, text)| (*text).to_owned())
    });
    let kept: Vec<_> = credits.iter().collect();
    assert_eq!(kept, [(Credit::Title, "A film"), (Credit::Copyright, "© 2026")]);
}
