use std::time::Duration;

use store::*;

use crate::world::World;

fn new(tenant: &str) -> NewToken {
    NewToken {
        tenant: tenant.into(),
        subject: "ada".into(),
        scopes: vec!["render:write".into(), "asset:read".into()],
        label: "laptop".into(),
        expires: None,
    }
}

pub(crate) async fn a_secret_opens_until_it_is_revoked(world: World) {
    let issued = world.store.issue_token(new("acme")).await.unwrap();
    assert_eq!(issued.secret.len(), "vrt_".len() + 52);
    assert!(!format!("{issued:?}").contains(&issued.secret));
    world.store.issue_token(new("other")).await.unwrap();
    let world = world.restarted();
    let token = world.store.token(&issued.secret).await.unwrap();
    assert_eq!(token, issued.token);
    assert_eq!(token.scopes, ["render:write", "asset:read"]);
    let not_found = Error::NotFound("token");
    for wrong in ["", "vrt_", &token.id, &issued.secret.to_uppercase()] {
        assert_eq!(world.store.token(wrong).await.unwrap_err(), not_found);
    }
    assert_eq!(world.store.tokens(Some("acme")).await.unwrap(), std::slice::from_ref(&token));
    assert_eq!(world.store.tokens(None).await.unwrap().len(), 2);
    let revoked = world.store.revoke_token(&token.id).await.unwrap();
    assert_eq!(revoked.revoked, Some(world.clock.now()));
    assert_eq!(world.store.token(&issued.secret).await.unwrap_err(), not_found);
    world.clock.pass(Duration::from_secs(1));
    assert_eq!(world.store.revoke_token(&token.id).await.unwrap(), revoked);
    assert_eq!(world.store.revoke_token("token_none").await.unwrap_err(), not_found);
    // The secret is nowhere on the disk.
    for file in ["store.sqlite", "store.sqlite-wal"] {
        let bytes = std::fs::read(world.folder.path().join(file)).unwrap_or_default();
        let secret = issued.secret.as_bytes();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret));
    }
}

pub(crate) async fn an_old_token_opens_nothing(world: World) {
    let expires = Some(world.clock.now().after(Duration::from_mins(1)));
    let issued = world.store.issue_token(NewToken { expires, ..new("acme") }).await.unwrap();
    assert!(world.store.token(&issued.secret).await.is_ok());
    world.clock.pass(Duration::from_mins(1));
    assert_eq!(world.store.token(&issued.secret).await.unwrap_err(), Error::NotFound("token"));
}
