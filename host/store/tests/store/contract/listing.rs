use std::time::Duration;

use store::*;

use crate::world::World;

async fn all(world: &World, tenant: &str, limit: u32) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut cursor = None;
    loop {
        let page = world.store.renders(tenant, PageRequest { cursor, limit }).await.unwrap();
        pages.push(page.items.into_iter().map(|render| render.id).collect());
        cursor = page.next;
        if cursor.is_none() {
            return pages;
        }
    }
}

pub(crate) async fn pages_are_stable(world: World) {
    let mut ids = Vec::new();
    for i in 0..7 {
        // Some share a moment.
        if i % 3 == 0 {
            world.clock.pass(Duration::from_secs(1));
        }
        ids.push(world.admitted("acme").await.id);
    }
    let pages = all(&world, "acme", 3).await;
    assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3, 1]);
    let mut listed = pages.concat();
    assert_eq!(listed[0], ids[6]);
    listed.sort();
    ids.sort();
    assert_eq!(listed, ids);
    // Seven come in pages of seven without an empty eighth.
    assert_eq!(all(&world, "acme", 7).await.len(), 1);
    let first = world.store.renders("acme", PageRequest::first(3)).await.unwrap();
    let (next, seen) = (first.next.clone(), first.items);
    // What comes and what ends between two pages moves nothing.
    world.clock.pass(Duration::from_secs(1));
    world.admitted("acme").await;
    world.store.cancel("acme", &seen[2].id, "end", serde_json::json!({})).await.unwrap();
    let second = world.store.renders("acme", PageRequest { cursor: next, limit: 3 }).await.unwrap();
    let second: Vec<String> = second.items.into_iter().map(|render| render.id).collect();
    assert_eq!(second, pages[1]);
}

pub(crate) async fn every_tenant_lists_its_own(world: World) {
    let mine = world.working("acme").await;
    world.working("other").await;
    assert_eq!(all(&world, "acme", 10).await.concat(), std::slice::from_ref(&mine.id));
    assert_eq!(all(&world, "nobody", 10).await.concat(), [""; 0]);
    let output = world.artifact(ArtifactKind::Output, b"film");
    world.store.complete(mine.lease(), "end", serde_json::json!({}), vec![output]).await.unwrap();
    let artifacts = world.store.artifacts("acme", PageRequest::first(9)).await.unwrap().items;
    assert_eq!(artifacts.len(), 1);
    assert_eq!((&artifacts[0].render, artifacts[0].kind), (&mine.id, ArtifactKind::Output));
    assert_eq!(world.store.artifacts("other", PageRequest::first(9)).await.unwrap().items, []);
}

pub(crate) async fn a_forged_cursor_is_refused(world: World) {
    for cursor in ["", "x", "zz.render", "1", "ffffffffffffffff.a", "-1.a"] {
        let page = PageRequest { cursor: Some(cursor.into()), limit: 3 };
        let error = world.store.renders("acme", page).await.unwrap_err();
        assert!(matches!(error, Error::Invalid(_)), "{cursor:?}: {error:?}");
    }
}
