//! The server as its operator and its clients meet it: how it starts and ends, whom it lets in,
//! and what it takes and gives beside the protocol.

#[cfg(test)]
mod serving {
    mod beside;
    mod client;
    mod downloads;
    mod life;
    mod server;
    mod tokens;
    mod uploads;
}
