//! How fast it is. Run with `--ignored --nocapture figures`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use store::*;

use crate::world::{World, admission};

const TIME: Duration = Duration::from_secs(3);

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let rate = times.len() as f64 / TIME.as_secs_f64();
    println!("{what}: {rate:.0}/s, p50 {:?}, p99 {:?}, most {:?}", at(0.5), at(0.99), at(1.0));
}

async fn load<F>(what: &str, callers: usize, call: impl Fn() -> F + Clone + Send + 'static)
where
    F: Future<Output = ()> + Send + 'static,
{
    let end = Instant::now() + TIME;
    let callers: Vec<_> = (0..callers)
        .map(|_| {
            let call = call.clone();
            tokio::spawn(async move {
                let mut times = Vec::new();
                while Instant::now() < end {
                    let began = Instant::now();
                    call().await;
                    times.push(began.elapsed());
                }
                times
            })
        })
        .collect();
    let mut times = Vec::new();
    for caller in callers {
        times.extend(caller.await.unwrap());
    }
    report(what, times);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures"]
async fn figures() {
    let world = World::sqlite();
    let mut ids = Vec::new();
    for _ in 0..500 {
        ids.push(world.admitted("acme").await.id);
    }
    let ids = Arc::new(ids);
    let admit = {
        let store = world.store.clone();
        move || {
            let store = store.clone();
            async move { drop(store.admit(admission("acme")).await.unwrap()) }
        }
    };
    let get = {
        let (store, ids) = (world.store.clone(), ids.clone());
        let next = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        move || {
            let (store, ids, next) = (store.clone(), ids.clone(), next.clone());
            async move {
                let next = next.fetch_add(1, Ordering::Relaxed) % ids.len();
                drop(store.render("acme", &ids[next]).await.unwrap());
            }
        }
    };
    for callers in [1, 16, 64] {
        load(&format!("admit x{callers}"), callers, admit.clone()).await;
    }
    for callers in [1, 16] {
        load(&format!("get x{callers}"), callers, get.clone()).await;
    }
    let busy = Arc::new(AtomicBool::new(true));
    let writers: Vec<_> = (0..8)
        .map(|_| {
            let (busy, store) = (busy.clone(), world.store.clone());
            tokio::spawn(async move {
                let render = store.admit(admission("other")).await.unwrap();
                let Admitted::Created(render) = render else { panic!("not new") };
                let claim = store.claim(&render.id, render.version).await.unwrap();
                let mut render = claim.render;
                while busy.load(Ordering::Relaxed) {
                    let plans = json!({"plan": "x".repeat(2000)});
                    render = store.advance(render.lease(), "on", plans).await.unwrap();
                }
            })
        })
        .collect();
    load("get x16 while 8 write", 16, get.clone()).await;
    busy.store(false, Ordering::Relaxed);
    for writer in writers {
        writer.await.unwrap();
    }
}
