//! Languages by ISO 639-2.

use super::report::Stream;

/// The languages with two codes: bibliographic (as Matroska writes) and terminological (as MP4
/// writes, and as tracks are described here). From the ISO 639-2 registration authority.
const TERMINOLOGICAL: [(&str, &str); 20] = [
    ("alb", "sqi"),
    ("arm", "hye"),
    ("baq", "eus"),
    ("bur", "mya"),
    ("chi", "zho"),
    ("cze", "ces"),
    ("dut", "nld"),
    ("fre", "fra"),
    ("geo", "kat"),
    ("ger", "deu"),
    ("gre", "ell"),
    ("ice", "isl"),
    ("mac", "mkd"),
    ("mao", "mri"),
    ("may", "msa"),
    ("per", "fas"),
    ("rum", "ron"),
    ("slo", "slk"),
    ("tib", "bod"),
    ("wel", "cym"),
];

/// The language of `stream` as three letters of ISO 639-2/T, if it says one.
pub(crate) fn of(stream: &Stream) -> Option<String> {
    let language = stream.tags.get("language").or_else(|| stream.tags.get("LANGUAGE"))?.as_str();
    let code = language.len() == 3 && language.bytes().all(|byte| byte.is_ascii_lowercase());
    if !code || language == "und" {
        return None;
    }
    let known = TERMINOLOGICAL.iter().find(|(bibliographic, _)| *bibliographic == language);
    Some(known.map_or(language, |(_, code)| code).to_owned())
}
