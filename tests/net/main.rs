//! Tests the listener with real sockets, and a small hub that repeats its clients' messages.
#![allow(clippy::unwrap_used, clippy::expect_used, unreachable_pub)]

mod assets;
mod client;
mod hosts;
mod request_heads;
mod server;
mod sockets;
