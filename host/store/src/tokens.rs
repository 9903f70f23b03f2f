//! Static tokens: who may come in before there is anything better.

use std::fmt;

use crate::Reply;
use crate::clock::Millis;

/// A token to be issued.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// The tenant that its bearer belongs to.
    pub tenant: String,
    /// Who the bearer is, within the tenant.
    pub subject: String,
    /// What the bearer may do.
    pub scopes: Vec<String>,
    /// What the operator calls it.
    pub label: String,
    /// From when on it opens nothing; never, without.
    pub expires: Option<Millis>,
}

/// A token, without its secret: that is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its id, which is no secret.
    pub id: String,
    /// The tenant that its bearer belongs to.
    pub tenant: String,
    /// Who the bearer is, within the tenant.
    pub subject: String,
    /// What the bearer may do.
    pub scopes: Vec<String>,
    /// What the operator calls it.
    pub label: String,
    /// When it was issued.
    pub created: Millis,
    /// From when on it opens nothing; never, without.
    pub expires: Option<Millis>,
    /// When it was revoked.
    pub revoked: Option<Millis>,
}

/// A token that was just issued. This is the only time that its secret is seen.
#[derive(Clone)]
pub struct Issued {
    /// The token.
    pub token: Token,
    /// What its bearer shows: 260 bits of chance.
    pub secret: String,
}

impl fmt::Debug for Issued {
    /// Without the secret, so that it does not end in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Issued").field("token", &self.token).finish_non_exhaustive()
    }
}

/// Static tokens. Only a hash of the secret is kept; since the secret is chance
/// and long, a plain one is as good as a slow one.
pub trait Tokens: Send + Sync {
    /// Issues a token.
    fn issue_token(&self, token: NewToken) -> Reply<Issued>;

    /// Whose secret this is; `NotFound` for one that is unknown, revoked or
    /// expired.
    fn token(&self, secret: &str) -> Reply<Token>;

    /// All tokens, or those of one tenant, newest first.
    fn tokens(&self, tenant: Option<&str>) -> Reply<Vec<Token>>;

    /// Revokes a token; `NotFound`. Revoking twice is fine.
    fn revoke_token(&self, id: &str) -> Reply<Token>;
}
