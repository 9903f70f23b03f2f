//! What a request's head must be like before anybody looks at its body.

use axum::http::{HeaderMap, Uri, header};

use crate::config::Allowed;

/// Whether the host that a request names is one of ours. For routes beside the endpoint, too.
pub fn host_allowed(allowed: &Allowed, headers: &HeaderMap, uri: &Uri) -> bool {
    let named = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let Some(host) = named.or_else(|| uri.authority().map(|authority| authority.as_str())) else {
        return *allowed == Allowed::Any;
    };
    match allowed {
        Allowed::Any => true,
        Allowed::Loopback => is_loopback(host),
        Allowed::These(hosts) => hosts
            .iter()
            .any(|ours| ours.eq_ignore_ascii_case(host) || ours.eq_ignore_ascii_case(name(host))),
    }
}

/// Whether a request may come from the page that it names; one that names none may. For routes
/// beside the endpoint, too.
pub fn origin_allowed(allowed: &Allowed, headers: &HeaderMap) -> bool {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let Some(origin) = origins.next() else { return true };
    let Ok(origin) = origin.to_str() else { return *allowed == Allowed::Any };
    if origins.next().is_some() {
        return *allowed == Allowed::Any;
    }
    match allowed {
        Allowed::Any => true,
        Allowed::Loopback => {
            let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            host.is_some_and(is_loopback)
        }
        Allowed::These(origins) => origins.iter().any(|ours| ours.eq_ignore_ascii_case(origin)),
    }
}

/// A host and port without the port.
fn name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !name.is_empty() => name,
        _ => host,
    }
}

fn is_loopback(host: &str) -> bool {
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|ours| ours.eq_ignore_ascii_case(name(host)))
}

/// Whether the body says that it is JSON.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok())
    else {
        return false;
    };
    media_type(value).eq_ignore_ascii_case("application/json")
}

/// Whether the client accepts a type, by name or by a wildcard.
pub(crate) fn accepts(headers: &HeaderMap, wanted: &str) -> bool {
    let group = wanted.split('/').next().unwrap_or_default();
    headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter(|range| !refused(range))
        .map(media_type)
        .any(|range| {
            range.eq_ignore_ascii_case(wanted)
                || range == "*/*"
                || range.strip_suffix("/*").is_some_and(|g| g.eq_ignore_ascii_case(group))
        })
}

fn media_type(value: &str) -> &str {
    value.split(';').next().unwrap_or_default().trim()
}

/// A range with the weight 0 is named only to be refused.
fn refused(range: &str) -> bool {
    range.split(';').skip(1).any(|parameter| {
        let weight = parameter.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok());
        weight == Some(0.0)
    })
}

#[cfg(test)]
mod tests;
