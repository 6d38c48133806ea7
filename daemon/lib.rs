//! Doozer Box: a small box beside a bar's TV on which guests play 1-on-1 games, winner stays.
//!
//! The modules in reading order: [`games`] (the rules of each game), [`bot`] (the House's player), [`rule`] (winner
//! stays), [`room`] (people, keys, codes), [`hub`] (the one task that owns all rooms), [`wire`] (the pages' messages),
//! [`net`] (guests' sockets), [`appliance`] (address, name and journal of the box), [`app`] (wires all of it together).
//!
//! Imports go in one direction: `games ← bot, rule ← room ← hub ← net ← app`. `tests/tidy.rs` checks it.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used)]

pub mod admin;
pub mod app;
pub mod appliance;
pub mod auth;
pub mod bot;
pub mod clock;
pub mod endpoint;
pub mod files;
pub mod games;
pub mod hub;
pub mod limits;
pub mod metrics;
pub mod net;
pub mod opening_hours;
pub mod options;
pub mod outbox;
pub mod owner;
pub mod power_supply;
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
