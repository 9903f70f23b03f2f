//! Static tokens in the database.

use rusqlite::{Connection, Row, named_params, params};
use sha2::{Digest as _, Sha256};

use super::values::{found, json, maybe_moment, moment, sql};
use super::{Fate, Sqlite, work::reply};
use crate::Reply;
use crate::error::{Error, Result};
use crate::tokens::{Issued, NewToken, Token, Tokens};

const TOKEN: &str =
    "SELECT id, tenant, subject, scopes, label, created, expires, revoked FROM tokens";

fn token(row: &Row<'_>) -> std::result::Result<Token, rusqlite::Error> {
    let scopes = json(row, 3)?;
    let scopes = scopes.as_array().into_iter().flatten();
    Ok(Token {
        id: row.get(0)?,
        tenant: row.get(1)?,
        subject: row.get(2)?,
        scopes: scopes.filter_map(|scope| scope.as_str().map(str::to_owned)).collect(),
        label: row.get(4)?,
        created: moment(row, 5)?,
        expires: maybe_moment(row, 6)?,
        revoked: maybe_moment(row, 7)?,
    })
}

fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret).into()
}

impl Tokens for Sqlite {
    fn issue_token(&self, token: NewToken) -> Reply<Issued> {
        reply(self, |inner| async move {
            inner.write(move |connection, fate| issue(connection, fate, token)).await
        })
    }

    fn token(&self, secret: &str) -> Reply<Token> {
        // Looked up by its hash, so the time that this takes tells nothing of a secret.
        let hash = hash(secret);
        reply(self, |inner| async move {
            let work = move |connection: &Connection, fate: &Fate| {
                let query = format!(
                    "{TOKEN} WHERE hash = ?1 AND revoked IS NULL
                    AND (expires IS NULL OR expires > ?2)"
                );
                let now = sql(fate.now().0);
                let mut query = connection.prepare_cached(&query)?;
                found(query.query_row(params![hash, now], token), "token")
            };
            inner.glance(work).await
        })
    }

    fn tokens(&self, tenant: Option<&str>) -> Reply<Vec<Token>> {
        let tenant = tenant.map(str::to_owned);
        reply(self, |inner| async move {
            let work = move |connection: &Connection, _: &Fate| {
                let query = format!(
                    "{TOKEN} WHERE ?1 IS NULL OR tenant = ?1 ORDER BY created DESC, id DESC"
                );
                let mut query = connection.prepare_cached(&query)?;
                let rows = query.query_map([tenant], token)?;
                Ok(rows.collect::<std::result::Result<_, _>>()?)
            };
            inner.read(work).await
        })
    }

    fn revoke_token(&self, id: &str) -> Reply<Token> {
        let id = id.to_owned();
        reply(self, |inner| async move {
            let work = move |connection: &Connection, fate: &Fate| {
                connection
                    .prepare_cached(
                        "UPDATE tokens SET revoked = ?2 WHERE id = ?1 AND revoked IS NULL",
                    )?
                    .execute(params![id, sql(fate.now().0)])?;
                let query = format!("{TOKEN} WHERE id = ?1");
                found(connection.prepare_cached(&query)?.query_row([id], token), "token")
            };
            inner.write(work).await
        })
    }
}

fn issue(connection: &Connection, fate: &Fate, new: NewToken) -> Result<Issued> {
    let secret = fate.secret("vrt_")?;
    let token = Token {
        id: fate.id("token_")?,
        tenant: new.tenant,
        subject: new.subject,
        scopes: new.scopes,
        label: new.label,
        created: fate.now(),
        expires: new.expires,
        revoked: None,
    };
    let scopes =
        serde_json::to_string(&token.scopes).map_err(|error| Error::Io(error.to_string()))?;
    connection
        .prepare_cached(
            "INSERT INTO tokens (id, hash, tenant, subject, scopes, label, created, expires)
            VALUES (:id, :hash, :tenant, :subject, :scopes, :label, :created, :expires)",
        )?
        .execute(named_params! {
            ":id": token.id,
            ":hash": hash(&secret),
            ":tenant": token.tenant,
            ":subject": token.subject,
            ":scopes": scopes,
            ":label": token.label,
            ":created": sql(token.created.0),
            ":expires": token.expires.map(|expires| sql(expires.0)),
        })?;
    Ok(Issued { token, secret })
}
