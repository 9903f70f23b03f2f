//! Resources of the suite.

use mcp::{
    RpcError,
    model::{Body, Resource, ResourceContents, ResourceTemplate},
};
use serde_json::json;

use crate::media;

pub(crate) fn all() -> Vec<Resource> {
    [
        ("test://static-text", "text/plain", "A text that never changes"),
        ("test://static-binary", "image/png", "A picture that never changes"),
        ("test://watched-resource", "text/plain", "A text to subscribe to"),
    ]
    .into_iter()
    .map(|(uri, mime_type, description)| Resource {
        uri: uri.to_owned(),
        name: uri.to_owned(),
        description: Some(description.to_owned()),
        mime_type: Some(mime_type.to_owned()),
        ..Resource::default()
    })
    .collect()
}

pub(crate) fn templates() -> Vec<ResourceTemplate> {
    vec![ResourceTemplate {
        uri_template: "test://template/{id}/data".to_owned(),
        name: "data".to_owned(),
        description: Some("Data by its id".to_owned()),
        mime_type: Some("application/json".to_owned()),
        ..ResourceTemplate::default()
    }]
}

pub(crate) fn read(uri: &str) -> Result<ResourceContents, RpcError> {
    let text = |text: &str| ("text/plain", Body::Text(text.to_owned()));
    let (mime_type, body) = match uri {
        "test://static-text" => text("This is the content of the static text resource."),
        "test://static-binary" => ("image/png", Body::Blob(media::PNG.to_owned())),
        "test://watched-resource" => text("This is the content of the watched resource."),
        _ => {
            let id = uri.strip_prefix("test://template/").and_then(|id| id.strip_suffix("/data"));
            let id = id.ok_or_else(|| RpcError::resource_not_found(uri))?;
            let data =
                json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
            ("application/json", Body::Text(data.to_string()))
        }
    };
    Ok(contents(uri, mime_type, body))
}

pub(crate) fn contents(uri: &str, mime_type: &str, body: Body) -> ResourceContents {
    ResourceContents {
        uri: uri.to_owned(),
        mime_type: Some(mime_type.to_owned()),
        body,
        meta: Default::default(),
    }
}
