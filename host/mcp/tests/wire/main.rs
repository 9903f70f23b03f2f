//! The protocol over real HTTP, with a small product behind it.
#![cfg(test)]

mod cancellation;
mod elicitation;
mod handshake;
mod refusals;
mod resources;
mod restart;
mod streams;
mod support;
mod tasks;

/// For trying any client by hand: each task asks once and then ends well.
/// `cargo test -p mcp --test wire -- --ignored --nocapture`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "serves until it is stopped"]
async fn serve() {
    let server = support::start().await;
    println!("{}", server.url());
    loop {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        server.product.step();
    }
}
