//! The listener with real sockets, before a small hub that repeats what its clients say.
#![allow(clippy::unwrap_used, clippy::expect_used, unreachable_pub)]

mod assets;
mod client;
mod hosts;
mod request_heads;
mod server;
mod sockets;
