//! Connections: taken as they come, given up where no request comes on them, and ended in peace.

use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// How long the head of a request may take to come, counted from when one could. Longer than
/// clients keep a connection that they do not use.
const HEAD_TIME: Duration = Duration::from_secs(75);

/// After how long it is tried again to take a connection, where the system has none to give.
const AGAIN: Duration = Duration::from_millis(200);

/// Serves until told to close; then waits for the requests that are being answered.
pub(super) async fn serve(
    listener: TcpListener,
    routes: Router,
    mut closed: oneshot::Receiver<()>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    let open = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut closed => break,
        };
        match accepted {
            Ok((connection, _)) => {
                // Answers are whole when they are sent; waiting for more helps nothing.
                let _ = connection.set_nodelay(true);
                let service = TowerToHyperService::new(routes.clone());
                let connection = http.serve_connection(TokioIo::new(connection), service);
                let connection = open.watch(connection);
                tokio::spawn(async move {
                    if let Err(error) = connection.await {
                        tracing::debug!("a connection ended: {error}");
                    }
                });
            }
            Err(error) => {
                tracing::warn!("no connection can be taken at present: {error}");
                tokio::time::sleep(AGAIN).await;
            }
        }
    }
    drop(listener);
    open.shutdown().await;
}
