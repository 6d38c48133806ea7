//! Doozer Box: a small box beside a bar's TV on which guests play 1-on-1 games, winner stays.
//!
//! The map, in reading order: [`games`] (what is played), [`bot`] (the House's player), [`rule`] (who plays),
//! [`room`] (people, keys, codes), [`hub`] (the one task that owns all rooms), [`wire`] (what pages say and are told),
//! [`net`] (sockets), [`appliance`] (being a box), [`app`] (all of it put together). Arrows go one way:
//! `games ← bot, rule ← room ← hub ← net ← app`; a test holds it.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used)]

pub mod admin;
pub mod app;
pub mod appliance;
pub mod bot;
pub mod clock;
pub mod endpoint;
pub mod games;
pub mod hub;
pub mod limits;
pub mod metrics;
pub mod net;
pub mod options;
pub mod outbox;
pub mod qr;
pub mod refusal;
pub mod room;
pub mod rule;
pub mod stats;
pub mod status;
pub mod store;
pub mod systemd;
pub mod thinker;
pub mod version;
pub mod wire;
