//! Helpers for the integration tests: the real binary, clients on real sockets, and played games.
#![allow(dead_code, reason = "each test uses its part")]

pub mod client;
pub mod daemon;
pub mod evening;
pub mod games;
pub mod helper;
pub mod qr;
pub mod table;
