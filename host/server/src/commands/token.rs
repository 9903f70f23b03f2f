//! `token`: who may come in.

use std::fmt::Write as _;
use std::time::Duration;

use render::catalogue::Code;
use render::failure::Failure;
use render::service::{Scope, rfc3339};
use serde_json::{Value, json};
use store::{Clock as _, Millis, Mode, NewToken, Sqlite, SystemClock, Token, Tokens as _};

use crate::cli::{TokenArgs, TokenCommand};
use crate::config::{Auth, Config};
use crate::data;
use crate::exit::Ending;
use crate::serve::names;

pub(crate) async fn run(args: TokenArgs) -> Result<Ending, Failure> {
    let config = Config::load(args.config.file.as_deref())?;
    let directory = data::directory(args.data.dir.as_deref(), &config)?;
    let store = data::open(&directory, Mode::Beside)?;
    match args.command {
        TokenCommand::Create { tenant, subject, scopes, expires, label } => {
            names::check("tenant", &tenant)?;
            names::check("subject", &subject)?;
            let token = new_token(tenant, subject, &scopes, expires.map(Into::into), label)?;
            create(&store, token, config.server.auth).await
        }
        TokenCommand::List { tenant } => {
            let tokens = store.tokens(tenant.as_deref()).await;
            let tokens = tokens.map_err(|error| data::failure(&error, "such list"))?;
            let now = SystemClock.now();
            let text = tokens.iter().map(|token| line(token, now)).collect();
            let json: Vec<Value> = tokens.iter().map(|token| token_json(token, now)).collect();
            Ok(Ending::Done { json: json!({ "tokens": json }), text })
        }
        TokenCommand::Revoke { id } => {
            let token = store.revoke_token(&id).await;
            let token = token.map_err(|error| data::failure(&error, &format!("token {id}")))?;
            let text = format!("revoked {id} of {} in {}\n", token.subject, token.tenant);
            Ok(Ending::Done { json: token_json(&token, SystemClock.now()), text })
        }
    }
}

fn new_token(
    tenant: String,
    subject: String,
    scopes: &[Scope],
    expires: Option<Duration>,
    label: String,
) -> Result<NewToken, Failure> {
    if expires.is_some_and(|life| life.is_zero()) {
        return Err(Failure::invalid_field("expires", "A token has to live for some time."));
    }
    if label.chars().any(char::is_control) {
        return Err(Failure::invalid_field("label", "A label is one line of text."));
    }
    let mut scopes: Vec<String> = scopes.iter().map(ToString::to_string).collect();
    scopes.sort();
    scopes.dedup();
    let expires = expires.map(|life| SystemClock.now().after(life));
    Ok(NewToken { tenant, subject, scopes, label, expires })
}

async fn create(store: &Sqlite, token: NewToken, auth: Auth) -> Result<Ending, Failure> {
    let issued = store.issue_token(token).await;
    let issued = issued.map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
    let mut json = token_json(&issued.token, SystemClock.now());
    if let Some(token) = json.as_object_mut() {
        token.insert("secret".to_owned(), json!(issued.secret));
    }
    if auth == Auth::None {
        eprintln!("note: tokens are asked for only with auth = \"tokens\" under [server].");
    }
    let mut text = String::new();
    // The secret alone on its line, to be taken up by other programs.
    let _ = writeln!(text, "{}", issued.secret);
    Ok(Ending::Done { json, text })
}

fn standing(token: &Token, now: Millis) -> &'static str {
    match token {
        Token { revoked: Some(_), .. } => "revoked",
        Token { expires: Some(expires), .. } if *expires <= now => "expired",
        _ => "valid",
    }
}

fn token_json(token: &Token, now: Millis) -> Value {
    json!({
        "token_id": token.id,
        "tenant": token.tenant,
        "subject": token.subject,
        "scopes": token.scopes,
        "label": token.label,
        "standing": standing(token, now),
        "created_at": rfc3339(token.created),
        "expires_at": token.expires.map(rfc3339),
        "revoked_at": token.revoked.map(rfc3339),
    })
}

fn line(token: &Token, now: Millis) -> String {
    let Token { id, tenant, subject, scopes, label, .. } = token;
    let (standing, scopes) = (standing(token, now), scopes.join(" "));
    format!("{id}  {standing:7}  {tenant}  {subject}  {scopes}  {label}\n")
}
