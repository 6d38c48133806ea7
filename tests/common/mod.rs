//! What the integration tests share: the real binary, clients that speak to it over real sockets, and games played out.
#![allow(dead_code, reason = "each test uses its part")]

pub mod client;
pub mod daemon;
pub mod games;
pub mod table;
