//! Prompts of the suite.

use mcp::{
    Params, RpcError,
    model::{Body, Content, Prompt, PromptArgument, PromptMessage, PromptResult, Role},
};

use crate::{media, resources::contents};

pub(crate) fn all() -> Vec<Prompt> {
    [
        ("test_simple_prompt", &[][..]),
        ("test_prompt_with_arguments", &["arg1", "arg2"]),
        ("test_prompt_with_embedded_resource", &["resourceUri"]),
        ("test_prompt_with_image", &[]),
    ]
    .into_iter()
    .map(|(name, arguments)| Prompt {
        name: name.to_owned(),
        title: None,
        description: Some(format!("The fixture {name}")),
        arguments: arguments
            .iter()
            .map(|argument| PromptArgument {
                name: (*argument).to_owned(),
                description: Some(format!("The argument {argument}")),
                required: true,
            })
            .collect(),
    })
    .collect()
}

pub(crate) fn get(name: &str, arguments: &Params) -> Result<PromptResult, RpcError> {
    let argument = |name: &str| {
        let value = arguments.get(name).and_then(|value| value.as_str());
        value.ok_or_else(|| RpcError::invalid_params(format!("argument `{name}` is missing")))
    };
    let contents = match name {
        "test_simple_prompt" => vec![Content::text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let (one, two) = (argument("arg1")?, argument("arg2")?);
            vec![Content::text(format!("Prompt with arguments: arg1='{one}', arg2='{two}'"))]
        }
        "test_prompt_with_embedded_resource" => {
            let text = Body::Text("Embedded resource content for testing.".to_owned());
            let resource = contents(argument("resourceUri")?, "text/plain", text);
            vec![
                Content::Resource { resource, annotations: None },
                Content::text("Please process the embedded resource above."),
            ]
        }
        "test_prompt_with_image" => vec![
            Content::Image {
                data: media::PNG.to_owned(),
                mime_type: "image/png".to_owned(),
                annotations: None,
            },
            Content::text("Please analyze the image above."),
        ],
        _ => return Err(RpcError::invalid_params(format!("prompt `{name}` is not known"))),
    };
    let messages = contents.into_iter().map(|content| PromptMessage { role: Role::User, content });
    Ok(PromptResult { description: None, messages: messages.collect() })
}
