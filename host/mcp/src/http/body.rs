//! Bodies of requests.

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use futures::StreamExt as _;

/// How much of a body that is too large is read all the same, so that a client which sends it
/// before it looks for the answer hears why it was refused.
const DRAINED: usize = 16 << 20;

/// Why a body was not read.
pub(super) enum Unread {
    TooLarge,
    Broken,
}

/// Reads a body of at most so many bytes.
pub(super) async fn read(body: Body, max: usize) -> Result<Bytes, Unread> {
    let mut stream = body.into_data_stream();
    let mut kept = BytesMut::new();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| Unread::Broken)?;
        if chunk.len() > max.saturating_sub(kept.len()) {
            let mut drained = chunk.len();
            while drained < DRAINED
                && let Some(Ok(chunk)) = stream.next().await
            {
                drained = drained.saturating_add(chunk.len());
            }
            return Err(Unread::TooLarge);
        }
        kept.extend_from_slice(&chunk);
    }
    Ok(kept.freeze())
}
