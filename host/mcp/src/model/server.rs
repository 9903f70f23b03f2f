use serde::{Deserialize, Serialize};

/// What a server says of itself.
#[derive(Clone, Debug, Default)]
pub struct ServerDescription {
    /// The program.
    pub implementation: Implementation,
    /// What a model should know before it uses the server.
    pub instructions: Option<String>,
    /// What it offers.
    pub capabilities: Capabilities,
}

/// A program that speaks the protocol.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Implementation {
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its version.
    pub version: String,
}

/// What a server offers. What is not set is not declared, and its methods are unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Tools.
    pub tools: bool,
    /// Whether sessions are told when the list of tools changes.
    pub tools_changed: bool,
    /// Resources.
    pub resources: Option<ResourceCapabilities>,
    /// Prompts.
    pub prompts: bool,
    /// Completion of arguments.
    pub completions: bool,
    /// Log messages of calls.
    pub logging: bool,
    /// Tool calls that run as tasks.
    pub tasks: bool,
}

/// What can be done with resources besides listing and reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResourceCapabilities {
    /// Clients may subscribe to a resource.
    pub subscribe: bool,
    /// Sessions are told when the list changes.
    pub list_changed: bool,
}
