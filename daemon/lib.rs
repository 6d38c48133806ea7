//! Doozer Box: a small box beside a bar's TV on which guests play 1-on-1 games, winner stays.
//!
//! The map, in reading order; arrows go one way, downward in this list's reverse:
//! `games ← rule ← room ← hub ← net ← main`, with `wire` used by `hub` and `net`.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used)]

pub mod appliance;
pub mod clock;
pub mod games;
pub mod house;
pub mod hub;
pub mod limits;
pub mod net;
pub mod options;
pub mod outbox;
pub mod room;
pub mod rule;
pub mod stats;
pub mod wire;
