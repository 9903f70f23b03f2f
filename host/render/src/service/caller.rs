//! Who calls, and what they may do.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::catalogue::Code;
use crate::failure::Failure;

/// What a caller may do. Checked on every call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Render and cancel; answers questions as well.
    RenderWrite,
    /// Name assets.
    AssetRead,
    /// Bring assets.
    AssetWrite,
    /// Answer questions.
    RenderApprove,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 4] =
        [Self::RenderWrite, Self::AssetRead, Self::AssetWrite, Self::RenderApprove];
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RenderWrite => "render:write",
            Self::AssetRead => "asset:read",
            Self::AssetWrite => "asset:write",
            Self::RenderApprove => "render:approve",
        })
    }
}

impl FromStr for Scope {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|scope| scope.to_string() == name);
        found.ok_or_else(|| {
            let known: Vec<String> = Self::ALL.iter().map(ToString::to_string).collect();
            format!("`{name}` is no scope; there are {}", known.join(", "))
        })
    }
}

/// Who calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Whose renders and assets they see.
    pub tenant: String,
    /// Who they are within the tenant.
    pub identity: String,
    /// What they may do.
    pub scopes: BTreeSet<Scope>,
}

impl Caller {
    /// Whether they may do what needs one of these.
    #[must_use]
    pub fn has_any(&self, scopes: &[Scope]) -> bool {
        scopes.iter().any(|scope| self.scopes.contains(scope))
    }

    /// Demands one of these.
    ///
    /// # Errors
    ///
    /// `insufficient_scope` naming the first.
    pub fn need(&self, scopes: &[Scope]) -> Result<(), Failure> {
        if self.has_any(scopes) {
            return Ok(());
        }
        let wanted: Vec<String> = scopes.iter().map(ToString::to_string).collect();
        let first = wanted.first().cloned().unwrap_or_default();
        let message = format!("This needs the scope {first}, which the caller does not have.");
        Err(Failure::new(Code::InsufficientScope, message).with("required_scopes", wanted))
    }

    /// What needs reading a render: its status and its resources.
    pub(crate) fn need_reading(&self) -> Result<(), Failure> {
        self.need(&[Scope::RenderWrite, Scope::AssetRead, Scope::RenderApprove])
    }
}
