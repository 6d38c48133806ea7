//! The door with real sockets: a small hub that repeats what it is told stands behind it.
#![allow(clippy::unwrap_used, clippy::expect_used, unreachable_pub)]

mod client;
mod heads;
mod hosts;
mod house;
mod pages;
mod sockets;
