use axum::http::{HeaderValue, Request};
use store::{NewToken, Options, Sqlite, Tokens as _};

use super::*;

#[test]
fn no_two_callers_share_a_key() {
    let key = |tenant: &str, identity: &str| {
        principal(Caller { tenant: tenant.into(), identity: identity.into(), ..local() }).key
    };
    let names = ["a", "a/b", "b", "a%2Fb", "a%", "/", "", "2Fb", "b/a"];
    let pairs = names.iter().flat_map(|tenant| names.iter().map(move |name| key(tenant, name)));
    let keys: BTreeSet<String> = pairs.collect();
    assert_eq!(keys.len(), names.len() * names.len());
}

#[test]
fn only_one_whole_bearer_token_counts() {
    let read = |values: &[&str]| {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, HeaderValue::from_str(value).unwrap());
        }
        bearer(&headers).map(str::to_owned)
    };
    assert_eq!(read(&["Bearer abc"]).as_deref(), Some("abc"));
    assert_eq!(read(&["bearer  abc"]).as_deref(), Some("abc"));
    for wrong in
        [&[][..], &["Bearer"], &["Bearer "], &["Basic abc"], &["abc"], &["Bearer a", "Bearer b"]]
    {
        assert_eq!(read(wrong), None, "{wrong:?}");
    }
}

#[tokio::test]
async fn a_token_lets_in_with_its_scopes_until_it_is_revoked() {
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(Sqlite::open(dir.path(), Options::default()).unwrap());
    let token = NewToken {
        tenant: "studio".into(),
        subject: "ann".into(),
        scopes: vec!["render:write".into(), "of:tomorrow".into()],
        label: String::new(),
        expires: None,
    };
    let issued = store.issue_token(token).await.unwrap();
    let tokens = Tokens(store.clone());
    let head = |token: Option<&str>| {
        let mut request = Request::new(());
        if let Some(token) = token {
            let value = HeaderValue::from_str(&format!("Bearer {token}")).unwrap();
            request.headers_mut().insert(header::AUTHORIZATION, value);
        }
        request.into_parts().0
    };
    let known = tokens.authenticate(&head(Some(&issued.secret))).await.unwrap();
    assert_eq!(known.key, "studio/ann");
    let caller: &Caller = known.context.downcast_ref().unwrap();
    assert_eq!(caller.scopes, BTreeSet::from([Scope::RenderWrite]));

    store.revoke_token(&issued.token.id).await.unwrap();
    for (token, error) in [(Some(issued.secret.as_str()), true), (Some("x"), true), (None, false)] {
        let challenge = tokens.authenticate(&head(token)).await.unwrap_err();
        assert_eq!(challenge.status, StatusCode::UNAUTHORIZED);
        let header = challenge.www_authenticate.unwrap();
        assert!(header.starts_with("Bearer ") && header.contains("scope="), "{header}");
        assert_eq!(header.contains("invalid_token"), error, "{header}");
    }
}
