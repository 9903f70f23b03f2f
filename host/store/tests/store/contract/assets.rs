use std::io::{Read, Write};

use serde_json::json;
use sha2::{Digest, Sha256};
use store::*;

use crate::world::{World, admission};

fn new(tenant: &str) -> NewAsset {
    NewAsset {
        tenant: tenant.into(),
        owner: "ada".into(),
        name: "clip.mp4".into(),
        media: json!({"width": 320}),
        sha256: None,
    }
}

async fn add(world: &World, tenant: &str, bytes: &[u8]) -> Asset {
    let draft = world.store.draft("").unwrap();
    draft.writer().unwrap().write_all(bytes).unwrap();
    world.store.add_asset(new(tenant), draft).await.unwrap()
}

pub(crate) async fn the_same_bytes_are_kept_once(world: World) {
    let (one, two) = (add(&world, "acme", b"film").await, add(&world, "acme", b"film").await);
    assert_ne!(one.id, two.id);
    let letters = one.id.strip_prefix("as_").unwrap();
    assert!(
        letters.len() == 26
            && letters.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    );
    assert_eq!(world.files("assets"), 1);
    add(&world, "other", b"film").await;
    assert_eq!(world.files("assets"), 2);
    let hash: [u8; 32] = Sha256::digest(b"film").into();
    assert_eq!((two.sha256, two.bytes), (hash, 4));
    assert_eq!(world.store.asset_of("acme", hash).await.unwrap().unwrap().bytes, 4);
    assert_eq!(world.store.asset_of("acme", [0; 32]).await.unwrap(), None);
    assert_eq!(world.store.asset("acme", &one.id).await.unwrap(), one);
    let foreign = world.store.asset("other", &one.id).await.unwrap_err();
    assert_eq!(foreign, Error::NotFound("asset"));
    world.store.remove_asset("acme", &one.id).await.unwrap();
    assert_eq!(world.files("assets"), 2);
    let (_, mut file) = world.store.open_asset("acme", &two.id).await.unwrap();
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    assert_eq!(text, "film");
    world.store.remove_asset("acme", &two.id).await.unwrap();
    assert_eq!(world.files("assets"), 1);
    let listed = world.store.assets("acme", PageRequest::first(5)).await.unwrap().items;
    assert_eq!(listed, []);
}

pub(crate) async fn other_bytes_than_promised_are_refused(world: World) {
    let draft = world.store.draft("").unwrap();
    draft.writer().unwrap().write_all(b"something else").unwrap();
    let asset = NewAsset { sha256: Some([7; 32]), ..new("acme") };
    let refused = world.store.add_asset(asset, draft).await.unwrap_err();
    assert!(matches!(refused, Error::Invalid(_)));
    assert_eq!(world.files("assets"), 0);
}

pub(crate) async fn an_asset_in_use_stays(world: World) {
    let asset = add(&world, "acme", b"film").await;
    let naming =
        |tenant: &str| Admission { assets: vec![asset.id.clone(); 2], ..admission(tenant) };
    let foreign = world.store.admit(naming("other")).await.unwrap();
    assert_eq!(foreign, Admitted::NoAsset(asset.id.clone()));
    let Admitted::Created(render) = world.store.admit(naming("acme")).await.unwrap() else {
        panic!("not new")
    };
    let removed = world.store.remove_asset("acme", &asset.id).await;
    assert_eq!(removed.unwrap_err(), Error::InUse);
    let foreign = world.store.remove_asset("other", &asset.id).await;
    assert_eq!(foreign.unwrap_err(), Error::NotFound("asset"));
    world.store.cancel("acme", &render.id, "end", json!({})).await.unwrap();
    world.store.remove_asset("acme", &asset.id).await.unwrap();
    let gone = world.store.remove_asset("acme", &asset.id).await;
    assert_eq!(gone.unwrap_err(), Error::NotFound("asset"));
}

pub(crate) async fn an_open_file_outlives_its_asset(world: World) {
    let asset = add(&world, "acme", b"film").await;
    let (_, mut file) = world.store.open_asset("acme", &asset.id).await.unwrap();
    world.store.remove_asset("acme", &asset.id).await.unwrap();
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    assert_eq!(text, "film");
}

pub(crate) async fn uploads_go_on(world: World) {
    let hash: [u8; 32] = Sha256::digest(b"two parts").into();
    let mut upload = world.store.upload("acme", &hash).unwrap();
    upload.append(b"two ").unwrap();
    let second = world.store.upload("acme", &hash).unwrap_err();
    assert!(matches!(second, Error::Locked(_)));
    drop(upload);
    assert_eq!(world.store.upload("other", &hash).unwrap().received(), 0);
    let world = world.restarted();
    let mut upload = world.store.upload("acme", &hash).unwrap();
    assert_eq!(upload.received(), 4);
    upload.append(b"parts").unwrap();
    let asset = NewAsset { sha256: Some(hash), ..new("acme") };
    let asset = world.store.add_asset(asset, upload.finish().unwrap()).await.unwrap();
    assert_eq!(asset.bytes, 9);
    assert_eq!(world.store.upload("acme", &hash).unwrap().received(), 0);
}
